import type { Language } from "../../accounts/project.ts"
import { asTyped, normalised, withScheme } from "../../base/text.ts"
import { type Field, type FieldType, type Option, splitChoices } from "../definition/field.ts"

/**
 * A typed value as it is stored: what people of the project's language write, in the form that a browser's own
 * field of that type sends. A text that is nothing of its type comes back as it was, to be refused.
 */
export function canonicalValue({ type, options }: Field, text: string, language: Language): string {
  switch (type) {
    case "tel":
      return withHyphens(text).replace(/ +/g, " ")
    case "url":
      return withScheme(text)
    case "number":
      return language === "fr"
        ? frenchNumber(withHyphens(text))
        : withHyphens(text).replace(/^\+(?=[\d.])/, "")
    case "date":
      return language === "fr" ? frenchDate(withHyphens(text)) : text
    case "select":
    case "radio":
      return knownChoice(options, text)
    default:
      return text
  }
}

/** Types whose texts carry no invisible character, unusual blank or blank around them. */
export const typedTypes: ReadonlySet<FieldType> = new Set(["email", "tel", "url", "number", "date"])

/** Each of several chosen values as `knownChoice`. */
export function knownChoices(options: readonly Option[], posted: readonly string[]): string[] {
  return posted.flatMap(splitChoices).map((choice) => knownChoice(options, choice))
}

/** The value of the option that reads the same, whichever way its blanks and accents are encoded. */
function knownChoice(options: readonly Option[], text: string): string {
  if (options.some(({ value }) => value === text)) return text
  const read = asRead(text)
  return options.find(({ value }) => asRead(value) === read)?.value ?? text
}

function asRead(text: string): string {
  return normalised(asTyped(text), "NFC").replace(/\s+/g, " ").trim()
}

/** Copied numbers and dates hold hyphens and minus signs that no keyboard has. */
function withHyphens(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212\ufe63\uff0d]/g, "-")
}

/** `1 234,5` → `1234.5`: a comma for decimals, a blank between groups of three. */
function frenchNumber(text: string): string {
  const [, sign = "", whole = "", decimals = ""] =
    /^([+-]?) ?(\d{1,3}(?: \d{3})+|\d*)(,\d+)?$/.exec(text) ?? []
  if (whole + decimals === "") return text.replace(/^\+(?=[\d.])/, "")
  return `${sign === "-" ? sign : ""}${whole.replaceAll(" ", "") || "0"}${decimals.replace(",", ".")}`
}

/** `26/11/2026`, `26.11.2026`, `26 11 2026` → `2026-11-26`: the day comes first. */
function frenchDate(text: string): string {
  const [, day = "", month = "", year = ""] =
    /^(\d{1,2}) ?[-/. ] ?(\d{1,2}) ?[-/. ] ?(\d{4})$/.exec(text) ?? []
  return day === "" ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
}
