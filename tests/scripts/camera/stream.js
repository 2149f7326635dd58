import { lendCamera, LIVE, openCamera } from '../camera_page.js'
import { equal, test, until } from '../harness.js'

// Opens a page with a video of the camera, of some size in sight.
const begin = async (width, height, colour) => {
  const { page } = await openCamera({ camera: LIVE })
  const lent = lendCamera(page, colour)
  const stream = await page.load('camera/stream.js')
  const video = Object.assign(page.document.createElement('video'), { muted: true, srcObject: await stream.startCamera() })
  Object.assign(video.style, { width: `${width}px`, height: `${height}px`, objectFit: 'cover' })
  page.document.body.append(video)
  await video.play()
  return { ...stream, page, lent, video }
}

test('a frame is what is in sight, and not enlarged', async () => {
  for (const [shown, longest, size] of [[[200, 100], 1280, [200, 100]], [[100, 100], 1280, [100, 100]], [[50, 100], 1280, [50, 100]], [[400, 100], 1280, [200, 50]], [[200, 100], 50, [50, 25]]]) {
    const { frameOf, video } = await begin(...shown)
    const { width, height } = frameOf(video, longest)
    equal([width, height], size)
  }
  const { frameOf, video } = await begin(200, 100)
  equal([...frameOf(video, 1280).getContext('2d').getImageData(0, 0, 1, 1).data].map((part) => part > 250), [true, true, true, true])
})

test('it sees how light it is, and whether it moved', async () => {
  const { makeEye, lent, video } = await begin(200, 100)
  const look = makeEye(video)
  equal(look(), { isDark: false, hasMoved: true })
  equal(look(), { isDark: false, hasMoved: false })
  lent.paint('#222')
  await until(() => look().isDark)
  equal(look(), { isDark: true, hasMoved: false })
})

test('a camera that is stopped is free', async () => {
  const { stopCamera, lent, video } = await begin(200, 100)
  stopCamera(video.srcObject)
  equal(lent.states(), ['ended'])
})

test('why there is no camera is told', async () => {
  const { troubleOf } = await begin(200, 100)
  const rows = { NotAllowedError: ['refused', true], SecurityError: ['refused', true], NotFoundError: ['none', true], OverconstrainedError: ['none', true], NotReadableError: ['taken', false], AbortError: ['taken', false] }
  for (const [name, [text, isFinal]] of Object.entries(rows)) equal(troubleOf({ name }), { text, isFinal })
})
