import type { Language } from "../../accounts/project.ts"
import { maxEmailLength, maxUrlLength, parsedUrl, withScheme } from "../../base/text.ts"
import { isDay } from "../../base/time.ts"
import { isDomain, isEmail } from "./address.ts"
import { canonicalDay, lacksYear } from "./written-day.ts"

/** A type of field. It is added by an entry here and one in `wording/field-faces.fr.ts`, which says how it is shown. */
interface FieldRule {
  /**
   * Free text, text in the one form of its type, one or several of the options, or a box that is checked or not.
   * `files`: the names of the files that came, one a line. `none`: a text that stands between the fields, and is not
   * answered.
   */
  value: "free" | "typed" | "option" | "options" | "box" | "files" | "none"
  /**
   * Parts of its description beside those of every field. `text`: its label may have several lines. `break`: a page
   * begins.
   */
  parts: readonly ("help" | "placeholder" | "options" | "bounds" | "files" | "text" | "break")[]
  hasLines?: true
  /** In code points. Free text is bounded by the message as a whole. */
  maxLength?: number
  /**
   * Text typed by people of the project's language, in the form that a browser's own field of that type sends and
   * that is stored. One that is nothing of its type comes back as it was, to be refused.
   */
  canonical?(text: string, language: Language): string
  /** Whether a typed value is one of its type, in the form in which it is stored. */
  isValid?(value: string): boolean
  /** The code of a sentence that says better than that of the type what is wrong with a value that is none of it. */
  fault?(value: string, language: Language): string | undefined
}

const rules = {
  text: { value: "free", parts: ["help", "placeholder"] },
  textarea: { value: "free", parts: ["help", "placeholder"], hasLines: true },
  email: { value: "typed", parts: ["help", "placeholder"], maxLength: maxEmailLength, isValid: isEmail },
  tel: {
    value: "typed",
    parts: ["help", "placeholder"],
    maxLength: 50,
    canonical: (text, language) => canonicalTelephone(withPlainSigns(text), language),
    isValid: isTelephone,
    fault: (value) => (hasSeveralNumbers(withPlainSigns(value)) ? "forms.oneTelephone" : undefined),
  },
  url: {
    value: "typed",
    parts: ["help", "placeholder"],
    maxLength: maxUrlLength,
    canonical: withScheme,
    isValid: isWebAddress,
  },
  number: {
    value: "typed",
    parts: ["help", "placeholder", "bounds"],
    maxLength: 100,
    canonical: (text, language) =>
      language === "fr" ? frenchNumber(withPlainSigns(text)) : withoutPlus(withPlainSigns(text)),
    isValid: isNumber,
  },
  date: {
    value: "typed",
    parts: ["help"],
    canonical: (text, language) => canonicalDay(withPlainSigns(text), language),
    isValid: isDate,
    fault: (value, language) =>
      lacksYear(withPlainSigns(value), language) ? "forms.yearMissing" : undefined,
  },
  select: { value: "option", parts: ["help", "placeholder", "options"] },
  radio: { value: "option", parts: ["help", "options"] },
  checkbox: { value: "box", parts: ["help"] },
  checkboxes: { value: "options", parts: ["help", "options"] },
  file: { value: "files", parts: ["help", "files"] },
  hidden: { value: "free", parts: [], hasLines: true },
  paragraph: { value: "none", parts: ["text"] },
  page: { value: "none", parts: ["break"] },
} satisfies Record<string, FieldRule>

export type FieldType = keyof typeof rules
export const fieldRules: Record<FieldType, FieldRule> = rules
export const fieldTypes = Object.keys(rules) as FieldType[]

export function isFieldType(type: unknown): type is FieldType {
  return typeof type === "string" && Object.hasOwn(rules, type)
}

/** Whether a field has a value: a text between the fields has none. */
export function hasValue({ type }: { type: FieldType }): boolean {
  return fieldRules[type].value !== "none"
}

/** False for what is no type. */
export function hasPart(type: string, part: FieldRule["parts"][number]): boolean {
  return isFieldType(type) && fieldRules[type].parts.includes(part)
}

/**
 * Copied numbers and dates hold hyphens and minus signs that no keyboard has; keyboards of other scripts write wide
 * signs, or digits of their own.
 */
function withPlainSigns(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212\ufe63]/g, "-")
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
}

/** `1 234,5` → `1234.5`: a comma for decimals, a blank between groups of three. */
function frenchNumber(text: string): string {
  const [, sign = "", whole = "", decimals = ""] =
    /^([+-]?) ?(\d{1,3}(?: \d{3})+|\d*)(,\d+)?$/.exec(text) ?? []
  if (whole + decimals === "") return withoutPlus(text)
  return `${sign === "-" ? sign : ""}${whole.replaceAll(" ", "") || "0"}${decimals.replace(",", ".")}`
}

function withoutPlus(text: string): string {
  return text.replace(/^\+(?=[\d.])/, "")
}

/** A number as a browser sends it: `-12.5`, `1e3`. */
function isNumber(text: string): boolean {
  return /^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))
}

/** A day that exists, as a browser sends it: `2026-11-20`. */
function isDate(text: string): boolean {
  return isDay(text) && !text.startsWith("0000")
}

function isWebAddress(text: string): boolean {
  const url = /\s/.test(text) ? null : parsedUrl(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\//i.test(text) && isDomain(url.hostname)
  )
}

/** Stands before a number, and says of which kind it is. */
const label = /^(?:t[ée]l(?:[ée]phone)?|portable|mobile|fixe|gsm)[ .:]*(?=[+(\d])/i
const extension = /(?:poste|ext(?:ension|\.)?|x|#)[ :.]*(\d{1,6})\)?$/i
const extensionWord = { fr: "poste", en: "ext." }
const number = /^\+?[\d\s().\-/]+(?: (?:poste|ext\.) \d{1,6})?$/

/** `Tél. : (+33) 6 12 34 56 78, poste 12` → `+33 6 12 34 56 78 poste 12`. */
function canonicalTelephone(text: string, language: Language): string {
  const bare = text.replace(/ +/g, " ").replace(label, "")
  const [found = "", digits = ""] = extension.exec(bare) ?? []
  const main = (found ? bare.slice(0, -found.length) : bare)
    .replace(/(?<![ ,;.(-])[ ,;.(-]+$/, "")
    .replace(/^\( ?\+ ?(\d{1,3}) ?\) ?/, "+$1 ")
  return found ? `${main} ${extensionWord[language]} ${digits}` : main
}

/** Without an extension, from three digits (a service) to fifteen (E.164). */
function isTelephone(value: string): boolean {
  const [main = ""] = value.split(/[a-z]/, 1)
  return number.test(value) && /^(\D*\d){3,15}\D*$/.test(main)
}

/** `01 23 45 67 89 / 06 12 34 56 78`, `… ou …`. */
function hasSeveralNumbers(value: string): boolean {
  const numbers = value.split(/[/,;|]| (?:ou|et|or|and) /).filter((each) => /^(?:\D*\d){6}/.test(each))
  return numbers.length > 1 || value.replace(/\D/g, "").length > 15
}
