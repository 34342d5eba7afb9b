import { type Detail, detail } from "../../base/errors.ts"
import type { LeftOut } from "../formats/document.ts"
import { openWithin } from "./within.ts"

/** Longest file that is read. A longer one is no page for people, but data that would cost minutes. */
export const maxPageBytes = 5 * 1024 * 1024

/** For a file that is not in the folder, or no longer. */
export const notInFolder = unreadable(detail("reading.linkOutOfFolder"))

/**
 * The text of a file in a folder, or why it cannot be read. The size is checked before reading. Throws the error
 * of the system when the file cannot be read.
 */
export async function readText(path: string, folder: string): Promise<string | LeftOut> {
  const bytes = await readBytes(path, folder, maxPageBytes)
  return "leftOut" in bytes ? bytes : decodePage(bytes)
}

/** The same for its bytes, at most `most`. */
export async function readBytes(path: string, folder: string, most: number): Promise<Uint8Array | LeftOut> {
  await using opened = await openWithin(folder, path)
  if (!opened) return notInFolder
  const stat = await opened.handle.stat()
  if (!stat.isFile()) return unreadable(detail("reading.notRegularFile"))
  if (stat.size > most) return tooLarge(stat.size, most)
  // The file may have grown since its size was read.
  const bytes = await Bun.file(opened.handle.fd)
    .slice(0, most + 1)
    .bytes()
  return bytes.length > most ? tooLarge(bytes.length, most) : bytes
}

function tooLarge(bytes: number, most: number): LeftOut {
  return { leftOut: "too_large", detail: detail("reading.fileTooLarge", { bytes, most }) }
}

function unreadable(why: Detail): LeftOut {
  return { leftOut: "unreadable", detail: why }
}

function decodePage(bytes: Uint8Array): string | LeftOut {
  const utf16 = utf16Mark(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  if (bytes.includes(0)) return unreadable(detail("reading.binaryFile"))
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return unreadable(detail("reading.notUtf8"))
  }
}

/** Windows editors still write UTF-16 with a byte order mark. */
function utf16Mark([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return undefined
}
