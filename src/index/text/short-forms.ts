import type { Language } from "../../accounts/project.ts"
import { withoutAccents } from "../../base/text.ts"
import { analyse, withoutElision } from "./analyse.ts"

/**
 * French as it is typed on a telephone. A line holds a word or phrase in lower case without accents, then what it
 * stands for. Only what stands for one thing: « pr », « ds » and « tel » alone do not.
 */
const shortForms = `
mdp = mot de passe
cb = carte bancaire
rdv = rendez-vous
dispo = disponible
dispos = disponibles
pb = problème
pbs = problèmes
pblm = problème
pj = pièce jointe
asso = association
biblio = bibliothèque
nbre = nombre
numero de tel = numéro de téléphone
num de tel = numéro de téléphone
num tel = numéro de téléphone
par tel = par téléphone
koi = quoi
c koi = c’est quoi
c quoi = c’est quoi
c ou = c’est où
c quand = c’est quand
c combien = c’est combien
pk = pourquoi
pkoi = pourquoi
pourkoi = pourquoi
ki = qui
ke = que
kel = quel
kels = quels
kelle = quelle
kelles = quelles
keske = qu’est-ce que
qd = quand
kan = quand
kand = quand
cmt = comment
coment = comment
kombien = combien
cbien = combien
bcp = beaucoup
tjs = toujours
tjrs = toujours
jms = jamais
pcq = parce que
qqn = quelqu’un
qqch = quelque chose
ajd = aujourd’hui
auj = aujourd’hui
jrs = jours
ya = il y a
jveux = je veux
jpeux = je peux
jpeu = je peux
jsuis = je suis
svp = s’il vous plaît
stp = s’il te plaît
slt = bonjour
bjr = bonjour
bsr = bonsoir
mci = merci
`

const written = new Map(
  shortForms
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(" = ") as [string, string]),
)
const maxWordsOfOne = Math.max(...[...written.keys()].map((short) => short.split(" ").length))

/** Short forms that sites use as well, in names above all: there they mean the word beside themselves. */
export const shortFormGroups = ["mdp", "cb", "pj", "asso", "biblio"].map((short) => ({
  words: [short, written.get(short) as string],
}))

/** The part of a documentation's vocabulary that is asked. */
interface Usage {
  language: Language
  /** In how many passages a term occurs. */
  frequency(term: string): number
}

/**
 * A question with its short forms written out, unless the documentation uses them itself: there « cb » finds « cb ».
 */
export function writtenOut(question: string, { language, frequency }: Usage): string {
  if (language !== "fr") return question
  const words = [...question.matchAll(/[\p{L}\p{N}'’-]+/gu)]
  let out = ""
  let end = 0
  for (let at = 0; at < words.length; at++) {
    const match = longestFrom(words, at)
    if (!match || isUsed(match.short, match.long, language, frequency)) continue
    const [first, last] = [words[at], words[at + match.words - 1]] as [RegExpExecArray, RegExpExecArray]
    out += question.slice(end, first.index + match.elision) + match.long
    end = last.index + last[0].length
    at += match.words - 1
  }
  return out + question.slice(end)
}

function longestFrom(words: readonly RegExpExecArray[], at: number) {
  for (let count = maxWordsOfOne; count > 0; count--) {
    const text = words.slice(at, at + count).join(" ")
    const short = withoutElision(text, "fr")
    const folded = withoutAccents(short.toLowerCase())
    const long = written.get(folded)
    if (long !== undefined)
      return {
        short: folded,
        long,
        words: Math.min(count, words.length - at),
        elision: text.length - short.length,
      }
  }
  return undefined
}

/** A short form that shares its term with the word written out, such as « rdv », is used only as that word. */
function isUsed(short: string, long: string, language: Language, frequency: Usage["frequency"]): boolean {
  const terms = analyse(short, language)
  const meant = new Set(analyse(long, language))
  return terms.some((term) => !meant.has(term)) && terms.every((term) => frequency(term) > 0)
}
