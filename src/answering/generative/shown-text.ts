import type { Passage } from "../../reading/formats/document.ts"
import { withoutLinks } from "../../reading/formats/link.ts"

/**
 * A prompt shows the first 6,000 characters of a passage without link targets; these lie within the first
 * 20,000 with them. The limit matters because code is never split and may be megabytes long.
 */
const maxCharacters = 20_000

/** The text of a passage that sentences of an answer are verified against. A model sees no link. */
export function shownText({ title, headings, markdown }: Passage): string {
  return [title, ...headings, withoutLinks(markdown)].join("\n").slice(0, maxCharacters)
}
