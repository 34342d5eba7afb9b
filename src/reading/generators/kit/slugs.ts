/** Removes the marks that VitePress removes; where only ASCII stays, the others go with it. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
}

/** `Créer l’été` → `Creer lete`. */
export function asciiOnly(text: string): string {
  return withoutAccents(text).replace(/[^\0-\x7f]/g, "")
}

/** Without accents, and with ligatures as their letters. */
export function withoutLigatures(text: string): string {
  return withoutAccents(text.replace(/[œæßø]/gi, (letter) => ligatures[letter.toLowerCase()] as string))
}

const ligatures: Record<string, string> = { œ: "oe", æ: "ae", ß: "ss", ø: "o" }
