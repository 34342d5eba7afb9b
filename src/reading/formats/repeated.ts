import { sha256 } from "../../base/hash.ts"
import { openBatches } from "../../db/search.ts"
import { markdownBlocks } from "./blocks.ts"
import type { Document, LeftOutPart, Section } from "./document.ts"
import { withoutLinks } from "./link.ts"

/** Text that the pages of a site have in common: hashes of blocks, and titles. */
export interface RepeatedText {
  blocks: ReadonlySet<string>
  titles: ReadonlySet<string>
}

export const noRepeatedText: RepeatedText = { blocks: new Set(), titles: new Set() }

export function repeatedTextJson({ blocks, titles }: RepeatedText): string {
  return JSON.stringify({ blocks: [...blocks], titles: [...titles] })
}

export function parseRepeatedText(json: string): RepeatedText {
  const { blocks, titles } = JSON.parse(json) as { blocks: string[]; titles: string[] }
  return { blocks: new Set(blocks), titles: new Set(titles) }
}

/** Identifies a block of text by its words, whatever its links. */
export function blockHash(markdown: string): string {
  return sha256(withoutLinks(markdown).replace(/\s+/g, " ").trim()).slice(0, 16)
}

/** Pages that must say a text in doubt, or any other text or title, before it counts as repeated. */
const minPages = { inDoubt: 3, any: 4 }
/** Share of the pages for text that nothing but its repetition tells from the pages' own. */
const minShare = 0.6
/** Blocks of one page that are looked at from either end; a page that repeats a menu does so there. */
const maxEdgeBlocks = 40
/** Blocks that one site may repeat. */
const maxRepeated = 1000

/** Compares HTML pages of one site. */
export async function repeatedIn(pages: AsyncIterable<Document>): Promise<RepeatedText> {
  const blocks = new Map<string, { pages: number; doubts: number }>()
  const titles = new Map<string, number>()
  let count = 0
  for await (const page of pages) {
    count++
    const doubtful = new Set(page.html?.doubtful)
    for (const hash of new Set([...edgeBlocks(page), ...doubtful])) {
      const seen = blocks.get(hash) ?? { pages: 0, doubts: 0 }
      blocks.set(hash, { pages: seen.pages + 1, doubts: seen.doubts + (doubtful.has(hash) ? 1 : 0) })
    }
    titles.set(page.title, (titles.get(page.title) ?? 0) + 1)
  }
  const most = Math.max(minPages.any, Math.ceil(count * minShare))
  const isRepeated = (seen: { pages: number; doubts: number }) =>
    seen.pages >= most || seen.doubts >= minPages.inDoubt
  const hashes = [...blocks].flatMap(([hash, seen]) => (isRepeated(seen) ? [hash] : []))
  const names = [...titles].flatMap(([title, pages]) => (pages >= most ? [title] : []))
  return { blocks: new Set(hashes.sort().slice(0, maxRepeated)), titles: new Set(names.sort()) }
}

/**
 * The page without what its site repeats, and with a title of its own. The home page keeps everything, so that what
 * stands on each page, such as a telephone number, is read once; so does a page that says nothing else. A long page is
 * compared in portions, with requests in between.
 */
export async function withoutRepeated(
  page: Document,
  repeated: RepeatedText | undefined,
): Promise<{ document: Document; parts: LeftOutPart[] }> {
  if (!repeated || !page.html || page.format || page.path === "index") return { document: page, parts: [] }
  const { blocks, titles } = repeated
  const parts: LeftOutPart[] = []
  const sections = blocks.size === 0 ? page.sections : await keptSections(page.sections, blocks, parts)
  const title = titles.has(page.title) ? ownTitle(page, sections, repeated) : page.title
  if (sections.every(({ markdown }) => markdown === "")) return { document: { ...page, title }, parts: [] }
  return { document: { ...page, title, sections }, parts }
}

async function keptSections(
  sections: readonly Section[],
  hashes: ReadonlySet<string>,
  parts: LeftOutPart[],
): Promise<Section[]> {
  const turns = openBatches()
  const remaining: Section[] = []
  for (const section of sections) {
    const blocks = markdownBlocks(section.markdown)
    const left: string[] = []
    for (const block of blocks) {
      await turns.add([block])
      if (!hashes.has(blockHash(block))) left.push(block)
      else parts.push({ reason: "repeated", text: withoutLinks(block).slice(0, 300).toWellFormed() })
    }
    if (left.length === blocks.length) remaining.push(section)
    else if (left.length > 0) remaining.push({ ...section, markdown: left.join("\n\n") })
  }
  return remaining
}

function ownTitle({ title, html }: Document, sections: Section[], { titles }: RepeatedText): string {
  const candidates = [html?.otherTitle, sections.find(({ headings }) => headings.length > 0)?.headings[0]]
  return candidates.find((one) => one && !titles.has(one)) ?? title
}

/** Hashes of the blocks near both ends of a page; code and tables are never repeated by chance. */
function edgeBlocks({ sections }: Document): string[] {
  const first: string[] = []
  const last: string[] = []
  for (const { markdown } of sections) {
    if (first.length >= maxEdgeBlocks) break
    first.push(...markdownBlocks(markdown).slice(0, maxEdgeBlocks))
  }
  for (const { markdown } of sections.toReversed()) {
    if (last.length >= maxEdgeBlocks) break
    last.push(...markdownBlocks(markdown).slice(-maxEdgeBlocks).toReversed())
  }
  const edges = [...first.slice(0, maxEdgeBlocks), ...last.slice(0, maxEdgeBlocks)]
  return edges.filter((block) => !/^(?:```|\|)/.test(block)).map(blockHash)
}
