import type { Document, Passage, Section } from "../document.ts"
import { pageKindOf } from "../page-kind.ts"
import { blocksOf, countWords, splitBlock } from "./blocks.ts"
import { maxPassageCharacters, shortUrl, splitLargeBlock, withShortHeadings } from "./size-limits.ts"

/** Change it whenever the same document gives other passages: older indexes are then built again. */
export const splitterVersion = "5"

/**
 * A passage is shown as one source and has one score. In a longer passage the sentences that answer drown
 * among others, and the anchor opens too far above them. Parts are cut evenly: a section of 360 words gives
 * two of 180.
 */
const maxWords = 350
/**
 * A lead-in ("There are two ways:") answers nothing alone, and would score too well because it is short. It
 * joins the section that it introduces.
 */
const maxLeadInWords = 30
/** Sections of this size are a list in all but form. Entries of a glossary are longer and stand alone. */
const maxTinyWords = 25
/** Tiny sections are joined up to this size. */
const maxJoinedWords = 150

interface Draft {
  headings: string[]
  anchor: string | null
  markdown: string
  words: number
  /** Whether it joins tiny sections, and may take another one. */
  isJoined?: boolean
  /** Whether it goes on from the draft before it. */
  continues?: true
  /** Where each of its sections begins. */
  starts: Start[]
}

/** The beginning of a section in a draft. */
interface Start {
  /** Offset in the draft's Markdown, in UTF-16 code units. */
  from: number
  heading: string | null
  anchor: string | null
}

/**
 * Splits a document into passages in reading order, each with title, heading path and url of its own. They
 * hold all the text of the document's sections, and none exceeds the limits of `size-limits.ts`.
 */
export function splitDocument(whole: Document): Passage[] {
  const document = withShortHeadings(whole)
  const kind = pageKindOf(document)
  const drafts: Draft[] = document.sections
    .map((section) => ({ ...section, words: countWords(section.markdown), starts: [startOf(section)] }))
    .filter(({ words }) => words > 0)
  const urlOf = (anchor: string | null) =>
    anchor === null ? document.url : shortUrl(`${document.url}#${encodeURI(anchor)}`)
  return joinSmall(drafts)
    .flatMap(splitLong)
    .map(({ headings, anchor, markdown, starts, continues }, index) => ({
      // The url tells pages of one path in two feeds apart.
      key: `${document.path}#${index + 1} ${document.url}`,
      document: document.path,
      url: urlOf(anchor),
      title: document.title,
      headings,
      markdown,
      ...(kind && { kind }),
      ...(continues && { continues }),
      ...(starts.length > 1 && {
        sections: starts.map(({ from, heading, anchor }) => ({ from, heading, url: urlOf(anchor) })),
      }),
    }))
}

function startOf({ headings, anchor }: Section): Start {
  return { from: 0, heading: headings.at(-1) ?? null, anchor }
}

function joinSmall(drafts: Draft[]): Draft[] {
  const joined: Draft[] = []
  for (const draft of drafts) {
    const before = joined.at(-1)
    const both = before && (joinLeadIn(before, draft) ?? joinTinySections(before, draft))
    if (both && both.markdown.length <= maxPassageCharacters) joined[joined.length - 1] = both
    else joined.push(draft)
  }
  return joined
}

/**
 * Joins a parent's lead-in to its first subsection, under the subsection's heading. The anchor is the
 * parent's, because the text begins there.
 */
function joinLeadIn(before: Draft, draft: Draft): Draft | undefined {
  const isParent = before.headings.length < draft.headings.length && isUnder(draft, before.headings)
  if (
    !isParent ||
    before.isJoined ||
    before.words > maxLeadInWords ||
    draft.words > maxWords - maxLeadInWords
  )
    return undefined
  return { ...draft, anchor: before.anchor, ...concatenated(before, draft) }
}

/**
 * Joins tiny sections of one parent under the parent's heading, each below its own heading as a bold line.
 */
function joinTinySections(before: Draft, draft: Draft): Draft | undefined {
  const parent = draft.headings.slice(0, -1)
  const isFirst = before.headings.length === draft.headings.length && before.words <= maxTinyWords
  const continues = before.isJoined && before.headings.length === parent.length
  if (
    draft.headings.length === 0 ||
    draft.words > maxTinyWords ||
    before.words + draft.words > maxJoinedWords
  )
    return undefined
  if (!isUnder(before, parent) || !(continues || isFirst)) return undefined
  return {
    headings: parent,
    anchor: before.anchor,
    isJoined: true,
    ...concatenated(continues ? before : withHeading(before), withHeading(draft)),
  }
}

type Text = Pick<Draft, "markdown" | "words" | "starts">

/** Inserts the last section's heading above its own text, which is below the lead-in if there is one. */
function withHeading({ markdown, words, starts }: Text): Text {
  const { from, heading } = starts.at(-1) as Start
  const title = `**${heading}**`
  return {
    markdown: `${markdown.slice(0, from)}${title}\n\n${markdown.slice(from)}`,
    words: words + countWords(title),
    starts,
  }
}

function isUnder({ headings }: Draft, parent: string[]): boolean {
  return parent.every((heading, at) => headings[at] === heading)
}

function concatenated(one: Text, other: Text): Text {
  const before = `${one.markdown}\n\n`
  const later = other.starts.map((start) => ({ ...start, from: start.from + before.length }))
  return {
    markdown: before + other.markdown,
    words: one.words + other.words,
    starts: [...one.starts, ...later],
  }
}

function splitLong(draft: Draft): Draft[] {
  if (draft.words <= maxWords && draft.markdown.length <= maxPassageCharacters) return [draft]
  const blocks = blocksOf(draft.markdown).flatMap((block) =>
    splitBlock(block, maxWords).flatMap(splitLargeBlock),
  )
  const targetWords = draft.words / Math.ceil(draft.words / maxWords)
  const parts: Draft[] = []
  let part: string[] = []
  let words = 0
  let characters = 0
  for (const block of blocks) {
    const more = countWords(block)
    // The part ends before or after this block, whichever is closer to the target. A line that introduces the
    // next block stays with it.
    const isLonger = words + more > maxWords || targetWords - words < words + more - targetWords
    if (part.length > 0 && ((words > 0 && isLonger) || !fits(block))) {
      const introduction = part.length > 1 && /:$/.test(part.at(-1) ?? "") ? part.pop() : undefined
      end()
      if (introduction !== undefined) add(introduction)
      if (!fits(block)) end()
    }
    add(block)
  }
  end()
  return parts

  function fits(block: string): boolean {
    return characters + block.length <= maxPassageCharacters
  }

  function add(block: string): void {
    part.push(block)
    words += countWords(block)
    characters += block.length + "\n\n".length
  }

  function end(): void {
    const markdown = part.join("\n\n")
    parts.push({
      ...draft,
      ...(parts.length > 0 && { continues: true }),
      markdown,
      words: countWords(markdown),
    })
    part = []
    words = 0
    characters = 0
  }
}
