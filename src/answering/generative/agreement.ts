import type { Language } from "../../accounts/project.ts"
import { fold } from "../../base/text.ts"
import { memoizePerPassage } from "../../index/lance/passage-cache.ts"
import { analyse } from "../../index/text/analyse.ts"
import type { Passage } from "../../reading/formats/document.ts"
import type { AnswerPiece, QuestionWithPassages } from "../answerer.ts"
import { codeParts } from "./code-parts.ts"
import { isInLanguage, type SpokenLanguage } from "./language.ts"
import { contradicts, type Statement, sharedTerms, statementsIn } from "./polarity.ts"
import { shownText } from "./shown-text.ts"

type AskedQuestion = Pick<QuestionWithPassages, "language" | "found" | "meaningOf">

/** Least share of its content words that a sentence has from its passages. */
const minShare = 0.5
/** With this share, words alone show where a sentence comes from. */
const sureShare = 2 / 3
/** How much nearer to a unit of its passages a sentence is than to half of the documentation's passages. */
const minNearness = 0.01
/** Statements of a passage count as the ones a sentence is about from this share of the best one's words. */
const aboutAsNear = 0.85
/** Share of its terms that a sentence has in common with a statement that it is compared with. */
const comparableShare = 0.4
/** Two sentences with this share of their terms in common say the same twice. */
const repeatedShare = 0.8
/** With fewer letters, words that begin alike would seldom be the same. */
const cognateLetters = 5
/** A sentence of a model has one or two. */
const maxStatements = 10
/** A passage has some thirty. */
const maxPassageStatements = 200

/**
 * Gives for each piece of one reply the passages of those it cites that it agrees with; none when it must go. A weak
 * model names a true source beside an untrue sentence. So a piece has content words of its sources or the meaning of
 * them, denies nothing that they affirm, affirms nothing that they deny, asks nothing and was not said before.
 * `spoken`: the language of the question, where it is known.
 */
export function agreementWith(question: AskedQuestion, spoken: SpokenLanguage | undefined) {
  const said: { text: string; terms: ReadonlySet<string>; denials: number }[] = []
  return async ({ markdown, passages }: AnswerPiece, signal: AbortSignal): Promise<Passage[]> => {
    const { language } = question
    const prose = proseOf(markdown)
    const isOwnLanguage = isInLanguage(language, prose) ?? (spoken ?? language) === language
    const other = spoken === "fr" || spoken === "en" ? spoken : language
    const statements = isOwnLanguage
      ? statementsIn(prose, language).slice(0, maxStatements)
      : statementsIn(prose, other).slice(0, maxStatements).map(inCognates)
    const piece = {
      text: lettersOf(markdown),
      terms: new Set(analyse(prose, language)),
      denials: statements.reduce((sum, { negations }) => sum + negations, 0),
    }
    if (prose.endsWith("?") || said.some((earlier) => repeats(piece, earlier))) return []
    const sources = passages.map((passage) => passageStatements(passage, language))
    const compared = isOwnLanguage ? sources : passages.map((passage) => passageCognates(passage, language))
    if (!statements.every((statement) => agrees(statement, compared, isOwnLanguage))) return []
    const share = shareHeld(piece.terms, sources)
    if (isOwnLanguage && share < minShare) return []
    const needsMeaning = !isOwnLanguage || share < sureShare
    if (needsMeaning && (await isFar(question, prose, passages, signal))) return []
    said.push(piece)
    if (!isOwnLanguage) return passages
    const shares = sources.map((source) => shareHeld(piece.terms, [source]))
    return passages.filter((_, at) => (shares[at] as number) >= Math.max(...shares) / 2)
  }
}

/** The text without fenced code, marks of Markdown and what begins a list item. */
function proseOf(markdown: string): string {
  const parts = codeParts(markdown) ?? []
  return parts
    .map(({ text }) => (text.startsWith("```") ? "\n" : text))
    .join("")
    .replace(/^[ \t]*(?:[-*+]|\d{1,9}[.)])\s/gm, "")
    .replace(/[*_`]/g, "")
    .trim()
}

function lettersOf(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
}

type Said = { text: string; terms: ReadonlySet<string>; denials: number }

function repeats(one: Said, other: Said): boolean {
  if (one.text === other.text) return true
  const common = one.terms.intersection(other.terms).size
  const all = one.terms.size + other.terms.size - common
  return one.terms.size > 1 && one.denials === other.denials && common >= repeatedShare * all
}

interface PassageStatements {
  statements: readonly Statement[]
  /** Number of statements that have a term. */
  counts: ReadonlyMap<string, number>
  terms: ReadonlySet<string>
}

const passageStatements = memoizePerPassage((passage: Passage, language: Language): PassageStatements => {
  const text = shownText(passage)
  const statements = statementsIn(text.replace(/[*_`|]/g, ""), language).slice(0, maxPassageStatements)
  return { statements, counts: countTerms(statements), terms: new Set(analyse(text, language)) }
})

/** The same with the beginnings of its words, which French and English often share: `confirmation`, `compatible`. */
const passageCognates = memoizePerPassage((passage: Passage, language: Language): PassageStatements => {
  const { statements, terms } = passageStatements(passage, language)
  const cognates = statements.map(inCognates)
  return { statements: cognates, counts: countTerms(cognates), terms }
})

function inCognates({ signs, withheld, reversed, ...rest }: Statement): Statement {
  const start = (term: string) => term.slice(0, cognateLetters)
  return {
    signs: new Map([...signs].map(([term, sign]) => [start(term), sign])),
    withheld: new Set([...withheld].map(start)),
    reversed: new Set([...reversed].map(start)),
    ...rest,
  }
}

function countTerms(statements: readonly Statement[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { signs } of statements)
    for (const term of signs.keys()) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

/**
 * Whether passages say the same of what the statement is about. What it denies is denied there too. In another language
 * few words are the same, and one that hardly any other statement has tells where it is spoken of.
 */
function agrees(
  statement: Statement,
  sources: readonly PassageStatements[],
  isOwnLanguage: boolean,
): boolean {
  const signed = [...statement.signs].filter(([, sign]) => sign !== undefined)
  if (signed.length === 0) return true
  const compared = sources.flatMap(({ statements, counts }) =>
    statements.map((source) => {
      const shared = sharedTerms(statement, source)
      const score = signed.reduce(
        (sum, [term]) => sum + (source.signs.has(term) ? rarity(term, counts) : 0),
        0,
      )
      const isNamed = !isOwnLanguage && shared.some((term) => (counts.get(term) ?? 0) < 3)
      const isComparable =
        isNamed || (shared.length > 1 && shared.length >= comparableShare * statement.signs.size)
      const isOpposite = contradicts(statement, source, (term) => rarity(term, counts))
      return { score, isComparable, isOpposite }
    }),
  )
  const best = compared.reduce((most, { score }) => Math.max(most, score), 0)
  const nearest = compared.filter(({ score }) => score > 0 && score >= aboutAsNear * best)
  if (nearest.some(({ isComparable }) => isComparable)) return !nearest.every(({ isOpposite }) => isOpposite)
  return signed.every(([, sign]) => sign === true)
}

function rarity(term: string, counts: ReadonlyMap<string, number>): number {
  return 1 / Math.sqrt(counts.get(term) ?? 1)
}

/** Share of a sentence's content words that its passages hold together; 1 for a sentence without any. */
function shareHeld(terms: ReadonlySet<string>, sources: readonly PassageStatements[]): number {
  if (terms.size === 0) return 1
  return [...terms].filter((term) => sources.some((source) => source.terms.has(term))).length / terms.size
}

/** Whether a sentence means something else than every unit of its passages; false where that cannot be told. */
async function isFar(
  { found, meaningOf }: AskedQuestion,
  prose: string,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<boolean> {
  const meaning = prose === "" ? undefined : await meaningOf?.(prose, signal)
  if (!meaning) return false
  const cosines = found
    .filter(({ passage }) => passages.includes(passage))
    .flatMap(({ row }) => meaning.unitCosines(row).filter((cosine) => cosine !== undefined))
  return cosines.length > 0 && Math.max(...cosines) - meaning.median < minNearness
}
