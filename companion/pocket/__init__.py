"""The app inside a phone's browser, where one phone in the middle of the table needs no computer and no signal.

`build` writes a folder of static files for any HTTPS host: Python in WebAssembly (Pyodide), the app and its packages,
an empty database. `site` has what runs in the browser around it: the shell, a page that never leaves and shows the app
in a frame; the engine, a worker with Python and the database; and the service worker, which relays the frame's requests
to the engine. `inside` is the engine's Python half, `compiling` what Pyodide does while the folder is built.
"""
