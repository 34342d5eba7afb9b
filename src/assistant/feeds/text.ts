import type { LeftOut } from "../documents/document.ts"

/** No page that people read is longer; what is holds data, and would cost minutes. */
export const maxPageBytes = 5 * 1024 * 1024

/** A file's text, or why it is not one. Looks at its size before reading. Throws what the system says when it cannot be read. */
export async function readText(path: string): Promise<string | LeftOut> {
  const file = Bun.file(path)
  const { size } = await file.stat()
  if (size > maxPageBytes) return tooLarge(size)
  // It may have grown meanwhile.
  const bytes = await file.slice(0, maxPageBytes + 1).bytes()
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
