import type { Document, Passage, Section } from "./document.ts"
import { blocksOf, countWords, piecesOf } from "./pieces.ts"
import { maxCharacters, partsOf, shortUrl, withShortHeads } from "./size.ts"

/** Changes whenever the same document gives other passages: indexes built before are built again. */
export const splitterVersion = "4"

/**
 * A passage is what one source shows and what one score judges. Longer than this, the sentences that answer
 * drown in others and the anchor opens too far above them; parts are cut evenly, so a section of 360 words
 * gives two of 180.
 */
const maxWords = 350
/**
 * A lead-in ("There are two ways:") answers nothing alone and, being short, would score too well: it joins
 * what it leads to.
 */
const leadInWords = 30
/**
 * Sections as small as this are items of one list in all but form. Glossary entries are longer, and stand
 * alone.
 */
const tinyWords = 25
/** What joined pieces grow to at most. */
const joinedWords = 150

interface Draft {
  headings: string[]
  anchor: string | null
  markdown: string
  words: number
  /** Tiny sections joined: others may follow. */
  isJoined?: boolean
  /** The sections it is made of. */
  starts: Start[]
}

/** Where a section begins in a draft's Markdown. */
interface Start {
  from: number
  heading: string | null
  anchor: string | null
}

/**
 * Passages of a document in reading order, all text of its sections, each with title, heading path and url of
 * its own. Whatever the document, none is larger than `size.ts` says.
 */
export function splitDocument(whole: Document): Passage[] {
  const document = withShortHeads(whole)
  const drafts: Draft[] = document.sections
    .map((section) => ({ ...section, words: countWords(section.markdown), starts: [startOf(section)] }))
    .filter(({ words }) => words > 0)
  const urlOf = (anchor: string | null) =>
    anchor === null ? document.url : shortUrl(`${document.url}#${encodeURI(anchor)}`)
  return joined(drafts)
    .flatMap(parted)
    .map(({ headings, anchor, markdown, starts }, index) => ({
      // Folders of two feeds may each have a page of this path.
      key: `${document.path}#${index + 1} ${document.url}`,
      document: document.path,
      url: urlOf(anchor),
      title: document.title,
      headings,
      markdown,
      ...(starts.length > 1 && {
        sections: starts.map(({ from, heading, anchor }) => ({ from, heading, url: urlOf(anchor) })),
      }),
    }))
}

function startOf({ headings, anchor }: Section): Start {
  return { from: 0, heading: headings.at(-1) ?? null, anchor }
}

function joined(drafts: Draft[]): Draft[] {
  const passages: Draft[] = []
  for (const draft of drafts) {
    const before = passages.at(-1)
    const both = before && (leadIn(before, draft) ?? siblings(before, draft))
    if (both && both.markdown.length <= maxCharacters) passages[passages.length - 1] = both
    else passages.push(draft)
  }
  return passages
}

/**
 * The parent's few words join its first child under the child's heading; the anchor stays the parent's, just
 * above.
 */
function leadIn(before: Draft, draft: Draft): Draft | undefined {
  const isParent = before.headings.length < draft.headings.length && isUnder(draft, before.headings)
  if (!isParent || before.isJoined || before.words > leadInWords || draft.words > maxWords - leadInWords)
    return undefined
  return { ...draft, anchor: before.anchor, ...together(before, draft) }
}

/**
 * Tiny sections under one parent stand together under the parent's heading, each with its own as a bold line.
 */
function siblings(before: Draft, draft: Draft): Draft | undefined {
  const parent = draft.headings.slice(0, -1)
  const isFirst = before.headings.length === draft.headings.length && before.words <= tinyWords
  const goesOn = before.isJoined && before.headings.length === parent.length
  if (draft.headings.length === 0 || draft.words > tinyWords || before.words + draft.words > joinedWords)
    return undefined
  if (!isUnder(before, parent) || !(goesOn || isFirst)) return undefined
  return {
    headings: parent,
    anchor: before.anchor,
    isJoined: true,
    ...together(goesOn ? before : headed(before), headed(draft)),
  }
}

type Text = Pick<Draft, "markdown" | "words" | "starts">

/** Its heading stands above its own text, below a lead-in that it may have begun with. */
function headed({ markdown, words, starts }: Text): Text {
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

function together(one: Text, other: Text): Text {
  const before = `${one.markdown}\n\n`
  const later = other.starts.map((start) => ({ ...start, from: start.from + before.length }))
  return {
    markdown: before + other.markdown,
    words: one.words + other.words,
    starts: [...one.starts, ...later],
  }
}

function parted(draft: Draft): Draft[] {
  if (draft.words <= maxWords && draft.markdown.length <= maxCharacters) return [draft]
  const blocks = blocksOf(draft.markdown).flatMap((block) => piecesOf(block, maxWords).flatMap(partsOf))
  const aim = draft.words / Math.ceil(draft.words / maxWords)
  const parts: Draft[] = []
  let part: string[] = []
  let words = 0
  let characters = 0
  for (const block of blocks) {
    const more = countWords(block)
    // Ending here, or one block later: whichever comes closer to the aim. A line that introduces what follows
    // stays with it.
    const isLonger = words + more > maxWords || aim - words < words + more - aim
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
    return characters + block.length <= maxCharacters
  }

  function add(block: string): void {
    part.push(block)
    words += countWords(block)
    characters += block.length + "\n\n".length
  }

  function end(): void {
    const markdown = part.join("\n\n")
    parts.push({ ...draft, markdown, words: countWords(markdown) })
    part = []
    words = 0
    characters = 0
  }
}
