// Imported as text: the package's own module reads these files at run time, and a binary does not have them.

import { stemmer } from "@orama/stemmers/french"
import affixes from "../../../node_modules/dictionary-fr/index.aff" with { type: "text" }
import words from "../../../node_modules/dictionary-fr/index.dic" with { type: "text" }
import { derivationBase } from "./derivations.ts"
import { type Dictionary, readDictionary } from "./dictionary.ts"
import { familyOf } from "./word-families.ts"

/**
 * The term of a folded French word: the lemma that stands for its family, so that `suppressions` and
 * `supprimée` give `supprimer`; the stem of a word that the dictionary does not know.
 */
export function frenchTerm(word: string): string {
  const root = rootOf(word)
  if (root !== undefined) return root
  const stem = stemmer(word)
  if (stem.length <= 3) return stem
  // English words of programs, and words that lack their last letter: `text`, `methods`, `adress`.
  const completed = word === stem || word === `${stem}s` ? rootOf(`${stem}e`) : undefined
  // Without accents the stemmer reads `recherchée` as `recherche` plus an e, so a final e is removed as well.
  return completed ?? stem.replace(/(?<!e)e+$/, "")
}

/**
 * Takes a tenth of a second the first time: the service calls it a second after it is ready, other commands only if
 * they analyse French.
 */
export function frenchDictionary(): Dictionary {
  loaded ??= readDictionary(affixes, words)
  return loaded
}

let loaded: Dictionary | undefined

function rootOf(word: string): string | undefined {
  const dictionary = frenchDictionary()
  // Short forms have plurals too, which no dictionary lists: `notifs`.
  let root = familyOf.fr.get(word) ?? dictionary.lemmaOf(word) ?? familyOf.fr.get(word.replace(/s$/, ""))
  // A derivation of a derivation: `validité` → `valide` → `valider`.
  for (let step = 0; root !== undefined && step < maxSteps; step++) {
    const family = familyOf.fr.get(root)
    if (family !== undefined) return family
    const base = derivationBase(root, dictionary)
    if (base === undefined) return root
    root = base
  }
  return root
}

const maxSteps = 4
