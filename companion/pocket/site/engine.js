// The engine: a worker with Python, the app and its database. Python's memory after the app is made and warmed up is kept
// on the phone, so later starts need not make it again. That is a private interface of Pyodide: whenever it fails, the
// shell begins without it.
import { loadPyodide } from './pyodide.mjs'
import createModule from './pyodide.asm.mjs'
import { counts, folder, hasRoom, mount, openKept } from './storage.js'

const DATA = '/data'
const SNAPSHOT = 'python-__BUILD__.memory'
const HERE = new URL('.', import.meta.url).href
const began = performance.now()
const times = {}
const mark = (name) => { times[name] = Math.round(performance.now() - began) }
const note = (line) => postMessage({ note: line })
let py
let answerOf

// Puts the app's files in place without copying them: each is a view of the pack.
function unpack(FS, pack) {
  const size = new DataView(pack).getUint32(0, true)
  const start = 4 + size
  for (const [path, at, length] of JSON.parse(new TextDecoder().decode(new Uint8Array(pack, 4, size)))) {
    const full = `/app/${path}`
    FS.mkdirTree(full.slice(0, full.lastIndexOf('/')))
    Object.assign(FS.create(full, 0o444), { contents: new Uint8Array(pack, start + at, length), usedBytes: length })
  }
}

async function keptMemory(place) {
  try {
    const file = await (await place.getFileHandle(SNAPSHOT)).getFile()
    return file.size ? new Uint8Array(await file.arrayBuffer()) : undefined
  } catch {
    return undefined
  }
}

async function forgetMemory(place, except) {
  const names = []
  for await (const name of place.keys()) if (/\.memory(\.new)?$/.test(name) && name !== except) names.push(name)
  for (const name of names) await place.removeEntry(name)
}

async function keepMemory(place, bytes) {
  await forgetMemory(place)
  const draft = await place.getFileHandle(`${SNAPSHOT}.new`, { create: true })
  const handle = await draft.createSyncAccessHandle()
  try {
    if (handle.write(bytes, { at: 0 }) !== bytes.length) throw new Error('no room')
    handle.flush()
  } finally {
    handle.close()
  }
  await draft.move(SNAPSHOT)
}

const MAKE = `
import sys
sys.path.insert(0, '/app')
from pathlib import Path
from companion.pocket.inside import Engine
engine = Engine(Path('${DATA}'))
`

async function start({ scope, isFresh }) {
  const place = await folder()
  const handles = await openKept(place)
  if (isFresh) await forgetMemory(place)
  const kept = await keptMemory(place)
  const isNew = !handles['companion.db'].getSize()
  const isFull = !await hasRoom(place)
  mark('read')
  try {
    postMessage({ says: 'python' })
    const packed = fetch(`${HERE}app.pack`).then((response) => response.arrayBuffer())
    // Pyodide 314 ignores INITIAL_MEMORY, since its module exports its memory: kept memory fits only once it has grown
    const createPyodideModule = async (settings) => {
      const module = await createModule(settings)
      if (kept) module.growMemory(kept.length)
      return module
    }
    const options = { indexURL: HERE, packageBaseUrl: HERE, stdout: note, stderr: note, createPyodideModule }
    py = await loadPyodide(kept ? { ...options, _loadSnapshot: kept } : { ...options, _makeSnapshot: true })
    mark('python')
    unpack(py.FS, await packed)
    let made
    if (!kept) {
      postMessage({ says: 'app' })
      py.runPython(MAKE)
      mark('app')
      made = py.makeMemorySnapshot()
      mark('kept')
    }
    postMessage({ says: 'data' })
    mount(py.FS, DATA, handles)
    const refused = py.globals.get('engine').start(scope, '__BUILD__')
    if (refused) {
      for (const handle of Object.values(handles)) handle.close()
      return postMessage({ refused })
    }
    answerOf = py.globals.get('engine').answer
    mark('ready')
    postMessage({ ready: { ...times, heap: py._module.HEAP8.length, isNew, isFull, restored: Boolean(kept) } })
    if (made) await keepMemory(place, made).catch((error) => note(`The memory wasn't kept: ${error}`))
  } catch (error) {
    for (const handle of Object.values(handles)) handle.close()
    postMessage({ failed: String(error?.stack ?? error), restored: Boolean(kept) })
  }
}

function answer({ method, url, headers, body, cookies, port }) {
  const before = { ...counts }
  const asked = performance.now()
  try {
    const given = py.toPy(headers)
    const sent = py.toPy(new Uint8Array(body ?? 0))
    const made = answerOf(method, url, given, sent.tobytes(), cookies)
    const [status, reason, said, content] = made.toJs()
    for (const one of [given, sent, made]) one.destroy()
    const took = performance.now() - asked
    const written = counts.written - before.written
    port.postMessage({ status, reason, headers: said, content, took, written, flushed: counts.flushed - before.flushed })
  } catch (error) {
    note(String(error))
    port.postMessage({ status: 500, reason: 'Error', headers: [['Content-Type', 'text/plain']], content: String(error) })
  }
}

onmessage = ({ data }) => {
  if (data.start) start(data.start).catch((error) => postMessage({ failed: String(error?.stack ?? error) }))
  else answer(data)
}
