import type { Passage } from "../documents/document.ts"

/**
 * A model is shown the first 6,000 characters of a passage, without the addresses of its links: they stand
 * within so many. What it says is held against these alone, since code is never cut and may be megabytes
 * long.
 */
const maxCharacters = 20_000

/** What a sentence on a passage may rest on. */
export function shownText({ title, headings, markdown }: Passage): string {
  return [title, ...headings, markdown].join("\n").slice(0, maxCharacters)
}
