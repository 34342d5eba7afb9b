/** The words between the parts of an operation, in the language of its document. */
export interface Labels {
  address: string
  security: string
  parameters: string
  body: string
  replies: string
  required: string
  deprecated: string
}

const french: Labels = {
  address: "URL\u00a0:",
  security: "Authentification",
  parameters: "Paramètres\u00a0:",
  body: "Corps\u00a0:",
  replies: "Réponses\u00a0:",
  required: "obligatoire",
  deprecated: "Obsolète.",
}

const english: Labels = {
  address: "URL:",
  security: "Authentication",
  parameters: "Parameters:",
  body: "Body:",
  replies: "Responses:",
  required: "required",
  deprecated: "Deprecated.",
}

/** Characters that tell the language. */
const judged = 50_000

export function labelsFor(text: string): Labels {
  const start = text.slice(0, judged)
  const count = (words: RegExp) => start.match(words)?.length ?? 0
  const isFrench = count(/ (?:le|la|les|des|du|une|pour|dans) /g) > count(/ (?:the|of|to|and|for|in|is) /g)
  return isFrench ? french : english
}
