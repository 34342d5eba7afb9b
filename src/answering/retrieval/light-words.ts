import type { Language } from "../../accounts/project.ts"
import { analyse } from "../../index/text/analyse.ts"

/** Whether a word says little whatever it stands with, so that a text without it may answer all the same. */
export function isLight(terms: readonly string[], language: Language): boolean {
  lightTerms[language] ??= new Set(analyse(lightWords[language], language))
  return terms.some((term) => lightTerms[language]?.has(term))
}

const lightTerms: Partial<Record<Language, ReadonlySet<string>>> = {}

const lightWords: Record<Language, string> = {
  fr:
    "faire mettre prendre aller savoir donner passer trouver utiliser marcher fonctionner dire venir voir arriver " +
    "rester tenir laisser rendre demander obtenir chercher besoin possible chose truc moyen façon manière exemple " +
    "cas gens personne",
  en:
    "do make get use have go take work put set want need know give find see come look keep let try thing way " +
    "example case people happen",
}
