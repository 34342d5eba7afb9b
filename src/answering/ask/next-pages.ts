import type { Language } from "../../accounts/project.ts"
import { oneLine } from "../../base/text.ts"
import { withoutLinks } from "../../reading/formats/link.ts"
import { datedTitle } from "../../reading/formats/post.ts"
import type { NextPlace } from "../extractive/next-places.ts"
import { quotedSection, withoutForeignMarkers } from "./citations.ts"

/** A page that may help, at the section that came nearest: in place of an answer, or beside one. */
export interface RelatedPage {
  title: string
  section: string | null
  url: string
  /** Its lines that come nearest, in simple Markdown: at most `maxExcerptCharacters`. */
  excerpt?: string
}

export const maxExcerptCharacters = 400
/** Code is never split, and may be megabytes long. */
const maxReadCharacters = 5 * maxExcerptCharacters

/** The places ranked just below the cited ones, with their text, for a visitor whom the answer does not help. */
export function nextPages(places: readonly NextPlace[], language: Language): RelatedPage[] {
  return places.map((place) => pageAt(place, language)).filter(({ excerpt }) => excerpt !== undefined)
}

/** A place of the documentation, with its text where it has any that may be shown. */
export function pageAt(place: NextPlace, language: Language): RelatedPage {
  const [passage] = place.passages
  const { heading: section, url } = quotedSection(passage, place)
  const text = withoutForeignMarkers(place.markdown)
  return {
    title: datedTitle(passage, language),
    section,
    url,
    ...(text !== undefined && { excerpt: textExcerpt(text) }),
  }
}

/** A longer text is cut, and its Markdown with it: what opens a block or a link may stand before the cut alone. */
function textExcerpt(markdown: string): string {
  if (markdown.length <= maxExcerptCharacters) return markdown
  const text = withoutLinks(markdown.slice(0, maxReadCharacters))
    .replace(/^ *(?:```|~~~).*$/gm, " ")
    .replace(/^[ \t|:-]+$/gm, " ")
    .replace(/[*`|]/g, " ")
  return oneLine(text, maxExcerptCharacters - 1)
}
