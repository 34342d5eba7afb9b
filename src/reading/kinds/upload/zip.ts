import { Readable } from "node:stream"
import { crc32, createInflateRaw } from "node:zlib"
import { type Detail, detail, Refusal } from "../../../base/errors.ts"
import { fileLimits } from "../../formats/file-kind.ts"
import { nameLimits, uploadName } from "./file-name.ts"
import { isReadable } from "./media-type.ts"

const megabyte = 1024 * 1024

export const zipLimits = {
  /** Whatever they are, folders and pictures included. */
  entries: 20_000,
  /** Documents, those of ZIPs within it included. */
  files: 1000,
  /** All files together, unpacked. */
  unpackedBytes: 200 * megabyte,
  /** A ZIP within the ZIP, such as an export of Notion. */
  innerBytes: 64 * megabyte,
  /** Unpacked bytes for each packed one: text reaches 30. */
  ratio: 200,
}

/** A file of a ZIP, as its directory describes it. */
export interface ZipFile {
  name: string
  /** It stands for the files in it. */
  isZip: boolean
  isDeflated: boolean
  packedBytes: number
  bytes: number
  crc: number
  /** Where its own header stands. */
  at: number
}

/** A file of a ZIP that is not kept, by the name that it has there, which may be hostile. */
export interface FileLeftOut {
  name: string
  why: Detail
}

export interface ZipDirectory {
  files: ZipFile[]
  leftOut: FileLeftOut[]
  /** Number of files that are no documents, those that `leftOut` names included. */
  others: number
}

/** The sum of a ZIP and the ZIPs in it so far. */
export interface ZipContents {
  entries: number
  files: number
  bytes: number
  /** In small letters: systems that fold case would unpack only one of two. */
  names: Set<string>
}

export const noContents = (): ZipContents => ({ entries: 0, files: 0, bytes: 0, names: new Set() })

/**
 * The directory of a ZIP (APPNOTE 6.3.10), judged before anything is unpacked. A name that leads elsewhere or comes
 * twice, a link, and content that needs a password cost that file. `outer`: the name of the ZIP within another one.
 * Throws Refusal `invalid_request` for a damaged directory, and for too much in it.
 */
export function readZipDirectory(zip: Buffer, sum: ZipContents, outer?: string): ZipDirectory {
  const { end, count, start } = directoryPlace(zip)
  sum.entries += count
  if (sum.entries > zipLimits.entries) throw tooLarge()
  const directory: ZipDirectory = { files: [], leftOut: [], others: 0 }
  let [at, bytes, packedBytes] = [start, 0, 0]
  for (let number = 0; number < count; number++) {
    if (at + 46 > end || zip.readUInt32LE(at) !== 0x02014b50) throw wrong("zipDamaged")
    const entry = entryAt(zip, at)
    at = entry.next
    if (at > end) throw wrong("zipDamaged")
    if (entry.raw.endsWith("/")) continue
    const name = nameWithin(entry.raw, outer, sum.names)
    const isSystems = isOfSystem(entry.raw)
    const isOther = isSystems || !(isReadable(entry.raw) || isZip(entry.raw))
    if (isOther) directory.others++
    if (isSystems) continue
    const why = objectionTo(entry, name, outer, isOther, sum.names)
    if (why || name === undefined) {
      if (why) directory.leftOut.push({ name: shown(outer ? `${outer}/${entry.raw}` : entry.raw), why })
      continue
    }
    sum.names.add(name.toLowerCase())
    bytes += entry.bytes
    packedBytes += entry.packedBytes
    sum.bytes += entry.bytes
    if (!isZip(name)) sum.files++
    directory.files.push({ ...entry, name, isZip: isZip(name), isDeflated: entry.method === 8 })
    if (sum.files > zipLimits.files || sum.bytes > zipLimits.unpackedBytes) throw tooLarge()
  }
  if (bytes > packedBytes * zipLimits.ratio + megabyte) throw tooLarge()
  return directory
}

export function isZip(name: string): boolean {
  return /\.zip$/i.test(name)
}

/** Hidden files, and those that systems put into folders by themselves. */
function isOfSystem(raw: string): boolean {
  return /(?:^|\/)(?:\.(?!\.?\/)|__MACOSX\/|(?:thumbs\.db|desktop\.ini)$)/i.test(raw)
}

/**
 * The name under which a file is kept. The files of a ZIP in another stand where it stands, or in a folder of its name
 * where one of them would have a name that is taken.
 */
function nameWithin(raw: string, outer: string | undefined, taken: ReadonlySet<string>): string | undefined {
  const path = raw.replace(/^(?:\.\/){1,9}/, "")
  if (outer === undefined) return uploadName(path)
  const name = uploadName(outer.slice(0, outer.lastIndexOf("/") + 1) + path)
  return name !== undefined && taken.has(name.toLowerCase())
    ? uploadName(`${outer.slice(0, -4)}/${path}`)
    : name
}

type Entry = ReturnType<typeof entryAt>

function objectionTo(
  entry: Entry,
  name: string | undefined,
  outer: string | undefined,
  isOther: boolean,
  taken: ReadonlySet<string>,
): Detail | undefined {
  const told = { name: shown(entry.raw) }
  if (name === undefined) return fault("zipName", told)
  if (entry.isLink) return fault("zipLink", told)
  if (isOther) return fault("zipKind", told)
  if (outer !== undefined && isZip(name)) return fault("zipNested", told)
  if (taken.has(name.toLowerCase())) return fault("zipTwice", told)
  if (entry.isEncrypted) return fault("zipEncrypted", told)
  if (entry.method !== 0 && entry.method !== 8) return fault("zipMethod", told)
  const most = isZip(name) ? zipLimits.innerBytes : fileLimits.documentBytes
  return entry.bytes > most ? fault("uploadTooLarge", { ...told, megabytes: most / megabyte }) : undefined
}

/** One file's content, or why there is none. Stops at the size that its directory told. */
export async function unzipFile(zip: Buffer, file: ZipFile, signal: AbortSignal): Promise<Buffer | Detail> {
  const { name, at, packedBytes, bytes, isDeflated, crc } = file
  const damaged = fault("zipOther", { name })
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== 0x04034b50) return damaged
  const begin = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  const packed = zip.subarray(begin, begin + packedBytes)
  const content = Buffer.allocUnsafe(bytes)
  let length = 0
  try {
    for await (const piece of isDeflated ? inflated(packed) : [packed]) {
      signal.throwIfAborted()
      if (length + piece.length > bytes) return damaged
      content.set(piece, length)
      length += piece.length
    }
  } catch (error) {
    if (signal.aborted) throw error
    return damaged
  }
  return length === bytes && crc32(content) === crc ? content : damaged
}

/** Small pieces both ways: little more is unpacked once a reader stops. */
function inflated(packed: Buffer): AsyncIterable<Buffer> {
  function* pieces() {
    for (let at = 0; at < packed.length; at += 16 * 1024) yield packed.subarray(at, at + 16 * 1024)
  }
  return Readable.from(pieces(), { objectMode: false }).pipe(createInflateRaw()) as AsyncIterable<Buffer>
}

const nowhere = 0xffffffff

/** Where the directory begins and ends. A comment of at most 64 kB may follow the record that says so. */
function directoryPlace(zip: Buffer): { start: number; end: number; count: number } {
  const from = Math.max(0, zip.length - 22 - 0xffff)
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"))
  if (end < from || end + 22 > zip.length) throw wrong("zipDamaged")
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  if (count !== 0xffff && start !== nowhere) return { start, end, count }
  // ZIP64 (4.3.14, 4.3.15), which some packers write for small files too.
  const locator = end - 20
  if (locator < 0 || zip.readUInt32LE(locator) !== 0x07064b50) return { start, end, count }
  const large = bigAt(zip, locator + 8)
  if (large + 56 > locator || zip.readUInt32LE(large) !== 0x06064b50) throw wrong("zipDamaged")
  return { start: bigAt(zip, large + 48), end: large, count: bigAt(zip, large + 32) }
}

/** A number of eight bytes. One that no file reaches leads out of every file, which is then damaged. */
function bigAt(zip: Buffer, at: number): number {
  return Number(zip.readBigUInt64LE(at))
}

/** Sizes and place in the extra field of ZIP64 (4.5.3): there are those that the entry itself does not tell. */
function largeNumbers(zip: Buffer, extra: number, next: number, told: number[]): number[] {
  for (let at = extra; at + 4 <= next; at += 4 + zip.readUInt16LE(at + 2)) {
    if (zip.readUInt16LE(at) !== 1) continue
    let place = at + 4
    return told.map((number) => {
      if (number !== nowhere || place + 8 > next) return number
      place += 8
      return bigAt(zip, place - 8)
    })
  }
  return told
}

const unixLink = 0o120000
const unixKind = 0o170000

function entryAt(zip: Buffer, at: number) {
  const flags = zip.readUInt16LE(at + 8)
  const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
  const raw = zip.subarray(at + 46, nameEnd)
  const attributes = zip.readUInt32LE(at + 38)
  const next = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  const told = [24, 20, 42].map((from) => zip.readUInt32LE(at + from))
  const [bytes, packedBytes, place] = largeNumbers(zip, nameEnd, Math.min(next, zip.length), told)
  return {
    // Those of Windows' own packer have backslashes at times.
    raw: decodeName(raw, (flags & 0x800) !== 0).replaceAll("\\", "/"),
    isEncrypted: (flags & 0x2041) !== 0,
    isLink: ((attributes >>> 16) & unixKind) === unixLink,
    method: zip.readUInt16LE(at + 10),
    crc: zip.readUInt32LE(at + 16),
    packedBytes: packedBytes as number,
    bytes: bytes as number,
    at: place as number,
    next,
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
  return name.slice(0, nameLimits.characters).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")
}

function tooLarge(): Refusal {
  const { files, unpackedBytes } = zipLimits
  return wrong("zipTooLarge", { files, megabytes: unpackedBytes / megabyte })
}

export function fileTooLarge(name: string): Refusal {
  return wrong("uploadTooLarge", { name, megabytes: fileLimits.documentBytes / megabyte })
}

export function fault(code: string, params?: Detail["params"]): Detail {
  return detail(`assistant.${code}`, params)
}

/** A refusal of files that were sent. */
export function wrong(code: string, params?: Detail["params"]): Refusal {
  return refused(fault(code, params))
}

export function refused(reason: Detail): Refusal {
  return new Refusal("invalid_request", reason, { fields: { files: reason }, reason })
}
