import { type Detail, detail } from "../../base/errors.ts"
import type { LeftOut } from "./document.ts"

/**
 * The most that a page may hold. Reading costs time for each character, line and tag. A real page has twenty
 * characters and more for each line and each tag; these limits allow ten.
 */
export const pageLimits = {
  characters: 5 * 1024 * 1024,
  lines: 500_000,
  tags: 500_000,
  /** Titles and headings are repeated with each passage. The longest seen have 180 characters. */
  headingCharacters: 300,
  anchorCharacters: 300,
  /** All addresses of links together; they are stored with the text. */
  linkCharacters: 500_000,
  frontMatterCharacters: 64 * 1024,
  /** All browsers and servers accept addresses of this length. */
  urlCharacters: 2048,
}

/** A page title, cut to the length of a heading because each passage repeats it. */
export function truncateTitle(title: string): string {
  const { headingCharacters } = pageLimits
  const text =
    title.length <= headingCharacters ? title : `${title.slice(0, headingCharacters - 1).trimEnd()}…`
  return text.toWellFormed()
}

export function tooManyLines(text: string): LeftOut | undefined {
  const most = pageLimits.lines
  return tooMany(text, "\n", most, detail("reading.tooManyLines", { most }))
}

export function tooManyTags(html: string): LeftOut | undefined {
  const most = pageLimits.tags
  return tooMany(html, "<", most, detail("reading.tooManyTags", { most }))
}

/** Leaves a page out that holds `mark` more than `most` times. */
function tooMany(text: string, mark: string, most: number, why: Detail): LeftOut | undefined {
  return countOccurrences(text, mark, most + 1) <= most ? undefined : { leftOut: "too_large", detail: why }
}

export function tooLong(text: string): LeftOut | undefined {
  const most = pageLimits.characters
  if (text.length <= most) return undefined
  return { leftOut: "too_large", detail: detail("reading.tooManyCharacters", { most }) }
}

/** Occurrences of `mark` in the text, counted up to `max`. */
export function countOccurrences(text: string, mark: string, max = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1 && count < max; at = text.indexOf(mark, at + 1)) count++
  return count
}
