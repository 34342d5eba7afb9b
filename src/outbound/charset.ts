import sniffEncoding from "html-encoding-sniffer"

/**
 * Decodes bytes that came from the web. Their encoding is, in this order: that of the byte order mark, of the
 * server, of a `<meta>` in the first 1,024 bytes (the encoding sniffing of the HTML standard) or of the declaration
 * of an XML, UTF-8 if the bytes are valid, and windows-1252, as browsers assume for western text without a declaration.
 * A character that the end of the bytes cuts is left out.
 */
export function decodeText(bytes: Uint8Array, contentType: string, { xml = false } = {}): string {
  const label = /charset\s*=\s*["']?([^\s"';>]+)/i.exec(contentType)?.[1]
  const encoding = sniffEncoding(bytes, {
    ...(label !== undefined && { transportLayerEncodingLabel: label }),
    defaultEncoding: undeclared,
    // An option of the library that its types lack.
    ...({ xml } as object),
  })
  // The standard's name for a few encodings that no browser decodes any more, such as iso-2022-kr.
  if (encoding !== undeclared && encoding !== "replacement")
    return new TextDecoder(encoding as Bun.Encoding).decode(bytes, { stream: true })
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

const undeclared = "undeclared"
