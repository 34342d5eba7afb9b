/** A document of older offices: files within a file, as MS-CFB describes. Nothing in it is believed. */
export interface CompoundFile {
  /** Upper-case names of every stream and folder, as they are compared. */
  names: ReadonlySet<string>
  /** Whether the outermost folder holds it: documents within the document do not count. */
  holds(name: string): boolean
  /** At most `maxBytes` of a stream of the outermost folder. */
  read(name: string, maxBytes: number): Buffer
}

/** Documents have some dozen. */
const maxEntries = 10_000
const entryBytes = 128
const smallBelowBytes = 4096
/** Numbers from here on are no sector: the end of a chain, or an unused one. */
const firstSpecial = 0xff_ff_ff_fa

interface Entry {
  name: string
  left: number
  right: number
  child: number
  start: number
  bytes: number
}

export function openCompoundFile(content: Uint8Array): CompoundFile | undefined {
  try {
    return opened(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Throws RangeError for what lies outside, and for chains without end. */
function opened(file: Buffer): CompoundFile {
  const shift = file.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw new RangeError()
  const sectorBytes = 2 ** shift
  const perSector = sectorBytes / 4
  const sectorAt = (sector: number) => file.subarray((sector + 1) * sectorBytes, (sector + 2) * sectorBytes)

  // The table of sectors stands in sectors that the header lists, and further ones behind a chain.
  const tables: number[] = []
  for (let at = 0; at < 109; at++) tables.push(file.readUInt32LE(76 + at * 4))
  let more = file.readUInt32LE(68)
  for (let listed = 0; more < firstSpecial; listed += (perSector - 1) * perSector * sectorBytes) {
    if (listed > file.length) throw new RangeError()
    const list = sectorAt(more)
    for (let at = 0; at < perSector - 1; at++) tables.push(list.readUInt32LE(at * 4))
    more = list.readUInt32LE(sectorBytes - 4)
  }
  const afterSector = (sector: number) =>
    sectorAt(tables[Math.floor(sector / perSector)] ?? firstSpecial).readUInt32LE((sector % perSector) * 4)
  const chain = (start: number, maxBytes: number) =>
    joined(start, afterSector, sectorAt, Math.min(maxBytes, file.length))

  const directory = chain(file.readUInt32LE(48), maxEntries * entryBytes)
  const entries: Entry[] = []
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes)
    entries.push(readEntry(directory.subarray(at, at + entryBytes)))
  const root = entries[0]
  if (!root) throw new RangeError()
  const outermost = new Map<string, Entry>()
  const reached = [root.child]
  for (const number of reached) {
    const entry = entries[number]
    if (!entry || outermost.has(entry.name)) continue
    outermost.set(entry.name, entry)
    reached.push(entry.left, entry.right)
  }
  return {
    names: new Set(entries.map(({ name }) => name)),
    holds: (name) => outermost.has(name.toUpperCase()),
    read(name, maxBytes) {
      const entry = outermost.get(name.toUpperCase())
      if (!entry) return Buffer.alloc(0)
      const bytes = Math.min(maxBytes, entry.bytes)
      if (entry.bytes >= smallBelowBytes) return chain(entry.start, bytes).subarray(0, bytes)
      // Small streams stand in pieces of 64 bytes in the stream of the outermost folder, with a table of their own.
      const pieces = chain(root.start, root.bytes)
      const table = chain(file.readUInt32LE(60), file.length)
      const after = (piece: number) => table.readUInt32LE(piece * 4)
      return joined(entry.start, after, (piece) => pieces.subarray(piece * 64, piece * 64 + 64), bytes)
    },
  }
}

function readEntry(bytes: Buffer): Entry {
  const nameEnd = Math.max(0, Math.min(bytes.readUInt16LE(64), 64) - 2)
  return {
    name: bytes.subarray(0, nameEnd).toString("utf16le").toUpperCase(),
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    start: bytes.readUInt32LE(116),
    bytes: bytes.readUInt32LE(120),
  }
}

/** The pieces of a chain, up to a length: a chain that goes in a circle ends there. */
function joined(
  start: number,
  after: (place: number) => number,
  pieceAt: (place: number) => Buffer,
  maxBytes: number,
): Buffer {
  const pieces: Buffer[] = []
  let length = 0
  for (let place = start; place < firstSpecial && length < maxBytes; place = after(place)) {
    const piece = pieceAt(place)
    if (piece.length === 0) throw new RangeError()
    pieces.push(piece)
    length += piece.length
  }
  return Buffer.concat(pieces)
}
