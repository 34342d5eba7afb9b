import type { Language } from "../../accounts/project.ts"
import { fold } from "../../base/text.ts"
import { analyse, wordsIn } from "../../index/text/analyse.ts"
import { isWordOf } from "../../index/text/lexicon.ts"
import { countWords } from "../../reading/formats/blocks.ts"

/** The terms that a sentence affirms and denies. */
export interface Statement {
  /** Of each content term whether it is affirmed; undefined where the grammar does not say. */
  signs: ReadonlyMap<string, boolean | undefined>
  /** Terms after "without", which alone decide where two statements share them. */
  withheld: ReadonlySet<string>
  /** Positive terms of words that deny: `accept` of "refused". They deny where the other statement has the term too. */
  reversed: ReadonlySet<string>
  /** Number of its words that deny in some way. */
  negations: number
}

/** The statement of each sentence of a text in plain words. */
export function statementsIn(text: string, language: Language): Statement[] {
  return text
    .replace(/[’ʼ]/g, "'")
    .split(sentenceEnd)
    .filter((sentence) => /\p{L}/u.test(sentence))
    .map((sentence) => statementOf(sentence, language))
}

/** A part of fewer words is a member of a list, which the denial of another part may cover. */
const ownWords = 4

/** Commas, colons and "and" join parts of one statement, of which each may be denied by itself. */
const sentenceEnd = /(?<=[.;!?])\s+|\n+|(?<!\p{L})(?:mais|but)(?!\p{L})|[—–]/iu
const partEnd = /[,:()]|(?<!\p{L})(?:et|and)(?!\p{L})/iu

function statementOf(sentence: string, language: Language): Statement {
  const isOpen = sentence.trimEnd().endsWith("?") || openForms.test(sentence)
  const parts = sentence.split(partEnd).map((part) => ({ part, denials: countDenials(part, language) }))
  const someDenied = parts.some(({ denials }) => denials > 0)
  let negations = 0
  const signs = new Map<string, boolean | undefined>()
  const withheld = new Set<string>()
  const reversed = new Set<string>()
  for (const [at, { part, denials }] of parts.entries()) {
    const isShared = someDenied && denials === 0 && countWords(part) < ownWords
    const withheldPart = withheldPartOf(part, language)
    // « Sans compte, vous ne pouvez pas … » is denied as a whole.
    const isFronted = beginsWithout.test(part) && (parts[at + 1]?.denials ?? 0) > 0
    const sign = isOpen || (isShared && !isFronted) ? undefined : denials % 2 === 0 && !isFronted
    negations += denials + (withheldPart === undefined ? 0 : 1)
    const [withheldWord] = wordsIn(withheldPart ?? "", language)
    for (const { letters, terms } of wordsIn(part, language)) {
      if (denyingWord.test(letters)) continue
      const positive = positiveWord(letters, language)
      const own = positive === undefined ? terms : analyse(positive, language)
      for (const term of own) {
        if (positive !== undefined) reversed.add(term)
        const isWithheld = letters === withheldWord?.letters
        if (isWithheld) withheld.add(term)
        const value = isWithheld && sign !== undefined ? !sign : sign
        signs.set(term, signs.has(term) && signs.get(term) !== value ? undefined : value)
      }
    }
  }
  return { signs, withheld, reversed, negations: negations + reversed.size }
}

/**
 * Whether one statement denies what the other affirms, as far as they share their terms. `weight`: how much a term
 * tells of what a statement is about.
 */
export function contradicts(one: Statement, other: Statement, weight: (term: string) => number): boolean {
  let [same, opposite, decided] = [0, 0, false]
  for (const term of sharedTerms(one, other)) {
    const [own, its] = [signIn(one, term, other), signIn(other, term, one)]
    if (own === undefined || its === undefined) continue
    const isDecisive = one.withheld.has(term) || other.withheld.has(term)
    if (decided && !isDecisive) continue
    if (isDecisive && !decided) [same, opposite, decided] = [0, 0, true]
    if (own === its) same += weight(term)
    else opposite += weight(term)
  }
  return opposite > same
}

export function sharedTerms(one: Statement, other: Statement): string[] {
  return [...one.signs.keys()].filter((term) => other.signs.has(term))
}

/** A word that denies without a counterpart in the other statement may say the same in another way. */
function signIn(statement: Statement, term: string, other: Statement): boolean | undefined {
  let sign = statement.signs.get(term)
  for (const reversed of statement.reversed) {
    if (other.signs.has(reversed)) sign = sign === undefined ? undefined : !sign
    else if (sign === true) return undefined
  }
  return sign
}

/** Conditions, alternatives and limits, in which a negation does not deny the whole. */
const openForms =
  /(?<!\p{L})(?:tant que|tant qu'|à moins|sauf|hormis|except|ou (?:non|pas|sans)|pas (?:seulement|uniquement|que)|non seulement|seule?s?|seulement|uniquement|unless|until|or (?:not|without)|not (?:only|just)|only|whether)(?!\p{L})/iu

/** « ne … pas » and « ni … ni » deny once, « n'oubliez pas de … » not at all. */
function countDenials(part: string, language: Language): number {
  const plain = part.replace(affirming, "")
  return (denial[language].test(plain) ? 1 : 0) + (plain.match(denyingAdjective[language])?.length ?? 0)
}

const affirming =
  /(?<!\p{L})(?:n'importe|no (?:matter|doubt)|n'(?:oubli|hésit)(?:e|es|ez|ons) (?:surtout )?(?:pas|jamais)|ne (?:(?:faut|doit|devez|doivent) )?(?:pas|jamais) (?:oublier|hésiter)|(?:do not|don't|never|not to) (?:forget|hesitate))(?!\p{L})/giu

const denial: Record<Language, RegExp> = {
  // « ne … que » limits, and « plus » alone is "more".
  fr: /(?<!\p{L})(?:(?:ne |n')(?!.{0,200}(?<!\p{L})qu(?:e |'))|(?:pas|jamais|aucune?s?|rien|guère|ni|non)(?![-\p{L}]))/iu,
  en: /(?<!\p{L})(?:not|cannot|never|no|none|nothing|neither|nor|nobody|hardly)(?![-\p{L}])|n't(?!\p{L})/iu,
}
const denyingAdjective: Record<Language, RegExp> = {
  fr: /(?<!\p{L})(?:impossibles?|interdite?s?)(?!\p{L})/giu,
  en: /(?<!\p{L})(?:impossible|unable|forbidden|prohibited)(?!\p{L})/giu,
}

/** Words of denial that the analyser knows as others. */
const denyingWord =
  /^(?:aucune?s?|rien|guere|sans|without|never|nothing|none|nobody|neither|cannot|impossibles?|interdite?s?|unable|forbidden|prohibited)$/

/** The words after "without", or after a "no" that follows another denial: "not for pages that have no JavaScript". */
function withheldPartOf(part: string, language: Language): string | undefined {
  const found = withoutWord.exec(part) ?? (language === "en" ? secondNo.exec(part) : null)
  return found ? part.slice(found.index + found[0].length) : undefined
}

const withoutWord = /(?<!\p{L})(?:sans|without)(?!\p{L})/iu
const beginsWithout = /^\s*(?:sans|without)(?!\p{L})/iu
const secondNo = /(?<=(?:(?<!\p{L})(?:not|cannot|never)|n't)(?!\p{L}).{0,200}(?<!\p{L}))no (?=\p{L})/iu

/** The word that a word denies: `possible` of "impossible". */
function positiveWord(letters: string, language: Language): string | undefined {
  const folded = fold(letters)
  const opposite = opposites[language].find(([negative]) => negative.test(folded))?.[1]
  if (opposite !== undefined) return opposite
  const rest = negativePrefixes[language].exec(folded)?.[1]
  return rest !== undefined && isWordOf(language, rest) ? rest : undefined
}

/** Nouns such as « inscription » begin so and deny nothing. */
const negativePrefixes: Record<Language, RegExp> = {
  fr: /^(?:in|im|ir|il|des|non-?)(\p{L}{4,40})(?<!tions?)$/u,
  en: /^(?:un|in|im|ir|il|dis|non-?)(\p{L}{4,40})(?<!tions?)$/u,
}

const opposites: Record<Language, readonly [negative: RegExp, positive: string][]> = {
  fr: [
    [/^(?:refus|rejet)/, "accepter"],
    [/^ferm/, "ouvrir"],
    [/^payant/, "gratuit"],
    [/^facultati|^optionnel/, "obligatoire"],
    [/^echou|^echec/, "réussir"],
    [/^exclu/, "inclure"],
    [/^absent/, "présent"],
    [/^(?:effac|supprim)/, "garder"],
    [/^empech/, "permettre"],
  ],
  en: [
    [/^(?:refus|reject)/, "accept"],
    [/^clos/, "open"],
    [/^optional/, "required"],
    [/^disabl/, "enable"],
    [/^fail/, "succeed"],
    [/^exclud/, "include"],
    [/^absent|^missing/, "present"],
    [/^(?:delet|eras|remov)/, "keep"],
    [/^prevent/, "permit"],
  ],
}
