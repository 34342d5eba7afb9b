/** A text of some length, which can be had longer. */
export interface HostileText {
  name: string
  length: number
  of(length: number): string
}

/** Short ones first: what doubles with every character is found before it takes for ever. */
const lengths = [16, 20, 24, 300, 2000, 20_000]
const triedPairs = 300
const triedTriples = 150

/**
 * Repetitions of one to three of the characters and words that an expression itself names, and of what its classes hold, between a
 * beginning and an end of the same kind. Always the same ones for the same expression.
 */
export function* hostileTexts(source: string): Generator<HostileText> {
  const pieces = piecesOf(source)
  const random = randomOf(source)
  const some = () => pieces[Math.floor(random() * pieces.length)] as string
  const repeated = [
    ...pieces,
    ...Array.from({ length: triedPairs }, () => some() + some()),
    ...Array.from({ length: triedTriples }, () => some() + some() + some()),
  ]
  for (const length of lengths)
    for (const piece of length < 1000 ? repeated.slice(0, 2 * pieces.length) : repeated)
      for (const [start, end] of [
        ["", "\0"],
        [some(), some()],
      ])
        yield {
          name: `${JSON.stringify(start)}, ${length} characters of ${JSON.stringify(piece)}, ${JSON.stringify(end)}`,
          length,
          of: (length) => `${start}${piece.repeat(Math.ceil(length / piece.length))}${end}`,
        }
}

/** Of letters of both cases, digits, marks, blanks, ends of lines. */
const ofClasses = ["a", "A", "é", "0", "_", "\u0300", " ", "\t", "\n", "\r", "."]

function piecesOf(source: string): string[] {
  const plain = source
    .replace(/\\[wWdDsSbB]|\\p\{[^}]*\}/gi, "")
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\n/g, "\n")
    .replace(/\\t/g, "\t")
    .replace(/\\(.)/g, "$1")
  const words = plain.match(/[a-z-]{2,}|[^\w\s]{2,4}/gi) ?? []
  return [...new Set([...plain, ...words, ...ofClasses])]
}

/** mulberry32, from 0 to 1. */
function randomOf(seed: string): () => number {
  let state = Number(Bun.hash.crc32(seed))
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
