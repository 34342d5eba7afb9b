/** A letter of a font, as the library for PDF gives it. */
export interface Glyph {
  unicode: string
  originalCharCode: number
  /** In thousandths of the font's size, or in units of its own. */
  width: number
  isSpace: boolean
}

/** Signs of TeX's encoding of European letters (T1) that stand elsewhere in Latin-1. */
const t1: Readonly<Record<number, string>> = {
  13: "‚",
  14: "‹",
  15: "›",
  16: "“",
  17: "”",
  18: "„",
  19: "«",
  20: "»",
  21: "–",
  22: "—",
  23: "",
  25: "ı",
  27: "ff",
  28: "fi",
  29: "fl",
  30: "ffi",
  31: "ffl",
  39: "’",
  96: "‘",
  127: "-",
  215: "Œ",
  223: "SS",
  247: "œ",
  255: "ß",
}

/** Of its first encoding (OT1), which has accents instead of letters with accents. */
const ot1: Readonly<Record<number, string>> = {
  11: "ff",
  12: "fi",
  13: "fl",
  14: "ffi",
  15: "ffl",
  16: "ı",
  18: "`",
  19: "´",
  20: "ˇ",
  23: "˚",
  24: "¸",
  25: "ß",
  26: "æ",
  27: "œ",
  29: "Æ",
  30: "Œ",
  34: "”",
  39: "’",
  92: "“",
  94: "ˆ",
  96: "‘",
  123: "–",
  124: "—",
  127: "¨",
}

/** Of its symbols (TS1). */
const symbols: Readonly<Record<number, string>> = { 136: "•", 191: "€" }

export type TexEncoding = Readonly<Record<number, string>>

/**
 * TeX's bitmap fonts name no letters. Undefined where the codes of one font are those of other programs.
 * `hasAccents`: fonts of the same page have letters with accents.
 */
export function texEncoding(codes: ReadonlySet<number>, hasAccents: boolean): TexEncoding | undefined {
  const has = (from: number, to: number) => [...codes].some((code) => code >= from && code <= to)
  if (!has(0x41, 0x5a) && !has(0x61, 0x7a)) return symbols
  if (hasAccents) return t1
  return has(0x0b, 0x1e) ? ot1 : undefined
}

/** The text of a letter: by its place in the encoding where the font does not name it. */
export function texText({ unicode, originalCharCode }: Glyph, encoding: TexEncoding | undefined): string {
  const isUnnamed = unicode.length === 1 && unicode.charCodeAt(0) === originalCharCode
  return (isUnnamed && encoding?.[originalCharCode]) || unicode
}
