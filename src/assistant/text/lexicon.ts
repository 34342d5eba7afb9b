import { isEnglish } from "./english.ts"
import { frenchDictionary } from "./french.ts"

/** True for a folded word that is French or English in any inflection, and so is not misspelt. */
export function isWord(letters: string): boolean {
  return frenchDictionary().knows(letters) || isEnglish(letters)
}
