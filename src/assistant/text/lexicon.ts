// Imported as text: the packages' own modules read these files at run time, and a binary does not have them.
import english from "../../../node_modules/dictionary-en/index.dic" with { type: "text" }
import french from "../../../node_modules/dictionary-fr/index.dic" with { type: "text" }
import type { Language } from "../../accounts/project.ts"
import { fold } from "../../base/text.ts"
import { analyse } from "./analyse.ts"

/**
 * Hunspell word lists: a line holds a word and, after a slash, its affix flags. Folded on first use; a word that is
 * written with a capital then ends with `=`.
 */
const dictionaries: Record<Language, () => string> = { fr: foldedOnce(french), en: foldedOnce(english) }

/** True for a folded word that is French or English in any inflection, and so is not misspelt. */
export function isWord(letters: string): boolean {
  return (["fr", "en"] as const).some((language) => isListed(letters, language, true))
}

/** The same for one language and without its proper names. */
export function isCommonWord(letters: string, language: Language): boolean {
  return isListed(letters, language, false)
}

function isListed(letters: string, language: Language, withNames: boolean): boolean {
  const [term = letters] = analyse(letters, language)
  return candidatesFor(term, language).some(
    (word) => (withNames || !word.endsWith("=")) && analyse(word, language)[0] === term,
  )
}

/**
 * Dictionary words that may have this stem, among them all that do: the stemmers change at most the last two
 * letters that they leave.
 */
function candidatesFor(term: string, language: Language): string[] {
  const dictionary = dictionaries[language]()
  const start = `\n${term.slice(0, Math.max(4, term.length - 2))}`
  const words: string[] = []
  for (let at = dictionary.indexOf(start); at >= 0; at = dictionary.indexOf(start, at + 1))
    words.push(dictionary.slice(at + 1, dictionary.indexOf("\n", at + 1)).replace(/[/\t].*/, ""))
  return words
}

function foldedOnce(text: string): () => string {
  let folded: string | undefined
  return () => {
    folded ??= fold(text.replace(/\n(\p{Lu}[^\n/\t]{0,60})/gu, "\n$1="))
    return folded
  }
}
