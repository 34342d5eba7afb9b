import type { Unit } from "./units.ts"

/** More of it is not quoted. */
export const mostCodeLines = 30
/**
 * A list up to this long is quoted whole; of a longer one, the items in question. Steps are of use together,
 * or not at all.
 */
const mostListWords = 60
const mostStepsWords = 250

/**
 * Where a quotation begins that shall begin with a unit, and ends that shall end with it; `from` and `to` are
 * places in the same list.
 */
export interface Completed {
  from: number
  to: number
}

/**
 * For each unit, what a quotation of it cannot be understood without: the line that introduces a list or a
 * code block, the code or list that a line introduces, what a pronoun at the beginning points to, the rest of
 * a short list. What a unit needs is what its neighbour needs or one step more, so that one pass in each
 * direction is enough.
 */
export function completed<Piece extends Unit>(units: readonly Piece[]): (Piece & Completed)[] {
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
  const introduced =
    (unit.kind === "item" || unit.kind === "code" || unit.kind === "table") && before.kind === "sentence"
  const isPointedAt = before.kind === "sentence" || before.kind === "code"
  const isPointing = unit.kind === "sentence" && isPointedAt && pointing.test(unit.markdown)
  return introduced || isPointing || before.kind === "label"
}

/** `afterwards`: where a quotation ends that shall end with the unit after it. */
function lastOf(
  units: readonly Unit[],
  at: number,
  afterwards: number,
  shortLists: ReadonlySet<number>,
): number {
  const unit = units[at] as Unit
  const after = units[at + 1]
  if (!after) return at
  if (unit.kind === "item" && after.block === unit.block) return shortLists.has(unit.block) ? afterwards : at
  if (unit.kind === "label") return afterwards
  const isText = unit.kind === "sentence" || unit.kind === "item"
  if (isText && isIntroduction(unit) && after.block !== unit.block) return afterwards
  const shows = unit.kind === "sentence" && after.kind === "code" && after.codeLines <= mostCodeLines
  return shows ? at + 1 : at
}

/** The blocks that are lists to be quoted whole. */
function shortListsOf(units: readonly Unit[]): ReadonlySet<number> {
  const lists = new Map<number, { words: number; most: number }>()
  for (const unit of units) {
    if (unit.kind !== "item") continue
    const list = lists.get(unit.block)
    if (list) list.words += unit.words
    else lists.set(unit.block, { words: unit.words, most: isStep(unit) ? mostStepsWords : mostListWords })
  }
  return new Set([...lists].filter(([, { words, most }]) => words <= most).map(([block]) => block))
}

function isIntroduction({ markdown }: Unit): boolean {
  return markdown.trimEnd().endsWith(":")
}

/** An item of a numbered list. */
export function isStep({ kind, markdown }: Unit): boolean {
  return kind === "item" && /^\d/.test(markdown)
}

/**
 * The line that introduces the list of an item that is quoted without those before it: what is listed may be
 * allowed, or forbidden.
 */
export function introductionOf<Piece extends Unit>(units: readonly Piece[], at: number): Piece | undefined {
  const { kind, block } = units[at] as Piece
  if (kind !== "item") return undefined
  const first = units.findIndex((unit) => unit.block === block)
  const before = units[first - 1]
  return first < at && before?.kind === "sentence" && isIntroduction(before) ? before : undefined
}

/**
 * `Cela`, `Cette méthode`, `However`: a sentence that leans on the one before it, or on the code it speaks
 * of.
 */
const pointing =
  /^(?:cela|ceci|cette?|ces|c['’]est|ce (?:sont|qui|n['’]est)|il|elle|ils|elles|celui|celle|ceux|celles|ainsi|cependant|toutefois|mais|or|donc|de même|en effet|par conséquent|sinon|this|these|that|those|it|they|however|but|so|thus|therefore|otherwise|instead|also|par exemple|dans ce cas|de plus|pour cela|pour ce faire|notez|for example|in this case|to do (?:so|this)|note that|as a result|in addition(?! to))(?![\p{L}-])/iu
