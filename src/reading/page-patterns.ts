import { type Detail, detail } from "../base/errors.ts"
import { decodedUri } from "../base/text.ts"
import type { LeftOut } from "./formats/document.ts"

/**
 * The pages of a feed that its owner wants. In a pattern `*` stands for anything within one segment of a path, `**`
 * for anything across segments: `guide/*`, `**\/changelog`, `blog/**`, `https://docs.exemple.fr/v2/**`.
 */
export interface PagePatterns {
  /** Only pages that match one of these are read; all of them when there is none. */
  include?: readonly string[] | undefined
  /** Pages that match one of these are not read. */
  exclude?: readonly string[] | undefined
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
  const included = include.map(matcherOf)
  const excluded = exclude.map((pattern) => ({ pattern, matches: matcherOf(pattern) }))
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

/** A step of a pattern: a character, or one of the wildcards. */
type Step = string
const oneOfSegment = "*1"
const restOfSegment = "*"
const anything = "**"
/** Before `**` and a slash: the three may stand for nothing. */
const optionalFolders = "**?"

function matcherOf(pattern: string): (names: readonly string[], origin?: string) => boolean {
  const absolute = /^(https?:\/\/[^/]*)\/*/i.exec(pattern)
  const matches = pathMatcher(
    decodedUri(absolute ? pattern.slice(absolute[0].length) : pattern.replace(/^\/+/, "")),
  )
  return (names, origin) =>
    (absolute === null || absolute[1]?.toLowerCase() === origin) && names.some(matches)
}

/** Whether a path matches a pattern without a site's address. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const steps = stepsOf(pattern)
  return (path) => matchesSteps(steps, path)
}

function stepsOf(path: string): Step[] {
  const steps: Step[] = []
  for (const [found] of path.matchAll(/\*+|[^*]/g)) {
    const isSegmentStart = steps.length === 0 || steps.at(-1) === "/"
    if (!found.startsWith("*")) steps.push(found)
    else if (found.length > 1) steps.push(...(isSegmentStart ? [optionalFolders] : []), anything)
    else steps.push(...(isSegmentStart ? [oneOfSegment] : []), restOfSegment)
  }
  return steps.flatMap((step, at) => (step === optionalFolders && steps[at + 2] !== "/" ? [] : [step]))
}

/** Follows all ways through the pattern at once, so that no address makes it try again. */
function matchesSteps(steps: readonly Step[], name: string): boolean {
  /** The character up to which each step was reached last. */
  const reachedBy = new Int32Array(steps.length + 4).fill(-1)
  let reached: number[] = []
  let next: number[] = []
  reach(0, 0)
  for (let from = 0; from < name.length; from++) {
    ;[reached, next] = [next, reached]
    next.length = 0
    const character = name[from] as string
    for (const at of reached) {
      const step = steps[at]
      if (step === anything || (step === restOfSegment && character !== "/")) reach(at, from + 1)
      else if (step === oneOfSegment ? character !== "/" : step === character) reach(at + 1, from + 1)
    }
    if (next.length === 0) return false
  }
  return next.includes(steps.length)

  function reach(at: number, by: number): void {
    if (reachedBy[at] === by) return
    reachedBy[at] = by
    next.push(at)
    const step = steps[at]
    if (step === anything || step === restOfSegment || step === optionalFolders) reach(at + 1, by)
    if (step === optionalFolders) reach(at + 3, by)
  }
}
