// The packages' own modules read these files from beside them, where a binary has none.
import english from "../../../node_modules/dictionary-en/index.dic" with { type: "text" }
import french from "../../../node_modules/dictionary-fr/index.dic" with { type: "text" }
import type { Language } from "../../accounts/project.ts"
import { fold } from "../../base/text.ts"
import { analyse } from "./analyse.ts"

/**
 * A line each: a word, and after a slash how it is inflected. Folded when it is first needed, which takes
 * some 50 ms.
 */
const dictionaries: Record<Language, () => string> = { fr: folded(french), en: folded(english) }

/**
 * Whether these letters, folded, are a French or an English word, whatever its ending: such a word was not
 * mistyped.
 */
export function isWord(letters: string): boolean {
  return (["fr", "en"] as const).some((language) => {
    const [term = letters] = analyse(letters, language)
    return wordsLike(term, language).some((word) => analyse(word, language)[0] === term)
  })
}

/**
 * Among them all words of this stem: stemming changes an ending's last two letters at most before it cuts.
 */
function wordsLike(term: string, language: Language): string[] {
  const dictionary = dictionaries[language]()
  const start = `\n${term.slice(0, Math.max(4, term.length - 2))}`
  const words: string[] = []
  for (let at = dictionary.indexOf(start); at >= 0; at = dictionary.indexOf(start, at + 1))
    words.push(dictionary.slice(at + 1, dictionary.indexOf("\n", at + 1)).replace(/[/\t].*/, ""))
  return words
}

function folded(text: string): () => string {
  let plain: string | undefined
  return () => {
    plain ??= fold(text)
    return plain
  }
}
