import type { RequiredKind } from "../../answering/retrieval/asked-fact.ts"

const quoted = (word: string) => `«\u00a0${word}\u00a0»`
const listed = (words: readonly string[]) => words.map(quoted).join(", ")

export const words = {
  whyNot: "Ce qui manque pour répondre",
  whySo: "Ce que la réponse ne reprend pas de la question",
  nothingAgainst: "L’extrait cité reprend tout ce que la question nomme.",
  judged: { answered: "l’extrait cité", refused: "le passage le plus proche" },
  noPassage: "Aucune page n’a de mot ni de sens en commun avec cette question.",
  unknown: (words: readonly string[]) =>
    words.length < 2
      ? `Le mot ${listed(words)} n’est sur aucune page.`
      : `Les mots ${listed(words)} ne sont sur aucune page.`,
  missing: (words: readonly string[], of: string) =>
    words.length < 2
      ? `Le mot ${listed(words)} est ailleurs sur le site, mais pas dans ${of}.`
      : `Les mots ${listed(words)} sont ailleurs sur le site, mais pas dans ${of}.`,
  quantity: (kind: RequiredKind, of: string) => `Rien, dans ${of}, ne donne de ${quantities[kind]}.`,
  unheaded: "Aucun titre ne nomme ce que la question demande («\u00a0quel…\u00a0»).",
  uncited: "Des passages semblaient convenir, mais aucune phrase n’a pu être citée avec sa source.",
  far: "Aucun passage n’est assez proche de la question.",
  nearest: "Le passage le plus proche parle de",
  synonym: (word: string) => `Déclarer un synonyme de ${quoted(word)}`,
  toWrite: "Complétez-le, écrivez une page, ou choisissez vous-même la réponse.",
}

const quantities: Record<RequiredKind, string> = {
  price: "prix",
  version: "version",
  hour: "heure",
  date: "date",
  frequency: "fréquence",
  time: "durée ni de délai",
  number: "nombre",
  phone: "numéro de téléphone",
  email: "adresse e-mail",
}
