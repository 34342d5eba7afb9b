import { Readable } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { type Detail, detail, Refusal } from "../../../base/errors.ts"
import { fileLimits } from "../../formats/file-kind.ts"
import { uploadName } from "./file-name.ts"
import { isReadable } from "./media-type.ts"

const megabyte = 1024 * 1024

export const zipLimits = {
  /** Whatever they are, folders and pictures included. */
  entries: 20_000,
  /** That are kept. */
  files: 1000,
  /** All files together, unpacked. */
  unpackedBytes: 200 * megabyte,
  /** Unpacked bytes for each packed one: text reaches 30. */
  ratio: 200,
}

/** A file of a ZIP, as its directory describes it. */
export interface ZipFile {
  name: string
  isDeflated: boolean
  packedBytes: number
  bytes: number
  crc: number
  /** Where its own header stands. */
  at: number
}

/** The files that are kept, and how many are not documents. */
export interface ZipDirectory {
  files: ZipFile[]
  others: number
}

/**
 * The directory of a ZIP (APPNOTE 6.3.10), judged before anything is unpacked. Throws Refusal `invalid_request` for
 * too much of it, names that lead elsewhere or come twice, links, and content that needs a password.
 */
export function readZipDirectory(zip: Buffer): ZipDirectory {
  const end = findDirectoryEnd(zip)
  const count = zip.readUInt16LE(end + 10)
  const start = zip.readUInt32LE(end + 16)
  if (count > zipLimits.entries || start === 0xffffffff) throw tooLarge()
  const directory: ZipDirectory = { files: [], others: 0 }
  const names = new Set<string>()
  let [at, bytes, packedBytes] = [start, 0, 0]
  for (let number = 0; number < count; number++) {
    if (at + 46 > end || zip.readUInt32LE(at) !== 0x02014b50) throw wrong("zipDamaged")
    const entry = entryAt(zip, at)
    at = entry.next
    if (at > end) throw wrong("zipDamaged")
    const isFolder = entry.raw.endsWith("/")
    const name = uploadName(isFolder ? entry.raw.slice(0, -1) : entry.raw)
    if (name === undefined) throw wrong("zipName", { name: shown(entry.raw) })
    if (entry.isLink) throw wrong("zipLink", { name })
    if (isFolder) continue
    // Systems that fold case would unpack only one of two.
    const folded = name.toLowerCase()
    if (names.has(folded)) throw wrong("zipTwice", { name })
    names.add(folded)
    if (/(?:^|\/)(?:\.|__MACOSX\/)/.test(name) || !isReadable(name)) {
      directory.others++
      continue
    }
    if (entry.isEncrypted) throw wrong("zipEncrypted", { name })
    if (entry.method !== 0 && entry.method !== 8) throw wrong("zipMethod", { name })
    if (entry.bytes > fileLimits.documentBytes) throw fileTooLarge(name)
    bytes += entry.bytes
    packedBytes += entry.packedBytes
    directory.files.push({ ...entry, name, isDeflated: entry.method === 8 })
    if (directory.files.length > zipLimits.files || bytes > zipLimits.unpackedBytes) throw tooLarge()
  }
  if (bytes > packedBytes * zipLimits.ratio + megabyte) throw tooLarge()
  if (directory.files.length === 0) throw wrong("zipEmpty")
  return directory
}

/** One file's content. Stops at the size that its directory told, and throws Refusal where it is another. */
export async function unzipFile(zip: Buffer, file: ZipFile, signal: AbortSignal): Promise<Buffer> {
  const { name, at, packedBytes, bytes, isDeflated, crc } = file
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== 0x04034b50) throw wrong("zipDamaged")
  const begin = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  const packed = zip.subarray(begin, begin + packedBytes)
  const content = Buffer.allocUnsafe(bytes)
  let length = 0
  try {
    for await (const piece of isDeflated ? inflated(packed) : [packed]) {
      signal.throwIfAborted()
      if (length + piece.length > bytes) throw wrong("zipOther", { name })
      content.set(piece, length)
      length += piece.length
    }
  } catch (error) {
    if (error instanceof Refusal || signal.aborted) throw error
    throw wrong("zipDamaged")
  }
  if (length !== bytes || crc32(content) !== crc) throw wrong("zipOther", { name })
  return content
}

/** Small pieces both ways: little more is unpacked once a reader stops. */
function inflated(packed: Buffer): AsyncIterable<Buffer> {
  function* pieces() {
    for (let at = 0; at < packed.length; at += 16 * 1024) yield packed.subarray(at, at + 16 * 1024)
  }
  return Readable.from(pieces(), { objectMode: false }).pipe(createInflateRaw()) as AsyncIterable<Buffer>
}

/** Where the record that ends the file begins. A comment of at most 64 kB may follow it. */
function findDirectoryEnd(zip: Buffer): number {
  const from = Math.max(0, zip.length - 22 - 0xffff)
  const at = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"))
  if (at < from || at + 22 > zip.length) throw wrong("zipDamaged")
  return at
}

const unixLink = 0o120000
const unixKind = 0o170000

function entryAt(zip: Buffer, at: number) {
  const flags = zip.readUInt16LE(at + 8)
  const nameBytes = zip.readUInt16LE(at + 28)
  const raw = zip.subarray(at + 46, at + 46 + nameBytes)
  const attributes = zip.readUInt32LE(at + 38)
  return {
    // Those of Windows' own packer have backslashes at times.
    raw: decodeName(raw, (flags & 0x800) !== 0).replaceAll("\\", "/"),
    isEncrypted: (flags & 0x2041) !== 0,
    isLink: ((attributes >>> 16) & unixKind) === unixLink,
    method: zip.readUInt16LE(at + 10),
    crc: zip.readUInt32LE(at + 16),
    packedBytes: zip.readUInt32LE(at + 20),
    bytes: zip.readUInt32LE(at + 24),
    at: zip.readUInt32LE(at + 42),
    next: at + 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32),
  }
}

/** Code page 850, in which packers of before write letters with accents. */
const upperHalf =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0"

function decodeName(bytes: Buffer, isUtf8: boolean): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  // Many write UTF-8 and do not say so.
  if (isUtf8 || !text.includes("\ufffd")) return text
  return [...bytes].map((byte) => (byte < 128 ? String.fromCharCode(byte) : upperHalf[byte - 128])).join("")
}

/** A hostile name, as it can be told. */
function shown(name: string): string {
  return name.slice(0, 80).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")
}

function tooLarge(): Refusal {
  const { files, unpackedBytes } = zipLimits
  return wrong("zipTooLarge", { files, megabytes: unpackedBytes / megabyte })
}

export function fileTooLarge(name: string): Refusal {
  return wrong("uploadTooLarge", { name, megabytes: fileLimits.documentBytes / megabyte })
}

/** A refusal of files that were sent. */
export function wrong(code: string, params?: Detail["params"]): Refusal {
  const reason = detail(`assistant.${code}`, params)
  return new Refusal("invalid_request", reason, { fields: { files: reason }, reason })
}
