import { type Detail, detail } from "../base/errors.ts"
import { pathMatcher } from "../base/path-matcher.ts"
import { decodedUri } from "../base/text.ts"
import type { LeftOut } from "./formats/document.ts"

/**
 * The pages of a feed that its owner wants. In a pattern `*` stands for anything within one segment of a path, `**`
 * for anything across segments: `guide/*`, `**\/changelog`, `blog/**`, `https://docs.exemple.fr/v2/**`.
 */
export interface PagePatterns {
  /** Only pages that match one of these are read; without any, all of them. */
  include?: string[]
  /** Pages that match one of these are not read. */
  exclude?: string[]
}

/** Matching costs time for each character of an address, each pattern and each wildcard. */
export const patternLimits = { patterns: 20, characters: 200, wildcards: 5 }

/** Why these are no patterns; undefined when they are. */
export function patternProblem(patterns: readonly string[]): Detail | undefined {
  const { patterns: most, characters, wildcards } = patternLimits
  if (patterns.length > most) return detail("reading.tooManyPatterns", { most })
  const bad = patterns.find(
    (pattern) =>
      pattern === "" ||
      pattern.length > characters ||
      /\s/.test(pattern) ||
      pattern.split(/\*+/).length - 1 > wildcards,
  )
  if (bad === undefined) return undefined
  return detail("reading.badPattern", { pattern: bad.slice(0, characters), characters, wildcards })
}

/** Why a page is not wanted; undefined when it is. `names`: every spelling of its path, without the first slash. */
export type PageFilter = (names: readonly string[], origin?: string) => LeftOut | undefined

export function pageFilter({ include = [], exclude = [] }: PagePatterns): PageFilter {
  const included = include.map(patternMatcher)
  const excluded = exclude.map((pattern) => ({ pattern, matches: patternMatcher(pattern) }))
  return (names, origin) => {
    const by = excluded.find(({ matches }) => matches(names, origin))
    if (by) return { leftOut: "excluded", detail: detail("reading.excludedBy", { pattern: by.pattern }) }
    if (include.length === 0 || included.some((matches) => matches(names, origin))) return undefined
    return { leftOut: "excluded", detail: detail("reading.notIncluded") }
  }
}

/** The spellings of a page's path that a pattern may mean: with and without a final slash, with its query. */
export function namesOfUrl({ pathname, search }: URL): string[] {
  const path = decodedUri(pathname).replace(/^\/+/, "")
  const bare = path.endsWith("/") ? path.slice(0, -1) : path
  return [bare, `${bare}/`, ...(search ? [path + search] : [])]
}

/** The same for a file: with and without its extension; an index is the page of its folder. */
export function namesOfFile(page: string): string[] {
  const stem = page.replace(/\.[^./]*$/, "")
  const folder = /^(.*\/)?(?:_?index|readme)$/i.exec(stem)
  return [page, stem, `${stem}/`, ...(folder ? [folder[1] ?? "", (folder[1] ?? "").slice(0, -1)] : [])]
}

function patternMatcher(pattern: string): (names: readonly string[], origin?: string) => boolean {
  const absolute = /^(https?:\/\/[^/]*)\/*/i.exec(pattern)
  const matches = pathMatcher(
    decodedUri(absolute ? pattern.slice(absolute[0].length) : pattern.replace(/^\/+/, "")),
  )
  return (names, origin) =>
    (absolute === null || absolute[1]?.toLowerCase() === origin) && names.some(matches)
}
