import { withoutLinks } from "../documents/link.ts"
import type { Unit } from "./units.ts"

/** Longer code is not quoted. */
export const maxCodeLines = 30
/**
 * A list of at most this many words is quoted whole, a longer one by its relevant items. The bound of a
 * numbered list is higher, because its steps are only useful together.
 */
const maxListWords = 60
const maxStepsWords = 250

/**
 * Range of units that a quotation needs around one unit: it begins at `from` if it begins with the unit, and
 * ends at `to`, inclusive, if it ends with the unit. Both are indexes into the list of units.
 */
export interface QuoteContext {
  from: number
  to: number
}

/**
 * Adds to each unit the context that a reader needs to understand it. This is the line that introduces a
 * list or a code block, the code or list that a line introduces, the sentence that a leading pronoun
 * refers to, and the rest of a short list. A unit's range follows from its neighbour's, so one pass in
 * each direction is enough.
 */
export function withContext<Piece extends Unit>(units: readonly Piece[]): (Piece & QuoteContext)[] {
  const shortLists = shortListsOf(units)
  const first: number[] = []
  for (const [at, unit] of units.entries())
    first.push(needsBefore(units[at - 1], unit, shortLists) ? (first[at - 1] as number) : at)
  const last: number[] = []
  for (let at = units.length - 1; at >= 0; at--) last[at] = lastOf(units, at, last[at + 1] ?? at, shortLists)
  return units.map((unit, at) => ({ ...unit, from: first[at] as number, to: last[at] as number }))
}

function needsBefore(before: Unit | undefined, unit: Unit, shortLists: ReadonlySet<number>): boolean {
  if (!before) return false
  if (unit.kind === "item" && before.block === unit.block) return shortLists.has(unit.block)
  const isIntroduced =
    (unit.kind === "item" || unit.kind === "code" || unit.kind === "table") && before.kind === "sentence"
  const hasReferent = before.kind === "sentence" || before.kind === "code"
  const refersBack =
    unit.kind === "sentence" && hasReferent && backReference.test(withoutLinks(unit.markdown))
  return isIntroduced || refersBack || before.kind === "label"
}

/** `lastOfNext`: where a quotation ends that ends with the next unit. */
function lastOf(
  units: readonly Unit[],
  at: number,
  lastOfNext: number,
  shortLists: ReadonlySet<number>,
): number {
  const unit = units[at] as Unit
  const after = units[at + 1]
  if (!after) return at
  if (unit.kind === "item" && after.block === unit.block) return shortLists.has(unit.block) ? lastOfNext : at
  if (unit.kind === "label") return lastOfNext
  const isText = unit.kind === "sentence" || unit.kind === "item"
  if (isText && isIntroduction(unit) && after.block !== unit.block) return lastOfNext
  const isFollowedByCode =
    unit.kind === "sentence" && after.kind === "code" && after.codeLines <= maxCodeLines
  return isFollowedByCode ? at + 1 : at
}

/** Block numbers of the lists that are quoted whole. */
function shortListsOf(units: readonly Unit[]): ReadonlySet<number> {
  const lists = new Map<number, { words: number; maxWords: number }>()
  for (const unit of units) {
    if (unit.kind !== "item") continue
    const list = lists.get(unit.block)
    if (list) list.words += unit.words
    else lists.set(unit.block, { words: unit.words, maxWords: isStep(unit) ? maxStepsWords : maxListWords })
  }
  return new Set([...lists].filter(([, { words, maxWords }]) => words <= maxWords).map(([block]) => block))
}

function isIntroduction({ markdown }: Unit): boolean {
  return markdown.trimEnd().endsWith(":")
}

/** True for an item of a numbered list. */
export function isStep({ kind, markdown }: Unit): boolean {
  return kind === "item" && /^\d/.test(markdown)
}

/**
 * The line that introduces the list of the item `at`, if the item is quoted without the ones before it. The
 * line matters: it may say that the listed things are allowed, or that they are forbidden.
 */
export function introductionOf<Piece extends Unit>(units: readonly Piece[], at: number): Piece | undefined {
  const { kind, block } = units[at] as Piece
  if (kind !== "item") return undefined
  const first = units.findIndex((unit) => unit.block === block)
  const before = units[first - 1]
  return first < at && before?.kind === "sentence" && isIntroduction(before) ? before : undefined
}

/**
 * The beginning of a sentence that refers to the sentence or code before it: `Cela`, `Cette méthode`,
 * `However`.
 */
const backReference =
  /^(?:cela|ceci|cette?|ces|c['’]est|ce (?:sont|qui|n['’]est)|il|elle|ils|elles|celui|celle|ceux|celles|ainsi|cependant|toutefois|mais|or|donc|de même|en effet|par conséquent|sinon|this|these|that|those|it|they|however|but|so|thus|therefore|otherwise|instead|also|par exemple|dans ce cas|de plus|pour cela|pour ce faire|notez|for example|in this case|to do (?:so|this)|note that|as a result|in addition(?! to))(?![\p{L}-])/iu
