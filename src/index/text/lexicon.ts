import type { Language } from "../../accounts/project.ts"
import { isEnglish } from "./english.ts"
import { frenchDictionary } from "./french.ts"

/** True for a folded word that is French or English in any inflection, and so is not misspelt. */
export function isWord(letters: string): boolean {
  return isWordOf("fr", letters) || isWordOf("en", letters)
}

/** The same for one language. */
export function isWordOf(language: Language, letters: string): boolean {
  return language === "fr" ? frenchDictionary().knows(letters) : isEnglish(letters)
}
