/** A cited passage. */
export const source = {
  n: "Numéro utilisé par les repères de `answer`.",
  title: "Titre de la page citée.",
  section: "Section de la page, ou `null`.",
  url: "URL complète du passage, ancre comprise s’il y en a une.",
}

/** The sentences of an object that stands in `field`. */
export function within(field: string, sentences: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(sentences).map(([path, text]) => [`${field}.${path}`, text]))
}
