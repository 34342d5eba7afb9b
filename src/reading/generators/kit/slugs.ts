/** Removes the marks that VitePress removes; where only ASCII stays, the others go with it. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
}

/** Removes accents alone: « 2ᵉ » and « m² » stay. */
export function withoutMarks(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .normalize()
}

/** `Créer l’été` → `Creer lete`. */
export function asciiOnly(text: string): string {
  return withoutAccents(text).replace(/[^\0-\x7f]/g, "")
}

/** The text with other letters for those of a table. */
export function rewritten(text: string, letters: Readonly<Record<string, string>>): string {
  return text.replace(/[^\w\s]/g, (letter) => letters[letter] ?? letter)
}

/** Without accents, and with ligatures as their letters. */
export function withoutLigatures(text: string): string {
  return withoutAccents(rewritten(text.toLowerCase(), ligatures))
}

const ligatures = { œ: "oe", æ: "ae", ß: "ss", ø: "o" }
