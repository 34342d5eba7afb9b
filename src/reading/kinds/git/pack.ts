import { createHash } from "node:crypto"
import { type InflateRaw, inflateSync } from "node:zlib"
import { LRUCache } from "lru-cache"

/** An object of a pack. */
export interface GitObject {
  type: "commit" | "tree" | "blob" | "tag"
  content(): Buffer
}

export interface PackLimits {
  objects: number
  /** Largest object, unpacked. */
  objectBytes: number
  /** All objects together, unpacked: a short pack can describe gigabytes. */
  totalBytes: number
}

/** Thrown for a pack that exceeds a limit. */
export class PackTooLarge extends Error {}

export type GitHash = "sha1" | "sha256"

interface Entry {
  type: GitObject["type"] | undefined
  /** Where it begins, and its compressed bytes; `size`: once they are unpacked. */
  place: number
  at: number
  size: number
  /** Its bytes are changes to that one's. */
  base: Entry | undefined
  /** How many such bases lie below it. */
  depth: number
}

const types: Partial<Record<number, GitObject["type"]>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" }
const deltaByPlace = 6
const deltaByName = 7
/** Git itself makes chains of 50, and none of more than 4,095. */
const maxDepth = 4095
const maxKeptBytes = 64 * 1024 * 1024

/**
 * The objects of a pack (gitformat-pack) by their names in hexadecimal. Each is unpacked to its declared size at
 * most, so that nothing grows beyond the limits. Throws PackTooLarge, and Error for what is no whole pack.
 */
export function readPack(pack: Buffer, hash: GitHash, limits: PackLimits): Map<string, GitObject> {
  const objects = new Map<string, GitObject>()
  const recent = new LRUCache<Entry, Buffer>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ length }) => length + 1,
  })
  let totalBytes = 0

  function count(bytes: number): void {
    totalBytes += bytes
    if (bytes > limits.objectBytes || totalBytes > limits.totalBytes) throw new PackTooLarge()
  }

  function objectContent(entry: Entry): Buffer {
    const cached = recent.get(entry)
    if (cached) return cached
    const { bytes } = inflated(pack, entry)
    const content = entry.base ? changed(objectContent(entry.base), bytes, limits.objectBytes) : bytes
    recent.set(entry, content)
    return content
  }

  const ready: Entry[] = []
  /** Changes that wait for their base, by its place or its name. */
  const waiting = new Map<number | string, Entry[]>()
  for (const { entry, base } of packEntries(pack, hash, limits.objects, count)) {
    if (base === undefined) ready.push(entry)
    else waiting.getOrInsert(base, []).push(entry)
  }
  for (let entry = ready.pop(); entry; entry = ready.pop()) {
    const { type } = entry
    if (!type) continue
    const content = objectContent(entry)
    if (entry.base) count(content.length)
    const name = createHash(hash).update(`${type} ${content.length}\0`).update(content).digest("hex")
    const named = entry
    objects.set(name, { type, content: () => objectContent(named) })
    for (const key of [entry.place, name]) {
      for (const next of waiting.get(key) ?? []) {
        Object.assign(next, { type, base: entry, depth: entry.depth + 1 })
        if (next.depth > maxDepth) throw new PackTooLarge()
        ready.push(next)
      }
      waiting.delete(key)
    }
  }
  return objects
}

/** The entries in their order, each with the place or name of its base if it has one. */
function* packEntries(
  pack: Buffer,
  hash: GitHash,
  maxObjects: number,
  count: (bytes: number) => void,
): Generator<{ entry: Entry; base: number | string | undefined }> {
  const reader = byteReader(pack)
  if (pack.length < 12 || pack.toString("latin1", 0, 4) !== "PACK" || pack.readUInt32BE(4) !== 2)
    throw new Error("not a pack of version 2")
  const objects = pack.readUInt32BE(8)
  if (objects > maxObjects) throw new PackTooLarge()
  reader.skip(12)
  for (let number = 0; number < objects; number++) {
    const place = reader.at
    const { kind, size } = reader.head()
    count(size)
    let base: number | string | undefined
    if (kind === deltaByPlace) base = place - reader.distance()
    else if (kind === deltaByName) base = reader.name(hash === "sha1" ? 20 : 32)
    else if (!types[kind]) throw new Error("a pack with an unknown object")
    const entry: Entry = { type: types[kind], place, at: reader.at, size, base: undefined, depth: 0 }
    reader.skip(inflated(pack, entry).length)
    yield { entry, base }
  }
}

/** `length`: of the compressed bytes. */
function inflated(pack: Buffer, { at, size }: Entry): { bytes: Buffer; length: number } {
  const options = { info: true, maxOutputLength: Math.max(size, 1) }
  const inflated = inflateSync(pack.subarray(at), options) as unknown as {
    buffer: Buffer
    engine: InflateRaw
  }
  if (inflated.buffer.length !== size) throw new Error("a pack with an object of another size")
  return { bytes: inflated.buffer, length: inflated.engine.bytesWritten }
}

/** The base with the changes: pieces that are copied from it, and new ones. */
function changed(base: Buffer, changes: Buffer, maxBytes: number): Buffer {
  const reader = byteReader(changes)
  if (reader.number() !== base.length) throw new Error("changes to something else")
  const size = reader.number()
  if (size > maxBytes) throw new PackTooLarge()
  const result = Buffer.alloc(size)
  let length = 0
  while (reader.at < changes.length) {
    const piece = reader.piece(base)
    if (length + piece.length > size) throw new Error("changes beyond the end")
    piece.copy(result, length)
    length += piece.length
  }
  if (length !== size) throw new Error("changes that end early")
  return result
}

/** The numbers of the format, one after the other. Throws RangeError beyond the end. */
function byteReader(bytes: Buffer) {
  let at = 0
  const byte = () => bytes.readUInt8(at++)
  const slice = (length: number) => {
    if (at + length > bytes.length) throw new RangeError("ends early")
    at += length
    return bytes.subarray(at - length, at)
  }

  /** Seven bits a byte, the lowest first. */
  function number(value = 0, factor = 1): number {
    for (let more = true, next: number; more; factor *= 128) {
      next = byte()
      value += (next & 127) * factor
      more = next > 127
      if (value > Number.MAX_SAFE_INTEGER) throw new RangeError("too large a number")
    }
    return value
  }

  return {
    get at() {
      return at
    },
    skip(length: number): void {
      at += length
    },
    name: (length: number) => slice(length).toString("hex"),
    number,
    head() {
      const first = byte()
      const size = first & 15
      return { kind: (first >> 4) & 7, size: first > 127 ? number(size, 16) : size }
    },
    /** Seven bits a byte, the highest first, each further byte one more. */
    distance(): number {
      let next = byte()
      let value = next & 127
      while (next > 127) {
        next = byte()
        value = (value + 1) * 128 + (next & 127)
        if (value > Number.MAX_SAFE_INTEGER) throw new RangeError("too large a number")
      }
      return value
    },
    /** The next piece of a changed object: of `base`, or of these bytes. */
    piece(base: Buffer): Buffer {
      const order = byte()
      if (order === 0) throw new Error("changes of an unknown kind")
      if (order < 128) return slice(order)
      const field = (bits: number[]) =>
        bits.reduce((value, bit, place) => (order & bit ? value + byte() * 256 ** place : value), 0)
      const from = field([1, 2, 4, 8])
      const length = field([16, 32, 64]) || 65_536
      if (from + length > base.length) throw new Error("changes to what is not there")
      return base.subarray(from, from + length)
    },
  }
}
