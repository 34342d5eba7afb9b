import { countWords, isStatement, markdownBlocks, splitBlock } from "../formats/blocks.ts"
import type { Document, PageKind, Passage, Section } from "../formats/document.ts"
import { tellPageKind } from "../formats/page-kind.ts"
import { holdsUntil } from "../formats/post.ts"
import { maxPassageCharacters, shortUrl, splitLargeBlock, withShortHeadings } from "./size-limits.ts"

/** Change it whenever the same document gives other passages: older indexes are then built again. */
export const splitterVersion = "8"

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
  /** Its whole text is headings: which neighbours it joins, unless it is one of several tiny sections. */
  bare?: "next" | "children" | "previous" | "none"
  /** Where each of its sections begins. */
  starts: Start[]
  /** Where its text goes on at another anchor. */
  places: { from: number; anchor: string }[]
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
  const kind = tellPageKind(document)
  const drafts = sectionDrafts(document.sections)
  const keywords = whole.sections[0]?.keywords
  const urlOf = (anchor: string | null) =>
    anchor === null ? document.url : shortUrl(`${document.url}#${encodeURI(anchor)}`)
  return joinSmall(drafts)
    .flatMap(splitLong)
    .map(({ headings, anchor, markdown, starts, places, continues }, index) => ({
      // The url tells pages of one path in two feeds apart.
      key: `${document.path}#${index + 1} ${document.url}`,
      document: document.path,
      url: urlOf(anchor),
      title: document.title,
      headings,
      markdown,
      ...(kind && { kind }),
      ...dated([document.title, ...headings, markdown], document.published, kind),
      ...(continues && { continues }),
      ...(keywords && index === 0 && { keywords }),
      ...(starts.length > 1 && {
        sections: starts.map(({ from, heading, anchor }) => ({ from, heading, url: urlOf(anchor) })),
      }),
      ...(places.length > 0 && {
        places: places.map(({ from, anchor }) => ({ from, url: urlOf(anchor) })),
      }),
    }))
}

function dated(
  texts: readonly string[],
  published: string | undefined,
  kind: PageKind | undefined,
): Pick<Passage, "published" | "until"> {
  const until = holdsUntil(texts, published, kind)
  return { ...(published && { published }), ...(until && { until }) }
}

/**
 * A heading that states something is read as the first line of its text; without further text, any heading is, because
 * that may be all that the page says (« ## Tarif : 12 € »). One that only names the sections below it stands in their
 * paths.
 */
function sectionDrafts(sections: readonly Section[]): Draft[] {
  const hasText = sections.map(({ markdown }) => countWords(markdown) > 0)
  const below: (Section | undefined)[] = []
  for (let at = sections.length - 1; at >= 0; at--)
    below[at] = hasText[at + 1] ? sections[at + 1] : below[at + 1]
  let above: Section | undefined
  return sections.flatMap((section, at) => {
    const { headings, anchor, markdown, places = [] } = section
    const heading = headings.at(-1) ?? null
    const starts = [{ from: 0, heading, anchor }]
    const draft = { headings, anchor, markdown, words: countWords(markdown), starts, places }
    const states = heading !== null && isStatement(heading)
    if (hasText[at]) {
      above = section
      return states ? { ...draft, ...withHeading(draft) } : draft
    }
    const next = sections[at + 1]
    const isParent = next !== undefined && isUnder(next, headings)
    if (heading === null || countWords(heading) === 0 || (isParent && !states)) return []
    const bare = { ...draft, ...withHeading({ ...draft, markdown: "" }) }
    if (isParent) return { ...bare, bare: "children" as const }
    const isPart = (other: Section | undefined) => other && isUnder(other, headings.slice(0, -1))
    // « ### Recensement » above « ## Qui est concerné ? » is a title of the wrong level; a statement ends its section.
    if (isPart(below[at]) || (below[at] && !states)) return { ...bare, bare: "next" as const }
    return { ...bare, bare: isPart(above) ? ("previous" as const) : ("none" as const) }
  })
}

function titleLine(heading: string | null): string {
  return `**${heading}**`
}

function joinSmall(drafts: Draft[]): Draft[] {
  const joined: Draft[] = []
  for (const draft of drafts) {
    const before = joined.at(-1)
    const both =
      before && (joinLeadIn(before, draft) ?? joinTinySections(before, draft) ?? joinBare(before, draft))
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
  const text = before.bare ? withHeading(draft) : draft
  return { ...draft, anchor: before.anchor, ...concatenated(before, text) }
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
    draft.bare === "children" ||
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

/** Joins what is only headings to the section below it, or to the one that it ends. */
function joinBare(before: Draft, draft: Draft): Draft | undefined {
  if (before.words + draft.words > maxWords) return undefined
  if (before.bare === "next")
    return { ...draft, anchor: before.anchor, ...concatenated(before, withHeading(draft)) }
  return draft.bare === "previous" ? { ...before, ...concatenated(before, draft) } : undefined
}

type Text = Pick<Draft, "markdown" | "words" | "starts" | "places">

/**
 * Inserts the last section's heading above its own text, which is below the lead-in if there is one. A section that is
 * only its heading has it already.
 */
function withHeading({ markdown, words, starts, places }: Text): Text {
  const { from, heading } = starts.at(-1) as Start
  const title = titleLine(heading)
  if (markdown.startsWith(title, from)) return { markdown, words, starts, places }
  return {
    markdown: `${markdown.slice(0, from)}${title}\n\n${markdown.slice(from)}`.trimEnd(),
    words: words + countWords(title),
    starts,
    places: places.map((place) =>
      place.from > from ? { ...place, from: place.from + title.length + "\n\n".length } : place,
    ),
  }
}

function isUnder({ headings }: Pick<Draft, "headings">, parent: string[]): boolean {
  return parent.every((heading, at) => headings[at] === heading)
}

function concatenated(one: Text, other: Text): Text {
  const before = `${one.markdown}\n\n`
  const later = other.starts.map((start) => ({ ...start, from: start.from + before.length }))
  return {
    markdown: before + other.markdown,
    words: one.words + other.words,
    starts: [...one.starts, ...later],
    places: [...one.places, ...other.places.map((place) => ({ ...place, from: place.from + before.length }))],
  }
}

function splitLong(draft: Draft): Draft[] {
  if (draft.words <= maxWords && draft.markdown.length <= maxPassageCharacters) return [draft]
  let offset = 0
  const blocks = markdownBlocks(draft.markdown).flatMap((block) => {
    offset = Math.max(offset, draft.markdown.indexOf(block, offset))
    const anchor = draft.places.findLast(({ from }) => from <= offset)?.anchor ?? draft.anchor
    offset += block.length
    return splitBlock(block, maxWords)
      .flatMap(splitLargeBlock)
      .map((text) => ({ text, anchor }))
  })
  const targetWords = draft.words / Math.ceil(draft.words / maxWords)
  const parts: Draft[] = []
  let part: { text: string; anchor: string | null }[] = []
  let words = 0
  let characters = 0
  for (const block of blocks) {
    const more = countWords(block.text)
    // The part ends before or after this block, whichever is closer to the target. A line that introduces the
    // next block stays with it.
    const isLonger = words + more > maxWords || targetWords - words < words + more - targetWords
    if (part.length > 0 && ((words > 0 && isLonger) || !fits(block))) {
      const introduction = part.length > 1 && /:$/.test(part.at(-1)?.text ?? "") ? part.pop() : undefined
      end()
      if (introduction !== undefined) add(introduction)
      if (!fits(block)) end()
    }
    add(block)
  }
  end()
  return parts

  function fits({ text }: { text: string }): boolean {
    return characters + text.length <= maxPassageCharacters
  }

  function add(block: { text: string; anchor: string | null }): void {
    part.push(block)
    words += countWords(block.text)
    characters += block.text.length + "\n\n".length
  }

  function end(): void {
    const markdown = part.map(({ text }) => text).join("\n\n")
    const anchor = part[0]?.anchor ?? draft.anchor
    const places: Draft["places"] = []
    let from = 0
    for (const block of part) {
      const before = places.at(-1)?.anchor ?? anchor
      if (block.anchor !== null && block.anchor !== before) places.push({ from, anchor: block.anchor })
      from += block.text.length + "\n\n".length
    }
    parts.push({
      ...draft,
      anchor,
      places,
      ...(parts.length > 0 && { continues: true }),
      markdown,
      words: countWords(markdown),
    })
    part = []
    words = 0
    characters = 0
  }
}
