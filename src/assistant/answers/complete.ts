import type { Unit } from "./units.ts"

/** More of it is not quoted. */
export const mostCodeLines = 30
/** A list up to this long is quoted whole; of a longer one, the items in question. Steps are of use together, or not at all. */
const mostListWords = 60
const mostStepsWords = 250

/** Where a quotation begins that shall begin with a unit, and ends that shall end with it; `from` and `to` are places in the same list. */
export interface Completed {
  from: number
  to: number
}

/**
 * For each unit, what a quotation of it cannot be understood without: the line that introduces a list or a code block, the code or
 * list that a line introduces, what a pronoun at the beginning points to, the rest of a short list.
 */
export function completed<Piece extends Unit>(units: readonly Piece[]): (Piece & Completed)[] {
  return units.map((unit, at) => ({ ...unit, from: firstOf(units, at), to: lastOf(units, at) }))
}

function firstOf(units: readonly Unit[], start: number): number {
  const unit = units[start] as Unit
  const before = units[start - 1]
  if (!before) return start
  if (unit.kind === "item" && before.block === unit.block)
    return isShortList(units, unit.block) ? firstOf(units, start - 1) : start
  const introduced =
    (unit.kind === "item" || unit.kind === "code" || unit.kind === "table") && before.kind === "sentence"
  const isPointedAt = before.kind === "sentence" || before.kind === "code"
  const isPointing = unit.kind === "sentence" && isPointedAt && pointing.test(unit.markdown)
  return introduced || isPointing || before.kind === "label" ? firstOf(units, start - 1) : start
}

function lastOf(units: readonly Unit[], end: number): number {
  const unit = units[end] as Unit
  const after = units[end + 1]
  if (!after) return end
  if (unit.kind === "item" && after.block === unit.block)
    return isShortList(units, unit.block) ? lastOf(units, end + 1) : end
  if (unit.kind === "label") return lastOf(units, end + 1)
  const isText = unit.kind === "sentence" || unit.kind === "item"
  const introduces = isText && /:\s*$/.test(unit.markdown) && after.block !== unit.block
  if (introduces) return lastOf(units, end + 1)
  const shows = unit.kind === "sentence" && after.kind === "code" && after.codeLines <= mostCodeLines
  return shows ? end + 1 : end
}

function isShortList(units: readonly Unit[], block: number): boolean {
  const items = units.filter((unit) => unit.block === block)
  const most = items[0] && isStep(items[0]) ? mostStepsWords : mostListWords
  return items.reduce((sum, { words }) => sum + words, 0) <= most
}

/** An item of a numbered list. */
export function isStep({ kind, markdown }: Unit): boolean {
  return kind === "item" && /^\d/.test(markdown)
}

/** The line that introduces the list of an item that is quoted without those before it: what is listed may be allowed, or forbidden. */
export function introductionOf<Piece extends Unit>(units: readonly Piece[], at: number): Piece | undefined {
  const { kind, block } = units[at] as Piece
  if (kind !== "item") return undefined
  const first = units.findIndex((unit) => unit.block === block)
  const before = units[first - 1]
  return first < at && before?.kind === "sentence" && /:\s*$/.test(before.markdown) ? before : undefined
}

/** `Cela`, `Cette méthode`, `However`: a sentence that leans on the one before it, or on the code it speaks of. */
const pointing =
  /^(?:cela|ceci|cette?|ces|c['’]est|ce (?:sont|qui|n['’]est)|il|elle|ils|elles|celui|celle|ceux|celles|ainsi|cependant|toutefois|mais|or|donc|de même|en effet|par conséquent|sinon|this|these|that|those|it|they|however|but|so|thus|therefore|otherwise|instead|also|par exemple|dans ce cas|de plus|pour cela|pour ce faire|notez|for example|in this case|to do (?:so|this)|note that|as a result|in addition(?! to))(?![\p{L}-])/iu
