import type { Passage } from "../../reading/formats/document.ts"
import { withoutLinks } from "../../reading/formats/link.ts"
import type { Unit } from "../../reading/passages/units.ts"

export interface PassageUnit extends Unit {
  /** Which of the passage's joined sections it stands in; 0 in a passage that is one section. */
  section: number
}

/** Units from `from` to `to`, both included. */
export interface UnitRange {
  from: number
  to: number
}

/** Units in a row that are only understood together: what a person would never copy in part. */
export interface Piece extends UnitRange {
  words: number
  /** Too long to be read: no quotation holds it. */
  isUnreadable: boolean
  /** It leans on what stands before it: no quotation begins with it. */
  leans: boolean
  /** It announces what follows: no quotation ends with it. */
  announces: boolean
  /** A quotation that has it may go on into the next joined section. */
  runsOn: boolean
  /** For an item of a long list, the line that introduces the list; it is quoted before the item. */
  lead: number | undefined
}

export const pieceLimits = {
  /** A list of more words is quoted in part; steps are quoted whole up to theirs, or not at all. */
  listWords: 150,
  stepsWords: 250,
  /** On average. */
  bareItemWords: 3,
  codeLines: 40,
  /** A paragraph is cut only after this many words, before a sentence that stands alone. */
  paragraphWords: 60,
  pieceWords: 250,
}

/** Groups the units of a passage, whatever the question. Each unit is looked at once. */
export function splitIntoPieces(
  passage: Pick<Passage, "markdown" | "continues">,
  units: readonly PassageUnit[],
): Piece[] {
  const lists = listsByBlock(units)
  const pieces: Piece[] = []
  let lead: number | undefined
  for (const [at, unit] of units.entries()) {
    const before = units[at - 1]
    const last = pieces.at(-1)
    if (isUnreadable(unit)) {
      if (last && before) dropIntroduction(pieces, last, before)
      pieces.push({ ...newPiece(at, unit, false), isUnreadable: true })
      continue
    }
    const isFirstOfSection = at === 0 ? passage.continues !== true : before?.section !== unit.section
    if (!before || !last || last.isUnreadable || isFirstOfSection) {
      pieces.push(newPiece(at, unit, !isFirstOfSection && isLeaning(unit)))
      continue
    }
    const isNextItem = unit.kind === "item" && before.kind === "item" && before.block === unit.block
    if (unit.kind === "item" && !isNextItem) lead = isIntroduction(before) ? at - 1 : undefined
    if (isNextItem && !lists.get(unit.block)?.isWhole) {
      pieces.push({ ...newPiece(at, unit, backReference.test(withoutBullet(unit))), lead })
      continue
    }
    const belongs =
      isNextItem ||
      (unit.kind === "item" && before.kind === "sentence" && lists.get(unit.block)?.isBare) ||
      isCaption(before) ||
      (before.kind !== "code" && endsWithColon(before)) ||
      goTogether(before, unit, last.words, passage.markdown)
    if (
      belongs &&
      last.words + unit.words <= pieceLimits.pieceWords &&
      at - last.from < pieceLimits.pieceWords
    ) {
      last.to = at
      last.words += unit.words
    } else pieces.push(newPiece(at, unit, isLeaning(unit)))
  }
  for (const piece of pieces) {
    dropDanglingEnd(piece, units)
    const last = units[piece.to] as PassageUnit
    const isHeading = isOnlyHeading(units, piece)
    piece.announces = isAnnouncing(last, units[piece.to + 1]) && (!isHeading || endsWithColon(last))
    piece.runsOn = isHeading || (piece.announces && endsWithColon(last))
  }
  return pieces
}

/** Too long to be quoted. */
export function isUnreadable({ codeLines, words }: PassageUnit): boolean {
  return codeLines > pieceLimits.codeLines || words > pieceLimits.stepsWords
}

function newPiece(at: number, { words }: PassageUnit, leans: boolean): Piece {
  const nothing = { isUnreadable: false, announces: false, runsOn: false, lead: undefined }
  return { from: at, to: at, words, leans, ...nothing }
}

/** A section whose whole text is its heading. */
function isOnlyHeading(units: readonly PassageUnit[], { from, to }: UnitRange): boolean {
  const { section, markdown } = units[from] as PassageUnit
  const isAlone = from === to && [from - 1, to + 1].every((at) => units[at]?.section !== section)
  return isAlone && /^\*\*[^\n]+\*\*$/.test(markdown)
}

/** The line that introduces what is too long goes with it; the paragraph that this line ends stays. */
function dropIntroduction(pieces: Piece[], last: Piece, before: PassageUnit): void {
  if (!(isIntroduction(before) || isPresentation(before)) || last.isUnreadable) return
  last.to--
  last.words -= before.words
  if (last.to < last.from) pieces.pop()
}

/** Drops the last line of a passage that announces what is gone: a picture, or a part that is not read. */
function dropDanglingEnd(piece: Piece, units: readonly PassageUnit[]): void {
  const last = units[piece.to] as PassageUnit
  if (piece.to + 1 < units.length || piece.from === piece.to) return
  if (!isIntroduction(last) && !isPresentation(last)) return
  piece.to--
  piece.words -= last.words
}

interface List {
  /** Short enough to be quoted whole. */
  isWhole: boolean
  /** Names that say nothing without the sentence before them. */
  isBare: boolean
}

/** The lists of a passage by their block. */
function listsByBlock(units: readonly PassageUnit[]): ReadonlyMap<number, List> {
  const items = Map.groupBy(
    units.filter(({ kind }) => kind === "item"),
    ({ block }) => block,
  )
  return new Map(
    [...items].map(([block, items]) => {
      const words = items.reduce((sum, item) => sum + item.words, 0)
      const isSteps = /^\d/.test((items[0] as PassageUnit).markdown)
      const isWhole = words <= (isSteps ? pieceLimits.stepsWords : pieceLimits.listWords)
      return [block, { isWhole, isBare: words <= pieceLimits.bareItemWords * items.length }]
    }),
  )
}

/** `words`: of the piece that ends with `before`. */
function goTogether(before: PassageUnit, unit: PassageUnit, words: number, markdown: string): boolean {
  if (refersBelow(before, unit)) return true
  if (unit.kind === "code") return before.kind === "sentence"
  if (unit.kind !== "sentence" || before.kind !== "sentence") return false
  if (plainBullet.test(before.markdown) && plainBullet.test(unit.markdown))
    return words + unit.words <= pieceLimits.listWords
  if (before.block !== unit.block) return false
  const isSameLine = !markdown.slice(before.at + before.markdown.length, unit.at).includes("\n")
  if (isSameLine && (words < pieceLimits.paragraphWords || backReference.test(withoutLinks(unit.markdown))))
    return true
  const isPlainList = listGoesOn.test(lastCharacters(before)) || beginsSmall.test(unit.markdown)
  return isPlainList && words + unit.words <= pieceLimits.listWords
}

/** A heading, or a short line of plain text that stands for one. */
function isCaption(unit: PassageUnit): boolean {
  const isNotice = unit.words <= 3 && lastCharacters(unit).endsWith("!")
  const isLine = unit.kind === "sentence" && unit.words <= 10
  return unit.kind === "label" || (isLine && (isNotice || !sentenceEnd.test(lastCharacters(unit))))
}

/** A sentence or code that begins in the middle of something. */
export function isLeaning({ kind, markdown }: PassageUnit): boolean {
  if (kind === "code") return true
  return (
    kind === "sentence" &&
    (backReference.test(withoutLinks(markdown)) ||
      aboveReference.test(markdown) ||
      (amongThese.test(markdown) && !endsWithColon({ markdown })) ||
      beginsSmall.test(markdown))
  )
}

/** A sentence that speaks of what stands before it, which may be the heading. */
export function refersBack({ kind, markdown }: PassageUnit): boolean {
  return kind === "sentence" && backReference.test(withoutLinks(markdown))
}

function isAnnouncing(unit: PassageUnit, next: PassageUnit | undefined): boolean {
  if (isCaption(unit)) return true
  return unit.kind === "sentence" && (refersBelow(unit, next) || listGoesOn.test(lastCharacters(unit)))
}

function refersBelow(unit: PassageUnit, next: PassageUnit | undefined): boolean {
  if (unit.kind !== "sentence") return false
  return (
    isPresentation(unit) ||
    endsWithColon(unit) ||
    (belowReference.test(unit.markdown) && next?.kind !== "sentence")
  )
}

function isIntroduction({ kind, ...unit }: PassageUnit): boolean {
  return (kind === "sentence" || kind === "item") && endsWithColon(unit)
}

/** « En voici les étapes. » says nothing without what follows. */
function isPresentation({ kind, words, markdown }: PassageUnit): boolean {
  return kind === "sentence" && words <= maxPresentationWords && presents.test(markdown)
}

function endsWithColon(unit: Pick<PassageUnit, "markdown">): boolean {
  return /[:：] ?(?:\*\*|[*_])?$/.test(lastCharacters(unit))
}

function withoutBullet({ markdown }: PassageUnit): string {
  return markdown.replace(/^\S{1,11}\s{1,9}/, "")
}

/** Patterns for the end of a text are tried on its last characters alone, not at each of its places. */
function lastCharacters({ markdown }: Pick<PassageUnit, "markdown">): string {
  return markdown.slice(-32).trimEnd().slice(-12)
}

/** Words that begin a sentence which leans on the one before it, or on the code it speaks of. */
const backReference =
  /^(?:\*\*|[*_])?(?:cela|ceci|ça|cet(?:te)?|ces|c['’](?:est|était)|ce (?:sont|qui|n['’]est|dernier|type)|il(?!(?: (?:faut|suffit|existe|y a|n['’]y|s['’]agit|est (?:aussi |donc |\p{L}{2,14}ment )?(?:possible|recommandé|préférable|important|nécessaire|interdit|conseillé|obligatoire))))|elle|ils|elles|celui|celle|ceux|celles|le reste du temps|dans les autres cas|l['’]un|les deux|ainsi|cependant|toutefois|néanmoins|pourtant|mais|or|donc|alors|et|ou|de même|en effet|par conséquent|en conséquence|sinon|dans (?:ce|ces|le) (?:\d{1,3} )?(?:cas|exemple|dernier)|par ailleurs|en revanche|à l['’]inverse|de plus|en outre|enfin|ensuite|puis|par exemple|pour (?:cela|ce faire)|ici|là|voici|this|these|that|those|it(?! is (?:also )?(?:possible|recommended|important|necessary|best))|its|they|their|he|she|however|but|and|or|so|thus|hence|therefore|otherwise|instead|then|also|for example|for instance|in (?:this|that|these) (?:case|example)s?|to do (?:so|this)|as a result|in addition(?! to)|here|similarly|likewise|moreover|furthermore|both|the (?:above|former|latter))(?![\p{L}-])/iu
const aboveReference =
  /\b(?:ci-dessus|ci-avant|plus haut|(?:exemple|code|cas|paragraphe|section|étape)s? précédente?s?|(?:shown |see |the |example |code )above|previous (?:example|code|section|step))\b/iu
/** « cinq de ces courriels »: the sentence before says which ones. */
const amongThese = /^.{0,80}?\b(?:de ces (?!derni)|of (?:these|those)\b)/u
const belowReference =
  /\b(?:ci-dessous|ci-après|comme suit|below|(?:the|as) follow(?:ing|s))\b|\b(?:le|la|les) \p{L}{1,30} suivante?s?\b/iu
/** A line of a list in plain text begins small, or the one before it ends with a semicolon or a comma. */
const beginsSmall = /^(?:\\?[-–•□*]\s?)?\p{Ll}/u
const presents = /^(?:en )?(?:voici|here (?:is|are))(?!\p{L})/iu
const maxPresentationWords = 12
/** A bullet that Markdown does not read as one. */
const plainBullet = /^(?:\\[-*+]|[–•□])\s/
const listGoesOn = /[;,] ?(?:et|ou|and|or)?$/u
const sentenceEnd = /[.!?…:;,»)\]]["”*_`]*$/
