import { constants } from "node:fs"
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises"
import { sep } from "node:path"

/** A file or folder that was opened, wherever its path leads by now. */
export interface Opened extends AsyncDisposable {
  handle: FileHandle
  /** A path to the very thing that was opened. */
  path: string
}

// A pipe that nobody writes to would hold up its opening for ever.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Opens what stands at a path, and judges what was opened: what a link, or a folder on the way, is exchanged
 * for meanwhile cannot lead out of `folder`, a real path. Throws what the system says when it cannot be
 * opened; undefined: it is outside.
 */
export async function openWithin(folder: string, path: string): Promise<Opened | undefined> {
  const handle = await open(path, flags)
  const place = await placeOf(handle, path)
  if (place !== folder && !place?.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
    await handle.close()
    return undefined
  }
  return {
    handle,
    path: process.platform === "linux" ? link(handle) : path,
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

/** Where an open file is. The kernel knows; elsewhere the path must still lead to the same file. */
async function placeOf(handle: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === "linux") return readlink(link(handle))
  const place = await realpath(path)
  const [opened, named] = [await handle.stat(), await stat(place)]
  return opened.dev === named.dev && opened.ino === named.ino ? place : undefined
}

function link(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`
}
