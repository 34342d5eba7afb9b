import { type Detail, detail } from "../../base/errors.ts"
import type { LeftOut } from "./document.ts"

/**
 * What a page holds at most. Reading costs time for each character, line and tag; a page of more lines or
 * tags has ten characters for each at most, where real ones have twenty and more.
 */
export const pageLimits = {
  characters: 5 * 1024 * 1024,
  lines: 500_000,
  tags: 500_000,
  headingCharacters: 300,
  anchorCharacters: 300,
  frontMatterCharacters: 64 * 1024,
  urlCharacters: 2048,
}

/** A title as it is said again with each passage. */
export function shortTitle(title: string): string {
  const { headingCharacters } = pageLimits
  const said =
    title.length <= headingCharacters ? title : `${title.slice(0, headingCharacters - 1).trimEnd()}…`
  return said.toWellFormed()
}

export function tooManyLines(text: string): LeftOut | undefined {
  const most = pageLimits.lines
  return tooMany(text, "\n", most, detail("reading.tooManyLines", { most }))
}

export function tooManyTags(html: string): LeftOut | undefined {
  const most = pageLimits.tags
  return tooMany(html, "<", most, detail("reading.tooManyTags", { most }))
}

/** A page that holds more than `most` of that mark is left out. */
function tooMany(text: string, mark: string, most: number, why: Detail): LeftOut | undefined {
  return countOf(text, mark, most + 1) <= most ? undefined : { leftOut: "too_large", detail: why }
}

export function tooLong(text: string): LeftOut | undefined {
  const most = pageLimits.characters
  if (text.length <= most) return undefined
  return { leftOut: "too_large", detail: detail("reading.tooManyCharacters", { most }) }
}

/** How often a mark stands in a text; `most` when it is that or more. */
export function countOf(text: string, mark: string, most = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1 && count < most; at = text.indexOf(mark, at + 1)) count++
  return count
}
