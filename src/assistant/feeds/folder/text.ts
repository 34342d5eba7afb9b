import type { LeftOut } from "../../documents/document.ts"
import { openWithin } from "./within.ts"

/** No page that people read is longer; what is holds data, and would cost minutes. */
export const maxPageBytes = 5 * 1024 * 1024

/** Of a file that is not, or no longer, one of the folder. */
export const notInFolder: LeftOut = { leftOut: "unreadable", detail: "a symbolic link out of the folder" }

/**
 * The text of a file of a folder, or why there is none. Looks at its size before reading. Throws what the
 * system says when it cannot be read.
 */
export async function readText(path: string, folder: string): Promise<string | LeftOut> {
  await using opened = await openWithin(folder, path)
  if (!opened) return notInFolder
  const found = await opened.handle.stat()
  if (!found.isFile()) return { leftOut: "unreadable", detail: "not a regular file" }
  if (found.size > maxPageBytes) return tooLarge(found.size)
  // It may have grown meanwhile.
  const bytes = await Bun.file(opened.handle.fd)
    .slice(0, maxPageBytes + 1)
    .bytes()
  return bytes.length > maxPageBytes ? tooLarge(bytes.length) : textOf(bytes)
}

function tooLarge(bytes: number): LeftOut {
  const megabytes = (bytes / 1024 / 1024).toFixed(1)
  return { leftOut: "too_large", detail: `${megabytes} MB, at most ${maxPageBytes / 1024 / 1024} MB` }
}

function textOf(bytes: Uint8Array): string | LeftOut {
  const utf16 = utf16Of(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  if (bytes.includes(0)) return { leftOut: "unreadable", detail: "a binary file" }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return { leftOut: "unreadable", detail: "not UTF-8 text: convert it" }
  }
}

/** By its byte order mark: Windows editors still write it. */
function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return undefined
}
