import { normalised } from "../../base/text.ts"
import type { Passage } from "../documents/document.ts"
import { oncePerPassage } from "../index/hot-passages.ts"
import { withoutAddresses } from "./addresses.ts"
import { codeParts } from "./code-parts.ts"
import { numbersInWords } from "./number-words.ts"
import { shownText } from "./shown-text.ts"

/**
 * Whether every number, option and code identifier of a text stands in one of the passages: what a model most
 * easily gets wrong, and readers most easily copy.
 */
export function isGrounded(markdown: string, passages: readonly Passage[]): boolean {
  const grounds = passages.map(groundOf)
  const hasNumber = (reading: string) => grounds.some(({ numbers }) => numbers.has(reading))
  const hasName = (name: string) => grounds.some(({ names }) => names.has(name))
  const parts = codeParts(withoutAddresses(markdown)) ?? []
  return parts.every(({ text, isCode }) => {
    const wanted = isCode ? namesIn(text.replace(/^```.*/, "")) : identifiersIn(text)
    const counted = isCode ? [] : [...digitsIn(withoutListNumbers(text)), ...largeNumbersIn(text)]
    return (
      wanted.every((name) => hasName(name) || readingsOf(name).some(hasNumber)) &&
      counted.every((readings) => readings.some(hasNumber))
    )
  })
}

/** What a passage says, in names and numbers: every sentence of an answer is held against it. */
const groundOf = oncePerPassage((passage: Passage) => {
  const text = shownText(passage)
  return { names: new Set(namesIn(text)), numbers: new Set(numbersIn(text).flat()) }
})

/** Everything that may be a name in code, whole and in its parts. */
function namesIn(text: string): string[] {
  return (text.match(name) ?? []).flatMap((found) => {
    const whole = found.replace(/(?<![.:-])[.:-]+$/, "")
    return whole === "" ? [] : [whole, ...whole.split(/[.:/]/).filter(Boolean)]
  })
}

/** In prose: what cannot be a word of the language. */
function identifiersIn(text: string): string[] {
  return (text.match(identifier) ?? []).map((found) => found.replace(/(?<![.:-])[.:-]+$/, ""))
}

const name = /-{0,2}[\p{L}\p{N}_$@#][\p{L}\p{N}_$@#.:-]*/gu
/**
 * A part of a name before a dot has 63 characters at most: chains of hyphens would be read again from each of
 * them.
 */
const identifier =
  /(?<![\p{L}\p{N}-])--?\p{L}[\p{L}\p{N}-]*|[@$]\p{L}[\p{L}\p{N}_-]*|(?<![\p{L}\p{N}_])(?:\p{L}[\p{L}\p{N}]*_[\p{L}\p{N}_]+|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|\p{L}[\p{L}\p{N}-]{0,62}(?:\.\p{L}[\p{L}\p{N}]+)+)/gu

function withoutListNumbers(text: string): string {
  return text.replace(/(?<=^|\n)[^\S\n]*\d{1,2}[.)](?=\s)/g, "")
}

/**
 * Each number in the ways it may be meant; words that say one count in passages, where a model may write the
 * digit.
 */
function numbersIn(text: string): string[][] {
  const said = Object.entries(words).flatMap(([number, word]) => (word.test(text) ? [[number]] : []))
  return [...digitsIn(text), ...said, ...largeNumbersIn(text)]
}

function digitsIn(text: string): string[][] {
  return (withPlainDigits(text).match(digits) ?? []).map(readingsOf)
}

/**
 * Numbers in words, which count like the same in digits. Small ones may be no number at all: `one of the
 * two`.
 */
function largeNumbersIn(text: string): string[][] {
  return numbersInWords(text)
    .filter((value) => value > smallNumber)
    .map((value) => [String(value)])
}

const smallNumber = 10

/** Full-width, Arabic and other digits, and what is made of digits: `９`, `٩`, `²`, `½`. */
function withPlainDigits(text: string): string {
  return normalised(text, "NFKC").replace(/\p{Nd}/gu, plainDigit)
}

/** Digits of a script stand in a row of ten, which begins where the character before is none. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && code - zero < 9) zero--
  return String(code - zero)
}

const digits = /(?<![\p{L}\p{N}_])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*/gu

/** `1 000`, `1,000`, `1.000` and `1000` may be one number, `1,5` and `1.5` are. */
function readingsOf(number: string): string[] {
  const joined = number.replace(/[ \u00a0\u202f]/g, "")
  const decimal = joined.replaceAll(",", ".")
  return /^\d{1,3}(?:[.,]\d{3})+$/.test(joined) ? [decimal, joined.replace(/[.,]/g, "")] : [decimal]
}

const words: Record<string, RegExp> = {
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
