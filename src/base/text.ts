/**
 * Bounds texts from outside before they are processed. Unicode normalisation and IDNA take time that grows
 * with the square of the length, so the sender must not choose the length.
 */

/** Limit of RFC 5321 and of browsers. */
export const maxEmailLength = 254
/** Browsers and servers take an address of this length, all of them. Parsing one takes the square of its length. */
export const maxUrlLength = 2048
/** A host has at most 253 characters; the rest is for a user name and a port. */
const maxAuthorityLength = 300

/** Whether a text has more than `maxLength` code points. Does not count those of a far longer text. */
export function isLongerThan(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false
  return text.length > 2 * maxLength || [...text].length > maxLength
}

/** One line, no control characters, and none that turn the direction of what stands behind it. */
export function isLine(text: string, maxLength: number): boolean {
  return !isLongerThan(text, maxLength) && !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text)
}

/** Parses a URL (WHATWG); null when it is invalid or too long. */
export function parsedUrl(text: string): URL | null {
  if (text.length > maxUrlLength) return null
  // Like the parser, ignores leading blanks, drops tabs and line ends anywhere, and accepts either slash.
  const plain = text.replace(/[\t\r\n]/g, "")
  const [, authority = ""] = /^[^a-z]*[a-z][a-z\d+.-]*:[/\\]*([^/\\?#]*)/i.exec(plain) ?? []
  return authority.length > maxAuthorityLength ? null : URL.parse(text)
}

/**
 * Normalises a text of any length. Sorting a long run of combining marks is the quadratic part, so marks
 * beyond eight in a row, which no language writes, are removed first.
 */
export function toUnicodeForm(text: string, form: "NFC" | "NFKC"): string {
  return text.replace(longRuns, "$1").normalize(form)
}

/** A text as it is compared and kept: letters and their accents composed, one blank between words, none around. */
export function singleSpaced(text: string): string {
  return toUnicodeForm(text, "NFC").replace(/\s+/g, " ").trim()
}

/** `Élève` → `Eleve`, for search. Safe for a text of any length. */
export function withoutAccents(text: string): string {
  // Marks are removed before normalising too, so that there are none to sort.
  return text.replace(marks, "").normalize("NFKD").replace(marks, "")
}

/** Without invisible characters that come along with a copied text, and with ordinary blanks. Line ends stay. */
export function asTyped(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return text
    .replace(/[\p{Default_Ignorable_Code_Point}\ufff9-\ufffc]/gu, "")
    .replace(/[\p{Zs}\u2028\u2029\u0085]/gu, " ")
}

/** Lower case without accents or ligatures: `Œuvre` → `oeuvre`. Safe for a text of any length. */
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

/** The only letters that normalisation turns into marks, which it has to sort. */
const marks = /[\p{M}\uff9e\uff9f]/gu
const longRuns = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu

/**
 * An address as people type it: `www.exemple.fr/aide` becomes `https://www.exemple.fr/aide`. Anything that does
 * not begin with a host name stays as it is, to be judged by the caller.
 */
export function withScheme(text: string): string {
  const typed = text.trim()
  return startsWithHost.test(typed) ? `https://${typed}` : typed
}

/** At least two labels and perhaps a port: neither `mailto:…` nor `localhost` nor a user name. */
const startsWithHost = /^[^\s:/?#@\\.]+(?:\.[^\s:/?#@\\.]+)+(?::\d{1,5})?(?:[/?#]|$)/

/** An address as people read it: `www.exemple.fr/aide`. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "")
}

/** The text on one line, its end replaced by … where it has more than `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line
}

/** A part of a URL with its percent signs decoded; unchanged where they stand for nothing. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Parses JSON; undefined for anything else. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An address with its accents: `www.exemple.fr/réglages` for `https://www.exemple.fr/r%C3%A9glages`. */
export function readableUrl(url: string): string {
  try {
    return withoutScheme(decodeURI(url))
  } catch {
    return withoutScheme(url)
  }
}

export function withoutFragment(url: string): string {
  return url.split("#")[0] as string
}
