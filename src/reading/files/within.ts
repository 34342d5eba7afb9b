import { constants } from "node:fs"
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises"
import { sep } from "node:path"

/** An open file or folder. Its original path may lead elsewhere by now. */
export interface OpenEntry extends AsyncDisposable {
  handle: FileHandle
  /** A path to the open file or folder itself. */
  path: string
}

// O_NONBLOCK: opening a pipe without a writer would otherwise block for ever.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Opens a path and then checks where the open file is, so that a link or a folder that is swapped meanwhile
 * cannot lead out of `folder`, a real path. Undefined when the file is outside. Throws the error of the
 * system when the path cannot be opened.
 */
export async function openWithin(folder: string, path: string): Promise<OpenEntry | undefined> {
  const handle = await open(path, flags)
  const place = await realPlace(handle, path)
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

/** The real path of an open file. On other systems than Linux, its path must still lead to the same file. */
async function realPlace(handle: FileHandle, path: string): Promise<string | undefined> {
  if (process.platform === "linux") return readlink(link(handle))
  const place = await realpath(path)
  const [opened, named] = [await handle.stat(), await stat(place)]
  return opened.dev === named.dev && opened.ino === named.ino ? place : undefined
}

function link(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`
}
