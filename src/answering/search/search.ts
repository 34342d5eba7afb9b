import { ownTick, withTimeout } from "../../base/async.ts"
import { buildHeadingIndex, type HeadingIndex } from "../../index/lance/heading-index.ts"
import type { PassageIndex, RankedPassage } from "../../index/lance/lance.ts"
import type { Passage } from "../../reading/formats/document.ts"
import { datedTitle } from "../../reading/formats/post.ts"
import { standingFor } from "../retrieval/standing.ts"
import { findByText, markedExcerpt } from "./found-by-text.ts"
import { type MarkedText, type Marker, wordMarker } from "./marked-text.ts"
import { matchWord, readQuery } from "./query.ts"
import { type RankedPage, rankHeadings } from "./rank-headings.ts"

/** A page that was found, with its sections that have the words. */
export interface FoundPage {
  title: MarkedText
  url: string
  sections: FoundSection[]
}

export interface FoundSection {
  title: MarkedText
  url: string
  /** The text around the words; null for a section that was found by its title. */
  excerpt: MarkedText | null
}

export const maxFoundPages = 8
export const maxFoundSections = 4
/** With so many pages whose titles have every word, the text of pages is not searched. */
const enoughPages = 4

/**
 * Finds pages for what a visitor has typed so far, best first: by the words of titles and headings, whose last one may
 * not be finished and any of which may be misspelt, then by the words of texts. The owner's synonyms count, and news
 * and the like stand behind others, as for a question. Keeps nothing. `q`: as it was typed, at most `maxQueryLength`;
 * `today` as in `RetrievalRequest`.
 */
export async function searchPages(index: PassageIndex, q: string, today?: string): Promise<FoundPage[]> {
  const headings = await headingsInTime(index)
  await ownTick()
  const words = readQuery(q, index).map((word) => matchWord(word, index, headings))
  if (words.length === 0) return []
  const mark = wordMarker(words, index.language)
  // Who searches by a title means what a programmer's reference names, too.
  const standing = standingFor(q, index.language, today, "reference")
  const { whole, partial } = rankHeadings(headings, words, standing, maxFoundPages)
  const byText = whole.length < enoughPages ? await findByText(index, words, standing) : []
  const pages = new Map<string, FoundPage>()
  for (const ranked of whole) addRanked(pages, index, headings, ranked, mark)
  for (const textHit of byText) addPassage(pages, index, textHit, mark)
  for (const ranked of partial) addRanked(pages, index, headings, ranked, mark)
  return [...pages.values()].slice(0, maxFoundPages)
}

/** A first search waits no longer for the titles of a large index: until they are there, texts alone are searched. */
const builtWithinMs = 1000
const noHeadings = buildHeadingIndex([], () => undefined, "fr")

async function headingsInTime(index: PassageIndex): Promise<HeadingIndex> {
  const late = new Error()
  try {
    return await withTimeout(index.headings(), builtWithinMs, () => late)
  } catch (error) {
    if (error === late) return noHeadings
    throw error
  }
}

function addRanked(
  pages: Map<string, FoundPage>,
  index: PassageIndex,
  { rows, sections: places }: HeadingIndex,
  { page, sections }: RankedPage,
  mark: Marker,
): void {
  const passage = index.passage(rows[page] as number)
  if (!passage) return
  const foundPage = getOrAddPage(pages, index, passage, mark)
  for (const entry of sections) {
    const own = index.passage(rows[entry] as number)
    const section = own?.sections?.[places[entry] as number]
    const title = section ? section.heading : own?.headings.at(-1)
    if (own && title)
      addSection(foundPage, { title: mark(title), url: section?.url ?? own.url, excerpt: null })
  }
}

/** Shows a passage at the first of its sections that has a word. */
function addPassage(
  pages: Map<string, FoundPage>,
  index: PassageIndex,
  { passage }: RankedPassage,
  mark: Marker,
): void {
  const { sections, headings, url, markdown } = passage
  const starts = sections ?? [{ from: 0, heading: headings.at(-1) ?? null, url }]
  for (const [at, { from, heading, url }] of starts.entries()) {
    const excerpt = markedExcerpt({ markdown: markdown.slice(from, sections?.[at + 1]?.from) }, mark)
    if (!excerpt && at < starts.length - 1) continue
    const foundPage = getOrAddPage(pages, index, passage, mark)
    addSection(foundPage, { title: mark(heading ?? passage.title), url, excerpt })
    return
  }
}

function getOrAddPage(
  pages: Map<string, FoundPage>,
  { language }: PassageIndex,
  passage: Passage,
  mark: Marker,
): FoundPage {
  const url = passage.url.split("#")[0] as string
  const present = pages.get(url)
  if (present) return present
  const foundPage = { title: mark(datedTitle(passage, language)), url, sections: [] }
  pages.set(url, foundPage)
  return foundPage
}

function addSection({ sections }: FoundPage, section: FoundSection): void {
  const isKnown = sections.some(({ url, title }) => url === section.url && title.text === section.title.text)
  if (!isKnown && sections.length < maxFoundSections) sections.push(section)
}
