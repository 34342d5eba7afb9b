/**
 * Texts from outside, bounded before anything is made of them. Unicode normalisation and IDNA take time that
 * grows with the square of their input, so no length is left to whoever sends it.
 */

/** RFC 5321, and what browsers take. */
export const maxEmailLength = 254
/** Of any address of a page. */
export const maxUrlLength = 2048
/** A host has at most 253 characters; the rest is for a user name and a port. */
const maxAuthorityLength = 300

/**
 * Whether a text has more than `maxLength` code points; those of a text that is far longer are not counted.
 */
export function isLongerThan(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false
  return text.length > 2 * maxLength || [...text].length > maxLength
}

/** A WHATWG URL, or null for what is none or too long to be looked at. */
export function parsedUrl(text: string): URL | null {
  if (text.length > maxUrlLength) return null
  // The parser drops blanks before it, tabs and line ends anywhere, and takes either slash.
  const plain = text.replace(/[\t\r\n]/g, "")
  const [, authority = ""] = /^[^a-z]*[a-z][a-z\d+.-]*:[/\\]*([^/\\?#]*)/i.exec(plain) ?? []
  return authority.length > maxAuthorityLength ? null : URL.parse(text)
}

/**
 * One spelling for what looks the same, of a text of any length. Marks beyond eight in a row, which no
 * language writes, are left out first: sorting a run of them is what takes the time.
 */
export function normalised(text: string, form: "NFC" | "NFKC"): string {
  return text.replace(longRuns, "$1").normalize(form)
}

/** `Élève` → `Eleve`, of a text of any length: what search goes by. */
export function withoutAccents(text: string): string {
  // Marks go first as well: there is nothing left to sort.
  return text.replace(marks, "").normalize("NFKD").replace(marks, "")
}

/**
 * With the halfwidth voicing marks of Japanese: the only letters that normalisation turns into marks it has
 * to sort.
 */
const marks = /[\p{M}\uff9e\uff9f]/gu
const longRuns = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu
