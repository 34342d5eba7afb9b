import type { Document } from "../../formats/document.ts"

/** A page that was read and names another address of the site as its own. */
export interface Claim {
  page: string
  document: Document
  canonical: URL
}

/** A page that names another address is cited by that one, or by its own, or it repeats another page. */
export type SettledClaim = { claim: Claim } & (
  | { as: "canonical" | "itself" }
  | { as: "repetition"; of: string }
)

/**
 * Judges pages that name one canonical address: they are one page only when their texts are alike, because many sites
 * name their home page on all pages. A claim waits for the page at that address if the list holds it, else for a
 * second claim. Paths stand for addresses.
 */
export interface CanonicalClaims {
  claim(path: string, claim: Claim, isListed: boolean): SettledClaim[]
  /** The page at the path was read, or could not be. Settles the claims that wait for it. */
  read(path: string, page: string, document: Pick<Document, "sections"> | undefined): SettledClaim[]
  /** No page follows: the claims that still wait are the only ones for their addresses. */
  end(): SettledClaim[]
}

/** Claims wait with their whole documents. */
const maxWaiting = 50

/** `lostBefore`: paths of pages that are not read again, so that their texts are unknown. */
export function canonicalClaims(lostBefore: Iterable<string>): CanonicalClaims {
  const lost = new Set(lostBefore)
  const repetitions = new Set<string>()
  /** The page that stands for a path. */
  const standing = new Map<string, { page: string; sketch: Uint32Array }>()
  const waiting = new Map<string, Claim[]>()

  function judged(path: string, claim: Claim): SettledClaim {
    const { page, document } = claim
    const sketch = textSketch(document)
    const first = standing.get(path)
    // When two pages name each other, one stays.
    if (first && !repetitions.has(first.page) && areAlike(first.sketch, sketch)) {
      repetitions.add(page)
      return { claim, as: "repetition", of: first.page }
    }
    if (!first) standing.set(path, { page, sketch })
    return { claim, as: "itself" }
  }

  function settle(path: string): SettledClaim[] {
    const claims = waiting.get(path) ?? []
    waiting.delete(path)
    return claims.map((claim) => judged(path, claim))
  }

  /** The first of the claims for a path that no listed page has. It is cited by that path unless another differs. */
  function settleUnlisted(path: string): SettledClaim[] {
    const [first, ...others] = settle(path)
    if (!first) return []
    const isOne = others.every(({ as }) => as === "repetition")
    return [isOne ? { claim: first.claim, as: "canonical" } : first, ...others]
  }

  return {
    claim(path, claim, isListed) {
      if (standing.has(path) || lost.has(path)) return [judged(path, claim)]
      const claims = waiting.get(path) ?? []
      waiting.set(path, [...claims, claim])
      if (!isListed && claims.length > 0) return settleUnlisted(path)
      const [oldest] = waiting.keys()
      if (oldest === undefined || waiting.size + claims.length <= maxWaiting) return []
      return isListed ? settle(path) : settleUnlisted(oldest)
    },
    read(path, page, document) {
      if (document) standing.set(path, { page, sketch: textSketch(document) })
      else lost.add(path)
      return settle(path)
    },
    end: () => [...waiting.keys()].flatMap(settleUnlisted),
  }
}

const sketchSize = 16

/** The smallest hashes of a text's lines: two texts share as many of them as they share lines. */
function textSketch({ sections }: Pick<Document, "sections">): Uint32Array {
  const lines = sections.flatMap(({ headings, markdown }) => [headings.at(-1) ?? "", ...markdown.split("\n")])
  const hashes = new Set(lines.filter((line) => line.trim() !== "").map((line) => Bun.hash.xxHash32(line)))
  return Uint32Array.from(hashes).sort().slice(0, sketchSize)
}

/** Whether all but a line in seven are the same: a page for printing has one date more. */
function areAlike(one: Uint32Array, other: Uint32Array): boolean {
  const both = Uint32Array.from(new Set([...one, ...other]))
    .sort()
    .slice(0, sketchSize)
  return both.filter((hash) => one.includes(hash) && other.includes(hash)).length >= both.length * 0.85
}
