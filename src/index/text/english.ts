// Imported as text: the package's own module reads this file at run time, and a binary does not have it.

import { stemmer } from "@orama/stemmers/english"
import { LRUCache } from "lru-cache"
import words from "../../../node_modules/dictionary-en/index.dic" with { type: "text" }
import { fold } from "../../base/text.ts"
import { englishRootOf, familyOf } from "./word-families.ts"

/** The term of a folded English word. The stemmer separates `deletion` and `delete`, which are joined here. */
export function englishTerm(word: string): string {
  const root = englishRootOf.get(word)
  if (root !== undefined) return root
  const family = familyOf.en.get(word) ?? familyOf.en.get(word.replace(/s$/, ""))
  const action = nounOfAction.exec(word)?.[1]
  const verb = action && [`${action}e`, action].find(isListed)
  // The stemmer turns every final y into an i: `deploy` would not meet `deployment`.
  return stemmer(family ?? verb ?? word).replace(/(?<=[aeou])i$/, "y")
}

/** Questions repeat their words, and a look-up reads the whole list. */
const lately = new LRUCache<string, boolean>({ max: 5000 })

/** True for a folded word that is English in any inflection. */
export function isEnglish(word: string): boolean {
  const known = lately.get(word)
  if (known !== undefined) return known
  const term = englishTerm(word)
  const beginning = term.slice(0, Math.max(4, term.length - 2))
  const isWord = listedWith(beginning).some((listed) => englishTerm(listed) === term)
  lately.set(word, isWord)
  return isWord
}

/** Five letters at least before the ending: a station is not a state. */
const nounOfAction = /^([a-z]{4,}[st])ions?$/

function isListed(word: string): boolean {
  const at = list().indexOf(`\n${word}`)
  return at >= 0 && (list().includes(`\n${word}\n`, at) || list().includes(`\n${word}/`, at))
}

/**
 * Words of the list with this beginning. The stemmer changes at most the last two letters that it leaves, so
 * all words of a stem are found by its other letters.
 */
function listedWith(beginning: string): string[] {
  const entries: string[] = []
  const start = `\n${beginning}`
  for (let at = list().indexOf(start); at >= 0; at = list().indexOf(start, at + 1))
    entries.push(
      list()
        .slice(at + 1, list().indexOf("\n", at + 1))
        .replace(/[/\t].*/, ""),
    )
  return entries
}

/** A line holds a word and, after a slash, its affix flags. */
function list(): string {
  folded ??= fold(words)
  return folded
}

let folded: string | undefined
