import { openCamera } from '../camera_page.js'
import { equal, test } from '../harness.js'

test('elements are made with their class and properties', async () => {
  const { page } = await openCamera()
  const { helpLink, layOver, makeButton, makeElement } = await page.load('camera/elements.js')
  let taps = 0
  const button = makeButton('use', 'primary', () => taps++)
  button.click()
  equal([button.className, button.type, button.textContent, taps], ['button primary', 'button', 'use', 1])
  const link = helpLink()
  equal([link.getAttribute('href'), link.target, link.textContent], ['/help/photo', '_blank', 'how'])
  const element = makeElement('p', 'told', { textContent: 'x' })
  equal(element.outerHTML, '<p class="told">x</p>')
  layOver(element, { width: 400, height: 200 }, [100, 20, 40, 50])
  equal([element.style.left, element.style.top, element.style.width, element.style.height], ['25%', '10%', '10%', '25%'])
})

test('the style sheet is loaded once; a missing one holds nothing up', async () => {
  for (const styles of ['data:text/css,', 'data:text/plain,x']) {
    const { page } = await openCamera({ camera: { styles } })
    await (await page.load('camera/elements.js')).styled
    equal(page.$$('link[rel=stylesheet]').length, 1)
  }
})
