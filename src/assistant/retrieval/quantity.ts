import type { Language } from "../../accounts/project.ts"

/** Kinds of quantities that a question may ask for. */
export type QuantityKind = "price" | "version" | "date" | "time" | "number"

/** The kind of quantity that a question asks for; undefined when it asks for none. */
export function quantityAsked(question: string, language: Language): QuantityKind | undefined {
  if (!asked[language].test(question)) return undefined
  return kinds.find(([, named]) => named.test(question))?.[0] ?? "number"
}

/** Whether a text gives a quantity of the kind, other than the numbers that the question itself has. */
export function givesQuantity(text: string, kind: QuantityKind, question: string): boolean {
  const known = new Set(question.match(numbers))
  const plain = text.replace(listNumber, " ").replace(numbers, (found) => (known.has(found) ? " " : found))
  return given[kind].test(plain)
}

/** Words of a question that name the quantity, and not the thing that has it. */
export const namesQuantity =
  /^(?:[dl]['’])?(?:combien|quand|prix|tarifs?|tailles?|dates?|annees?|score|durees?|delais?|port|versions?|numero|fois|temps|mois|jours?|nombre|price|age|size|year|times?|often|long|many|much|sort)$/iu

/**
 * « quand » and "when" ask for a date only before a verb of the past or the future: « quand utiliser… » asks for a
 * case, and « quand je clique… » for nothing.
 */
const asked: Record<Language, RegExp> = {
  fr: /(?<!\p{L})(?:combien|quand (?:a|ont|sera|seront|aura|auront|sort|sortira|est[- ](?:sortie?|parue?|prévue?|née?))|quel(?:le)?s? (?:(?:est|sont|sera) )?(?:l[ae]s? |l['’])?(?:âge|prix|tarifs?|taille|longueur|hauteur|distance|date|année|score|salaire|durée|délai|port|version|numéro|poids))(?!\p{L})|^(?:prix|tarif|date|année|durée|délai|port|version|numéro|taille)(?!\p{L})/iu,
  en: /(?<!\p{L})(?:how (?:many|much)|how (?:often|long|old|tall|far|big|large) (?:do|does|did|is|are|was|can|will|would|should|has|have|may)|when (?:was|were|did|will)|(?:what|which)(?:'s| is| are)?(?: the)?(?: \p{L}{1,20})? (?:year|date|price|age|size|version|port|duration|delay|timeout|minimum|maximum|limit|threshold|rate))(?!\p{L})|^how (?:often|long|old|tall|far|big|large)(?!\p{L})/iu,
}

/** The first that fits: « tous les combien sort une version ? » asks for a time, « version » alone for a version. */
const kinds: readonly [QuantityKind, RegExp][] = [
  [
    "price",
    /(?<!\p{L})(?:prix|tarifs?|co[ûu]ts?|co[ûu]te|abonnement|salaire|price|pricing|cost|fee)(?!\p{L})/iu,
  ],
  [
    "time",
    /(?<!\p{L})(?:combien de (?:temps|mois|jours|semaines|années|minutes|heures|secondes)|durée|délai|tous les combien|how (?:long|often)|timeout|duration|delay)(?!\p{L})/iu,
  ],
  ["version", /(?<!\p{L})versions?(?!\p{L})/iu],
  ["date", /(?<!\p{L})(?:quand|date|année|when|year)(?!\p{L})/iu],
]

const numbers = /\d+(?:[.,]\d+)*/g
const listNumber = /^ {0,8}\d{1,9}\.\s/gm

const given: Record<QuantityKind, RegExp> = {
  price: /\d\s?(?:€|\$|£|euros?|dollars?|usd|eur)|[€$£]\s?\d|(?<!\p{L})(?:gratuit|free|gratis)/iu,
  // `3.4`, `v3`, "version 3", `React 19`
  version:
    /(?<![\p{L}\d])[vV]?\d{1,9}\.\d|(?<![\p{L}\d])[vV]\d|(?<=[vV]ersions? )\d|(?<=\p{Lu}[\p{L}.]{2,20} )\d/u,
  date: /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\p{L})(?:janvier|january|février|february|mars|march|avril|april|juin|june|juillet|july|août|august|septembre|september|octobre|october|novembre|november|décembre|december)(?!\p{L})/iu,
  time: /(?:\d|(?<!\p{L})(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|one|two|three|four|five|six|seven|eight|nine|ten|an?))[\s-]?(?:ms|s|min|h|millisecond|second|minute|hour|day|week|month|year|milliseconde|seconde|heure|jour|semaine|mois|an|année)s?(?!\p{L})|(?<!\p{L})(?:daily|weekly|monthly|yearly|(?:chaque|par) (?:jour|semaine|mois|ann?ée|an))(?!\p{L})/iu,
  number:
    /(?<![\p{L}\p{N}.])\d|(?<!\p{L})(?:deux|trois|quatre|cinq|six|sept|huit|dix|two|three|four|five|seven|eight|ten|once|twice)(?!\p{L})/iu,
}
