import type { Language } from "../../accounts/project.ts"

/** Kinds of quantities that a question may ask for. */
export type QuantityKind = "price" | "version" | "hour" | "date" | "frequency" | "time" | "number"

/** The kind of quantity that a question asks for; undefined when it asks for none. */
export function quantityAsked(question: string, language: Language): QuantityKind | undefined {
  if (!questionForms[language].some((form) => form.test(question))) return undefined
  return kinds.find(([, named]) => named.test(question))?.[0] ?? "number"
}

/** Whether a text gives a quantity of the kind, other than the numbers that the question itself has. */
export function givesQuantity(text: string, kind: QuantityKind, question: string): boolean {
  const inQuestion = new Set([...(question.match(numbers) ?? []), ...wordsForNumbers(question)])
  const plain = (kind === "number" && counts.test(question) ? text.replace(noCounts, " ") : text)
    .replace(listNumber, " ")
    .replace(numbers, (found) => (inQuestion.has(found) ? " " : found))
    .replace(numberWords, (found) => (inQuestion.has(found.toLowerCase()) ? " " : anyNumber))
  return quantityForms[kind].some((form) => form.test(plain))
}

function wordsForNumbers(text: string): string[] {
  return (text.match(numberWords) ?? []).map((word) => word.toLowerCase())
}

/** Words of a question that name the quantity, and not the thing that has it. */
export const namesQuantity =
  /^(?:[dl]['’])?(?:combien|quand|prix|tarifs?|couts?|coute(?:nt|r|rait)?|montants?|payer|paye|tailles?|dates?|heures?|horaires?|annees?|score|durees?|dure|delais?|port|versions?|numeros?|telephone|fois|frequence|periodicite|temps|mois|jours?|nombre|price|cost|fee|age|size|year|times?|often|frequently|long|many|much|sort|maximum|minimum)$/iu

/**
 * « quand » and "when" ask for a date only before a verb of the past, the future or a beginning, after a verb
 * and at the end of a question: « quand utiliser… » asks for a case, and « quand je clique… » for nothing.
 */
const questionForms: Record<Language, readonly RegExp[]> = {
  fr: [
    /(?<!\p{L})(?:combien|(?:depuis|jusqu['’ ]?à) quand|quand (?:a|ont|aura|auront|sera|seront|sort|sortira|ouvre|ouvrent|ferme|ferment|commence|commencent|débute|débutent|est[- ](?:sortie?|parue?|prévue?|née?|l[ae]s? |l['’])|se (?:termine|déroule|tient|passe)(?:nt)?)|quand\s?\?)(?!\p{L})/iu,
    /(?<!\p{L})(?:c['’]?\s?est|sont|sera|seront|ouvert[es]{0,2}|fermée?s?|(?:ouvre|ferme|commence|débute|termine|tombe|passe|joue|arrive)(?:nt)?|finit|finissent|part|partent|(?:a|ont) lieu) quand(?! (?:on|je|tu|ils?|elles?|nous|vous|même)(?!\p{L}))(?!\p{L})/iu,
    /(?<!\p{L})quel(?:le)?s? (?:(?:est|sont|sera) )?(?:l[ae]s? |l['’])?(?:âge|prix|tarifs?|coût|montant|taille|longueur|hauteur|distance|dates?|jours?|heures?|horaires?|année|score|salaire|durée|délais?|fréquence|périodicité|port|version|numéro|poids)(?!\p{L})|^(?:prix|tarifs?|dates?|horaires?|année|durée|délai|port|version|numéro|taille)(?!\p{L})/iu,
  ],
  en: [
    /(?<!\p{L})(?:how (?:many|much)|how (?:often|frequently|long|old|tall|far|big|large) (?:do|does|did|is|are|was|can|will|would|should|has|have|may)|when (?:was|were|did|will)|what time (?:do|does|is|are|will|can)|(?:what|which)(?:'s| is| are)?(?: the)?(?: \p{L}{1,20})? (?:year|days?|date|price|cost|fee|age|size|version|port|duration|delay|timeout|minimum|maximum|limit|threshold|rate))(?!\p{L})|^how (?:often|frequently|long|old|tall|far|big|large)(?!\p{L})/iu,
  ],
}

/** The first that fits: « tous les combien sort une version ? » asks for a time, « version » alone for a version. */
const kinds: readonly [QuantityKind, RegExp][] = [
  // A password that "must be" so long has characters.
  ["number", /(?<!\p{L})how long (?:must|should|can|may) [^?]{1,40} be(?!\p{L})/iu],
  [
    "price",
    /(?<!\p{L})(?:prix|tarifs?|co[ûu]ts?|co[ûu]te(?:nt|r|rait)?|abonnement|salaire|montant|(?:c['’]est|(?:ça|cela) fait|payer?|paie) combien(?! d(?:e |['’]))|combien (?:c['’]est|(?:ça|cela) (?:fait|vaut)|va(?:ut|lent)|(?:je|on|(?:il )?faut|faut-il|dois-je|doit-on|vais-je|vous) (?:pa[iy]e|payer|payez|touche))|price|pricing|costs?|fees?)(?!\p{L})/iu,
  ],
  [
    "frequency",
    /(?<!\p{L})(?:tou(?:te)?s les combien|combien de fois|fréquence|périodicité|how (?:often|frequently|many times))(?!\p{L})/iu,
  ],
  [
    "time",
    /(?<!\p{L})(?:combien (?:de |d['’])(?:temps|mois|jours|semaines|années|ans|minutes|heures|secondes)|durée|délais?|combien (?:dur|prend)(?:e|ent|era)?|how (?:long|many (?:seconds|minutes|hours|days|weeks|months|years))|timeout|duration|delay)(?!\p{L})/iu,
  ],
  [
    "hour",
    /(?<!\p{L})(?:quel(?:le)?s? (?:(?:est|sont) )?(?:l[ae]s? |l['’])?(?:heures?|horaires?)|horaires?|what times?|(?:opening|business|office) hours)(?!\p{L})/iu,
  ],
  [
    "date",
    /(?<!\p{L})(?:quel(?:le)?s? (?:(?:est|sont) )?(?:l[ae]s? |l['’])?(?:jours?|dates?|année)|(?:what|which) (?:days?|date|year))(?!\p{L})/iu,
  ],
  ["version", /(?<!\p{L})versions?(?!\p{L})/iu],
  // « combien je paie quand je suis étudiant ? » asks for no date.
  ["date", /(?<!\p{L})(?:(?<!combien .{1,200})quand|dates?|année|(?<!how .{1,200})when|year)(?!\p{L})/iu],
]

/** Asks how many there are of something that is neither money nor time. */
const counts =
  /(?<!\p{L})(?:combien (?:de |d['’])(?!euros|argent|pour ?cent)|how many (?!dollars|euros|pounds|percent))\p{L}/iu
/** Numbers that count nothing: « 18 € par élève », « 20 % », « à 16 h 30 », « le 12 mars », « en 1998 » */
const noCounts =
  /\d{1,9}(?:[.,]\d{1,9})?[\s*_]{0,3}(?:€|\$|£|%|(?:euros?|dollars?|centimes|chf|pour ?cent|percent)(?!\p{L}))|[€$£]\s?\d{1,9}|\d{1,2} ?h(?: ?\d\d)?(?![\p{L}\d])|(?<!\d)\d{1,2}(?:er)? (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|january|february|march|april|may|june|july|august|september|october|november|december)(?!\p{L})|(?<!\p{L})(?:en|depuis|since|in) (?:19|20)\d\d(?!\d)/giu

const numbers = /\d+(?:[.,]\d+)*/g
const listNumber = /^ {0,8}\d{1,9}\.\s/gm
/** Without « un », "one" and « neuf », which seldom count anything. */
const numberWords =
  /(?<!\p{L})(?:deux|trois|quatre|cinq|six|sept|huit|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|septante|octante|nonante|cent|mille|millions?|milliards?|dizaine|douzaine|quinzaine|vingtaine|trentaine|centaine|millier|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|billion|dozen)(?!\p{L})/giu
/** Stands for a number in words. */
const anyNumber = "7"

const duration = [
  /(?:\d|(?<!\p{L})(?:une?|neuf|one|an?|quelques|plusieurs|several|few|demi|half an?))[\s*_-]{0,3}(?:d['’]|(?:de|bonne?s?|petite?s?|business|working|calendar|full|more) )?(?:ms|s|min|h|millisecond|second|minute|hour|day|week|fortnight|month|quarter|year|milliseconde|seconde|heure|jour|journée|semaine|quinzaine|mois|trimestre|semestre|an|année)s?(?!\p{L})/iu,
  /(?<!\p{L})(?:daily|weekly|monthly|quarterly|yearly|(?:chaque|par) (?:jour|semaine|mois|trimestre|semestre|ann?ée|an)|forever|indefinitely|indéfiniment|illimitée?|immediately|immédiatement)(?!\p{L})/iu,
]

/** Words for what returns, beside days, durations and « tous les mois ». */
const returning =
  /(?<!\p{L})(?:quotidien|journali[eè]re?|hebdomadaire|bi-?hebdomadaire|bi-?mensuel|mensuel|bi-?mestriel|trimestriel|semestriel|annuel|bis?annuel|biennal|triennal|permanent)(?:le|ne|e)?(?:s|ment)?(?!\p{L})|(?<!\p{L})(?:hourly|daily|nightly|weekly|fortnightly|bi-?weekly|monthly|bi-?monthly|quarterly|(?:semi|bi)?-?annual(?:ly)?|half-yearly|yearly|continuous(?:ly)?)(?!\p{L})|(?:\d|(?<!\p{L})(?:une|once|twice|times)) ?(?:fois )?(?:par|chaque|each|every|per|an?) \p{L}/iu

/** « Combien de fois puis-je prolonger ? » asks how many times at all. « Une fois inscrit » tells no number. */
const numberOfTimes = [
  /(?:\d|(?<!\p{L})(?:neuf|quelques|plusieurs|several|a few)) (?:fois|times)(?!\p{L})|(?<!\p{L})une (?:seule fois|fois(?=\s?(?:[.,;:!?)]|$)| (?:au|maximum|seulement)(?!\p{L})))/iu,
  /(?<!\p{L})(?:once(?! (?:you|your|it|the|an?|we|they|this|that|all)(?!\p{L}))|twice|aucune limite|sans limite|illimitée?s?|unlimited|no limit|autant de fois|as (?:many times|often) as)(?!\p{L})/iu,
  /(?<!\p{L})(?:(?:tou(?:te)?s les|every) \d|(?:chaque|tou(?:te)?s les|every|each) (?:matin|soir|nuit|morning|evening|night)s?(?!\p{L}))/iu,
]

const hourOfDay =
  /(?<![\d.,])(?:[01]?\d|2[0-4])(?:\s?h(?:\s?\d\d)?(?![\p{L}\d])|[:.][0-5]\d(?![\d.]))|\d\s?(?:a\.?m|p\.?m)(?!\p{L})|\d\s?heures?(?!\p{L})|(?<!\p{L})(?:midi|minuit|noon|midnight)(?!\p{L})/iu

/** Days of the week, hours of the clock, and days that return. */
const timeOfWeek = [
  /(?<!\p{L})(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?(?!\p{L})/iu,
  hourOfDay,
  /(?<!\p{L})(?:week-?ends?|(?:tou(?:te)?s les|every|each) (?:\d{1,3} )?(?:heure|jour|semaine|mois|trimestre|semestre|an|année|hour|day|week|fortnight|month|quarter|year)s?)(?!\p{L})/iu,
]

/** Parts of a month or year. */
const timeOfYear =
  /(?<!\p{L})\d{1,2}(?:er|e|st|nd|rd|th)? (?:du|de chaque|de tous les|of (?:the|each|every)) (?:mois|month)(?!\p{L})|(?<!\p{L})(?:toute l['’]année|(?:au printemps|en (?:été|automne|hiver))|vacances (?:scolaires|d['’]été|de (?:noël|la toussaint|pâques|printemps))|jours fériés|all year|year-round|in (?:spring|summer|autumn|winter)|(?:school|public) holidays)(?!\p{L})/iu

const quantityForms: Record<QuantityKind, readonly RegExp[]> = {
  price: [
    /\d[\s*_]{0,3}(?:(?:k|m|md|milliers? d['’]|millions? d['’]|milliards? d['’])\s?)?(?:€|\$|£|euros?|dollars?|usd|eur|cad|chf|centimes|francs)|(?:[€$£]|(?<!\p{L})(?:chf|eur|usd))\s?\d/iu,
    /(?<!\p{L})(?:gratuit|offert|sans frais|prix libre|(?:participation|contribution|entrée) libre|payante?s?(?!\p{L})|(?:sur|demander un) devis|free|gratis|no charge|at no cost|(?:on|request a) quot(?:e|ation))/iu,
  ],
  // `3.4`, `v3`, "version 3", `React 19`
  version: [
    /(?<![\p{L}\d])[vV]?\d{1,9}\.\d|(?<![\p{L}\d])[vV]\d|(?<=[vV]ersions? )\d|(?<=\p{Lu}[\p{L}.]{2,20} )\d/u,
  ],
  hour: [hourOfDay],
  date: [
    /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}\/\d{1,2}(?!\d)|(?<!\p{L})(?:janvier|january|février|february|mars|march|avril|april|juin|june|juillet|july|août|august|septembre|september|octobre|october|novembre|november|décembre|december)(?!\p{L})/iu,
    ...timeOfWeek,
    timeOfYear,
    // « sous 48 heures » says when, « en 30 secondes » how fast.
    /(?<!\p{L})(?:sous|dans|d['’]ici|après|avant|au bout de|within|after|before)(?: \p{L}{1,9}){0,2} \d{1,4}[\s-]?(?:h|heure|jour|semaine|mois|an|hour|day|week|month|year)s?(?!\p{L})/iu,
  ],
  frequency: [returning, ...numberOfTimes, ...duration, ...timeOfWeek],
  time: [...duration, ...timeOfWeek],
  number: [
    /(?<![\p{L}\p{N}.])\d/u,
    /(?<!\p{L})(?:once|twice|une? seule?|aucune limite|sans limite|illimitée?s?|unlimited|no limit|autant (?:de|que)|as many|only one)(?!\p{L})/iu,
  ],
}
