/** The words between the parts of an operation, in the language of its document. */
export interface Labels {
  address: string
  contact: string
  security: string
  needs: string
  noSecurity: string
  or: string
  parameters: string
  body: (types: string) => string
  example: (name: string) => string
  replies: string
  required: string
  deprecated: string
  isDeprecated: string
  header: string
  always: string
  usual: string
  pattern: string
  nullable: string
  readOnly: string
  writeOnly: string
  multipleOf: string
  unique: string
  /** For one, and for more. */
  characters: readonly [string, string]
  items: readonly [string, string]
  range: (least: string, most: string) => string
  least: string
  most: string
  moreThan: string
  lessThan: string
}

const french: Labels = {
  address: "URL\u00a0:",
  contact: "Contact\u00a0:",
  security: "Authentification",
  needs: "Authentification\u00a0:",
  noSecurity: "aucune",
  or: "ou",
  parameters: "Paramètres\u00a0:",
  body: (types) => `Corps${types && ` (${types})`}\u00a0:`,
  example: (name) => `Exemple${name && ` (${name})`}\u00a0:`,
  replies: "Réponses\u00a0:",
  required: "obligatoire",
  deprecated: "Obsolète.",
  isDeprecated: "obsolète",
  header: "en-tête",
  always: "toujours",
  usual: "par défaut",
  pattern: "de la forme",
  nullable: "peut être nul",
  readOnly: "en lecture seule",
  writeOnly: "en écriture seule",
  multipleOf: "multiple de",
  unique: "sans doublon",
  characters: ["caractère", "caractères"],
  items: ["élément", "éléments"],
  range: (least, most) => `de ${least} à ${most}`,
  least: "au moins",
  most: "au plus",
  moreThan: "plus de",
  lessThan: "moins de",
}

const english: Labels = {
  address: "URL:",
  contact: "Contact:",
  security: "Authentication",
  needs: "Authentication:",
  noSecurity: "none",
  or: "or",
  parameters: "Parameters:",
  body: (types) => `Body${types && ` (${types})`}:`,
  example: (name) => `Example${name && ` (${name})`}:`,
  replies: "Responses:",
  required: "required",
  deprecated: "Deprecated.",
  isDeprecated: "deprecated",
  header: "header",
  always: "always",
  usual: "default",
  pattern: "of the form",
  nullable: "may be null",
  readOnly: "read only",
  writeOnly: "write only",
  multipleOf: "multiple of",
  unique: "without duplicates",
  characters: ["character", "characters"],
  items: ["item", "items"],
  range: (least, most) => `${least} to ${most}`,
  least: "at least",
  most: "at most",
  moreThan: "more than",
  lessThan: "less than",
}

/** Characters that tell the language. */
const judged = 50_000

export function labelsFor(text: string): Labels {
  const start = text.slice(0, judged)
  const count = (words: RegExp) => start.match(words)?.length ?? 0
  const isFrench = count(/ (?:le|la|les|des|du|une|pour|dans) /g) > count(/ (?:the|of|to|and|for|in|is) /g)
  return isFrench ? french : english
}
