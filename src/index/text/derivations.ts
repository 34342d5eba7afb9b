import type { Dictionary } from "./dictionary.ts"

/**
 * How French derives nouns from verbs, and nouns and adverbs from adjectives. A line holds an ending without
 * accents, then what the base may have instead, first guess first. A guess counts when the dictionary lists it.
 */
const fromVerbs = `
ation er
isation iser
ication iquer ier
gation guer ger
cation quer
osition oser
etition eter
ition ir
action acter
ection ecter
exion ecter
duction duire
struction struire
cription crire
ception cevoir
option opter
ression rimer
pression primer
mission mettre
version vertir
lusion lure
ension endre
usion user
cussion cuter
ision iser ider
cision ciser cider
ution uer uter
aison er
ement er ir
iement yer ier
issement ir
issage ir
gement ger
age er ager
cage quer
verture vrir
eture er
ature er
criture crire
ateur er
able er
icateur iquer ier
eur er
able er
ite iser
oi oyer
ail ailler
`
const fromAdjectives = `
ivite if
bilite ble
osite eux
uite uit
icite ique
ite e
ement e
ivement if
eusement eux
ellement el
amment ant
emment ent
ence ent
ance ant
`

/** Letters that must remain before an ending, because short words resemble one another by chance. */
const minStem: Record<string, number> = { eur: 5, able: 5, ite: 4, ence: 3, ance: 4, ement: 3, ail: 2, oi: 3 }
const defaultMinStem = 3
/** A long ending is no chance: `émission` → `émettre`. */
const longEnding = 6
/** Shorter nouns may not lose the `-er` of a verb: `port` is not from `porter`. */
const minBareNoun = 5

const derivations = new Map<string, { bases: string[]; isVerb: boolean }[]>()
for (const [text, isVerb] of [
  [fromVerbs, true],
  [fromAdjectives, false],
] as const)
  for (const line of text.split("\n").filter(Boolean)) {
    const [ending = "", ...bases] = line.split(" ")
    derivations.set(ending, [...(derivations.get(ending) ?? []), { bases, isVerb }])
  }
const longestEnding = Math.max(...[...derivations.keys()].map(({ length }) => length))

/** The word that a lemma is derived from, one step; undefined for one that stands for itself. */
export function derivationBase(lemma: string, dictionary: Dictionary): string | undefined {
  if (dictionary.isVerb(lemma)) return undefined
  return (
    dictionary.verbOfParticiple(lemma) ?? derivedFrom(lemma, dictionary) ?? bareNounVerb(lemma, dictionary)
  )
}

function derivedFrom(lemma: string, dictionary: Dictionary): string | undefined {
  for (let length = Math.min(longestEnding, lemma.length - 1); length > 0; length--) {
    const ending = lemma.slice(-length)
    const stem = lemma.slice(0, -length)
    const least = minStem[ending] ?? (length >= longEnding ? 1 : defaultMinStem)
    if (stem.length < least) continue
    for (const { bases, isVerb } of derivations.get(ending) ?? [])
      for (const base of bases) {
        const guess = stem + base
        if (isVerb && dictionary.isVerb(guess)) return guess
        const adjective = isVerb ? undefined : dictionary.lemmaOf(guess)
        if (adjective !== undefined && adjective !== lemma) return adjective
      }
  }
  return undefined
}

/** `ajout` → `ajouter`. */
function bareNounVerb(lemma: string, dictionary: Dictionary): string | undefined {
  const verb = `${lemma}er`
  return lemma.length >= minBareNoun && dictionary.isVerb(verb) ? verb : undefined
}
