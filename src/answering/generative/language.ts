import type { Language } from "../../accounts/project.ts"
import { codeParts } from "./code-parts.ts"

/** The languages that can be detected, by the names that prompts use. */
export const languageNames = {
  fr: "French",
  en: "English",
  de: "German",
  es: "Spanish",
  it: "Italian",
  pt: "Portuguese",
} as const

export type SpokenLanguage = keyof typeof languageNames

/**
 * Detects the language of a question; undefined when its words do not tell: `webhook signature`. For
 * `expected`, the language of the documentation, less evidence suffices: one distinctive word and one that
 * other languages share.
 */
export function detectLanguage(question: string, expected: Language): SpokenLanguage | undefined {
  const words = lowerCaseWords(question)
  const [best, second] = evidence(words)
  // English has no accents: here it is quoted, such as an error message in a French question.
  if (best.language === "en" && /[à-ÿœ]/i.test(question)) return undefined
  if (best.words >= fewWords && best.words >= 2 * second.words) return best.language
  const isExpected = best.words > second.words && best.language === expected
  return isExpected && words.some((word) => sharedWords[expected].has(word)) ? expected : undefined
}

/**
 * Whether a text is in a language; undefined when there is too little evidence. Code and quotations do not
 * count.
 */
export function isInLanguage(language: SpokenLanguage, markdown: string): boolean | undefined {
  const prose = proseAlone(markdown)
  const letters = prose.match(/\p{L}/gu)?.length ?? 0
  const foreign = prose.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0
  if (foreign > manyLetters && foreign > letters / 2) return false
  const ranked = evidence(lowerCaseWords(prose))
  const own = ranked.find((found) => found.language === language)?.words ?? 0
  const other = ranked.find((found) => found.language !== language)?.words ?? 0
  if (other >= manyWords && other >= 2 * own) return false
  return own >= fewWords && own >= 2 * other ? true : undefined
}

/** A few words suffice to accept a text as expected; rejecting it takes more. */
const fewWords = 2
const manyWords = 4
const manyLetters = 20

interface Evidence {
  language: SpokenLanguage
  /** Number of words of the text that only this language has. */
  words: number
}

/** Best first. */
function evidence(words: readonly string[]): [Evidence, Evidence, ...Evidence[]] {
  const evidences = Object.entries(distinctiveWords).map(([language, own]) => ({
    language: language as SpokenLanguage,
    words: words.filter((word) => own.has(word)).length,
  }))
  return evidences.sort((one, other) => other.words - one.words) as [Evidence, Evidence]
}

function lowerCaseWords(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+['’]?/gu) ?? []).map((word) => word.replace("’", "'"))
}

function proseAlone(markdown: string): string {
  const parts = codeParts(markdown) ?? [{ text: markdown, isCode: false }]
  const text = parts.map(({ text, isCode }) => (isCode ? " " : text)).join("")
  return text.replace(
    /(?<=^|\n)[^\S\n]*```[\s\S]*?\n[^\S\n]*```|«[^«»]*»|“[^“”]*”|"[^"\n]*"|https?:\S+/g,
    " ",
  )
}

/** Function words that other languages have too. */
const sharedWords: Record<Language, ReadonlySet<string>> = {
  fr: new Set(["le", "la", "l'", "de", "d'", "un", "en", "que", "ma", "si", "a"]),
  en: new Set(["a", "an", "in", "on", "do", "me", "as", "at"]),
}

/** Frequent function words of one language that are no words of the others. */
const distinctiveWords = Object.fromEntries(
  Object.entries({
    fr: "les des du une au aux et est dans pour avec sur pas vous votre vos nous ce cette ces qui ou où ne sont être peut peuvent elle je qu' n' c' j' comment quel quelle quels quelles par sans puis lorsque quand faire faut doit leur leurs ses son comme il elles chaque mon mes ton tes ça aucun pourquoi depuis",
    en: "the of and to is are be it this that with for you your from by not can will which what how when where if or has have does should must its their they we then than but into only these there i each my any did was were who why there's it's",
    de: "der das und ist nicht ein eine einen mit für von zu auf den dem im sie wird werden können wie oder wenn auch sich durch bei aus nach kann ihr ihre ich sind",
    es: "el los las y está son más pero cómo puede su sus donde cuando esto qué al hay muy también sin desde usted para",
    it: "gli che è di nel della dei delle sono non questo quale può più anche dal alla nella essere viene degli",
    pt: "os um uma não em com dos das você seu sua são também pelo pela ao isso qual pode",
  }).map(([language, words]) => [language, new Set(words.split(" "))]),
)
