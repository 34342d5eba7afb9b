import { withoutAccents } from "../../base/text.ts"

/** Lower case without accents or ligatures: `Œuvre` → `oeuvre`. */
export function fold(text: string): string {
  const lowered = text.toLowerCase()
  return /^[\x20-\x7e]*$/.test(lowered) ? lowered : foldCased(lowered)
}

/** As `fold`, but for the case of the letters a to z. */
export function foldCased(text: string): string {
  return withoutAccents(text)
    .replaceAll("œ", "oe")
    .replaceAll("Œ", "Oe")
    .replaceAll("æ", "ae")
    .replaceAll("ß", "ss")
}
