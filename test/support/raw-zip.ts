import { crc32, deflateRawSync } from "node:zlib"

/** An entry of a ZIP; what is not given is as packers write it. */
export interface RawEntry {
  name: string | Uint8Array
  content?: Uint8Array | string
  /** Deflated; of the content by default. */
  packed?: Uint8Array
  method?: number
  flags?: number
  /** As the directory tells it. */
  bytes?: number
  crc?: number
  /** Of the file system that it comes from, Unix. */
  mode?: number
  /** Shares the data of the entry with this number, by pointing to its header. */
  dataOf?: number
}

/**
 * A ZIP as a hostile hand writes it: nothing is checked. `count`: of entries, as the directory tells it. `isLarge`: its
 * numbers stand where ZIP64 has them.
 */
export function rawZip(
  entries: readonly RawEntry[],
  { count = entries.length, isLarge = false } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const places: number[] = []
  let length = 0
  for (const entry of entries) {
    const { name, flags = 0x800, method = 8, mode = 0o100644, dataOf } = entry
    const content = Buffer.from((entry.content ?? "") as string)
    const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(content) : content))
    const rawName = Buffer.from(name as string)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(method, 4)
    fields.writeUInt32LE(entry.crc ?? crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(entry.bytes ?? content.length, 18)
    fields.writeUInt16LE(rawName.length, 22)
    const at = dataOf === undefined ? length : (places[dataOf] as number)
    places.push(at)
    if (dataOf === undefined) {
      const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, rawName, packed])
      parts.push(local)
      length += local.length
    }
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(mode * 0x10000, 6)
    rest.writeUInt32LE(at, 10)
    const madeBy = Buffer.from([20, 3])
    const listed = Buffer.from(fields)
    const extra = isLarge ? largeNumbers(entry.bytes ?? content.length, packed.length, at) : Buffer.alloc(0)
    if (isLarge) {
      listed.fill(0xff, 14, 22)
      rest.fill(0xff, 10, 14)
      listed.writeUInt16LE(extra.length, 24)
    }
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), madeBy, listed, rest, rawName, extra]))
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write("PK\x05\x06", "latin1")
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(length, 16)
  if (!isLarge) return Buffer.concat([...parts, listed, end])
  end.fill(0xff, 8, 20)
  const large = Buffer.alloc(56)
  large.write("PK\x06\x06", "latin1")
  large.writeBigUInt64LE(44n, 4)
  for (const [at, number] of [
    [24, count],
    [32, count],
    [40, listed.length],
    [48, length],
  ] as const)
    large.writeBigUInt64LE(BigInt(number), at)
  const locator = Buffer.alloc(20)
  locator.write("PK\x06\x07", "latin1")
  locator.writeBigUInt64LE(BigInt(length + listed.length), 8)
  return Buffer.concat([...parts, listed, large, locator, end])
}

/** The extra field of an entry of ZIP64. */
function largeNumbers(...numbers: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [at, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * at)
  return field
}
