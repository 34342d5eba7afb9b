import { toUnicodeForm } from "../../base/text.ts"
import { memoizePerPassage } from "../../index/lance/passage-cache.ts"
import type { Passage } from "../../reading/formats/document.ts"
import { withoutAddresses } from "./addresses.ts"
import { codeParts } from "./code-parts.ts"
import { numbersInWords } from "./number-words.ts"
import { shownText } from "./shown-text.ts"

/**
 * Whether every number, option and code identifier of a text occurs in one of the passages. A model gets these
 * wrong most easily, and readers copy them.
 */
export function isGrounded(markdown: string, passages: readonly Passage[]): boolean {
  const facts = passages.map(passageFacts)
  const hasNumber = (reading: string) => facts.some(({ numbers }) => numbers.has(reading))
  const hasName = (name: string) => facts.some(({ names }) => names.has(name))
  const parts = codeParts(withoutAddresses(markdown)) ?? []
  return parts.every(({ text, isCode }) => {
    const usedNames = isCode ? namesIn(text.replace(/^```.*/, "")) : identifiersIn(text)
    const usedNumbers = isCode ? [] : [...digitsIn(withoutListNumbers(text)), ...largeNumbersIn(text)]
    return (
      usedNames.every((name) => hasName(name) || numberReadings(name).some(hasNumber)) &&
      usedNumbers.every((readings) => readings.some(hasNumber))
    )
  })
}

/** Names and numbers of a passage. Memoized, because every sentence of an answer is compared with them. */
const passageFacts = memoizePerPassage((passage: Passage) => {
  const text = shownText(passage)
  return { names: new Set(namesIn(text)), numbers: new Set(numbersIn(text).flat()) }
})

/** Everything that may be a name in code, whole and split at `.`, `:` and `/`. */
function namesIn(text: string): string[] {
  return (text.match(name) ?? []).flatMap((found) => {
    const whole = found.replace(/(?<![.:-])[.:-]+$/, "")
    return whole === "" ? [] : [whole, ...whole.split(/[.:/]/).filter(Boolean)]
  })
}

/** Identifiers in prose: what cannot be a word of the language. */
function identifiersIn(text: string): string[] {
  return (text.match(identifier) ?? []).map((found) => found.replace(/(?<![.:-])[.:-]+$/, ""))
}

const name = /-{0,2}[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#.:-]*/gu
/** A part before a dot is limited to 63 characters, which keeps long chains of hyphens linear. */
const identifier =
  /(?<![\p{L}\p{N}-])--?\p{L}[\p{L}\p{N}-]*|[@$]\p{L}[\p{L}\p{N}_-]*|(?<![\p{L}\p{N}_])(?:\p{L}[\p{L}\p{N}]*_[\p{L}\p{N}_]+|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|\p{L}[\p{L}\p{N}-]{0,62}(?:\.\p{L}[\p{L}\p{N}]+)+)/gu

function withoutListNumbers(text: string): string {
  return text.replace(/(?<=^|\n)[^\S\n]*\d{1,2}[.)](?=\s)/g, "")
}

/**
 * Numbers of a passage, each with its possible readings. Small numbers in words count too, because a model may
 * write them in digits.
 */
function numbersIn(text: string): string[][] {
  const smallNumbers = Object.entries(smallNumberWords).flatMap(([number, word]) =>
    word.test(text) ? [[number]] : [],
  )
  return [...digitsIn(text), ...smallNumbers, ...largeNumbersIn(text)]
}

function digitsIn(text: string): string[][] {
  return (withAsciiDigits(text).match(digits) ?? []).map(numberReadings)
}

/** Large numbers in words. Small ones are left out, since they may be no numbers at all: `one of the two`. */
function largeNumbersIn(text: string): string[][] {
  return numbersInWords(text)
    .filter((value) => value > maxSmallNumber)
    .map((value) => [String(value)])
}

const maxSmallNumber = 10

/** Converts digits of every script, and characters composed of digits, to ASCII: `９`, `٩`, `²`, `½`. */
function withAsciiDigits(text: string): string {
  return toUnicodeForm(text, "NFKC").replace(/\p{Nd}/gu, asciiDigit)
}

/** Unicode has the ten digits of a script in a row, so the zero follows a character that is no digit. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--
  return String(code - zero)
}

const digits = /(?<![\p{L}\p{N}_])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*/gu

/** Values that a number may have: `1 000`, `1,000`, `1.000` and `1000` may be equal; `1,5` and `1.5` are. */
function numberReadings(number: string): string[] {
  const joined = number.replace(/[ \u00a0\u202f]/g, "")
  const decimal = joined.replaceAll(",", ".")
  return /^\d{1,3}(?:[.,]\d{3})+$/.test(joined) ? [decimal, joined.replace(/[.,]/g, "")] : [decimal]
}

const smallNumberWords: Record<string, RegExp> = {
  1: /(?<!\p{L})(?:une?|one)(?!\p{L})/iu,
  2: /(?<!\p{L})(?:deux|two)(?!\p{L})/iu,
  3: /(?<!\p{L})(?:trois|three)(?!\p{L})/iu,
  4: /(?<!\p{L})(?:quatre|four)(?!\p{L})/iu,
  5: /(?<!\p{L})(?:cinq|five)(?!\p{L})/iu,
  6: /(?<!\p{L})six(?!\p{L})/iu,
  7: /(?<!\p{L})(?:sept|seven)(?!\p{L})/iu,
  8: /(?<!\p{L})(?:huit|eight)(?!\p{L})/iu,
  9: /(?<!\p{L})(?:neuf|nine)(?!\p{L})/iu,
  10: /(?<!\p{L})(?:dix|ten)(?!\p{L})/iu,
}
