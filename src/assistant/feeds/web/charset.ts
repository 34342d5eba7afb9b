/**
 * Decodes bytes that came from the web. Their charset is, in this order: the one of the byte order mark, of
 * the server, of the page's head, UTF-8 if the bytes are valid, and windows-1252, as in browsers for western
 * text without a declaration.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const declared = markOf(bytes) ?? charsetOf(contentType) ?? charsetInHead(bytes)
  const decoder = declared === undefined ? undefined : decoderOf(declared)
  if (decoder) return decoder.decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (first === 0xff && second === 0xfe) return "utf-16le"
  return undefined
}

function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?([^\s"';>]+)/i.exec(contentType)?.[1]
}

/** In the first 1,024 bytes, as browsers do. */
function charsetInHead(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024))
  const meta = head.match(/<meta[^<>]*>/gi)?.find((tag) => charsetOf(tag) !== undefined)
  return meta && charsetOf(meta)
}

/** An unknown charset counts as none. */
function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset as Bun.Encoding)
  } catch {
    return undefined
  }
}
