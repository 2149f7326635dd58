// Runs `companion.pocket.compiling` in Pyodide: node compile.mjs FOLDER_OF_PYODIDE APP.zip OUT
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [pyodide, app, out] = process.argv.slice(2)
const { loadPyodide } = await import(pathToFileURL(join(pyodide, 'pyodide.mjs')))
// the order of sets, and so what is compiled, depends on this seed
const py = await loadPyodide({ indexURL: pyodide, env: { PYTHONHASHSEED: '0', HOME: '/home/pyodide' } })
py.unpackArchive(new Uint8Array(readFileSync(app)), 'zip', { extractDir: '/app' })
py.runPython(`
import sys
sys.path.insert(0, '/app')
from companion.pocket.compiling import make_all
make_all()
`)
for (const name of ['app.pack', 'python_stdlib.zip']) writeFileSync(join(out, name), py.FS.readFile(`/out/${name}`))
