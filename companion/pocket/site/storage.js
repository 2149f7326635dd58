// The phone's own files: SQLite's, in the browser's private file system (OPFS), beneath a folder of Python's.
const KEPT = ['companion.db', 'companion.db-wal', 'before.db', 'phone.db', 'phone.db-wal', 'secret_key']
const PROBE = 200_000 // bytes
const NO_ROOM = 51 // ENOSPC, as the runtime numbers it
export const counts = { written: 0, flushed: 0 }

export async function folder() {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle('companion', { create: true })
}

// Opens the kept files, each for itself: a second worker fails here. Another tab's worker may just be ending.
export async function openKept(place) {
  const opened = {}
  for (const name of KEPT) {
    const file = await place.getFileHandle(name, { create: true })
    for (let tries = 1; !opened[name]; tries++) {
      try {
        opened[name] = await file.createSyncAccessHandle()
      } catch (error) {
        if (tries === 50) throw error
        await new Promise((over) => setTimeout(over, 100))
      }
    }
  }
  return opened
}

// Whether a round can still be saved: SQLite writes some ten kilobytes for one.
export async function hasRoom(place) {
  let handle
  try {
    handle = await (await place.getFileHandle('probe', { create: true })).createSyncAccessHandle()
    return handle.write(new Uint8Array(PROBE), { at: 0 }) === PROBE
  } catch {
    return false
  } finally {
    handle?.close()
    await place.removeEntry('probe').catch(() => {})
  }
}

function writeAll(FS, handle, bytes, at) {
  let count = 0
  try {
    count = handle.write(bytes, { at })
  } catch (error) {
    console.warn(error)
  }
  if (count !== bytes.length) throw new FS.ErrnoError(NO_ROOM)
  counts.written += count
}

// Mounts a folder in memory in which every write to a kept file goes through to its handle first, and fsync flushes it.
// So SQLite's journal works as on a disk: after a crash, SQLite recovers by itself from its log.
export function mount(FS, path, handles) {
  FS.mkdirTree(path)
  const root = FS.mount(FS.filesystems.MEMFS, {}, path)
  const inMemory = root.node_ops
  const dress = (node, handle) => {
    const { stream_ops: streams, node_ops: nodes } = node
    node.stream_ops = {
      ...streams,
      write(stream, buffer, offset, length, position, canOwn) {
        writeAll(FS, handle, buffer.subarray(offset, offset + length), position)
        return streams.write(stream, buffer, offset, length, position, canOwn)
      },
      fsync() {
        handle.flush()
        counts.flushed++
        return 0
      },
    }
    node.node_ops = {
      ...nodes,
      setattr(one, attributes) {
        nodes.setattr(one, attributes)
        if (attributes.size !== undefined) handle.truncate(attributes.size)
      },
    }
  }
  const empty = (handle) => { handle.truncate(0); handle.flush() }
  const make = (parent, name, mode, device) => {
    const node = inMemory.mknod(parent, name, mode, device)
    if (parent === root && handles[name]) dress(node, handles[name])
    return node
  }
  root.node_ops = {
    ...inMemory,
    mknod: make,
    unlink(parent, name) {
      inMemory.unlink(parent, name)
      if (handles[name]) empty(handles[name])
    },
    rename(node, parent, name) {
      const from = handles[node.name]
      inMemory.rename(node, parent, name)
      const handle = handles[name]
      if (handle) {
        handle.truncate(0)
        writeAll(FS, handle, node.contents.subarray(0, node.usedBytes), 0)
        handle.flush()
        dress(node, handle)
      }
      if (from) empty(from)
    },
  }
  for (const [name, handle] of Object.entries(handles)) {
    const size = handle.getSize()
    if (!size) continue
    const contents = new Uint8Array(size)
    handle.read(contents, { at: 0 })
    const node = make(root, name, 0o100600, 0)
    Object.assign(node, { contents, usedBytes: size })
  }
}
