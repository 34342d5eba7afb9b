import type { Language } from "../../accounts/project.ts"
import { maxEmailLength, maxUrlLength, parsedUrl, withScheme } from "../../base/text.ts"
import { isDay } from "../../base/time.ts"
import { isDomain, isEmail } from "./address.ts"

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
  /** Line breaks are kept. */
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
}

const rules = {
  text: { value: "free", parts: ["help", "placeholder"] },
  textarea: { value: "free", parts: ["help", "placeholder"], hasLines: true },
  email: { value: "typed", parts: ["help", "placeholder"], maxLength: maxEmailLength, isValid: isEmail },
  tel: {
    value: "typed",
    parts: ["help", "placeholder"],
    maxLength: 50,
    canonical: (text) => withHyphens(text).replace(/ +/g, " "),
    isValid: (value) => /^\+?[\d\s().\-/]+$/.test(value) && /^(\D*\d){3,15}\D*$/.test(value),
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
      language === "fr" ? frenchNumber(withHyphens(text)) : withoutPlus(withHyphens(text)),
    isValid: isNumber,
  },
  date: {
    value: "typed",
    parts: ["help"],
    canonical: (text, language) => (language === "fr" ? frenchDate(withHyphens(text)) : text),
    isValid: isDate,
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

/** Copied numbers and dates hold hyphens and minus signs that no keyboard has. */
function withHyphens(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212\ufe63\uff0d]/g, "-")
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

/** `26/11/2026`, `26.11.2026`, `26 11 2026` → `2026-11-26`: the day comes first. */
function frenchDate(text: string): string {
  const [, day = "", month = "", year = ""] =
    /^(\d{1,2}) ?[-/. ] ?(\d{1,2}) ?[-/. ] ?(\d{4})$/.exec(text) ?? []
  return day === "" ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
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
