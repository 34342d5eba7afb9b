import { domainToASCII, domainToUnicode } from "node:url"
import type { Language } from "../../accounts/project.ts"
import { type Detail, detail } from "../../base/errors.ts"
import {
  asTyped,
  isLongerThan,
  maxEmailLength,
  maxUrlLength,
  normalised,
  parsedUrl,
} from "../../base/text.ts"
import { isDay } from "../../base/time.ts"
import { type Field, type FieldType, joinChoices } from "../definition/field.ts"
import { canonicalValue, knownChoices, typedTypes } from "./canonical.ts"

/** Value of a checked checkbox (specification, part 2 B1). */
export const checkedValue = "oui"

/** Value of one field of a post, and the problem with it. */
export interface ParsedValue {
  value: string
  problem?: Detail
}

/** The longest value of a type, in code points. Freely typed text is bounded by the message as a whole. */
const maxLengths: Partial<Record<FieldType, number>> = {
  email: maxEmailLength,
  tel: 50,
  url: maxUrlLength,
  number: 100,
}

/**
 * Longest raw text that is cleaned, in UTF-16 units. A longer one is refused for its length and stays as it
 * came.
 */
const maxRawLength = { bounded: 4 * maxUrlLength, free: 2 * 256 * 1024 }

/**
 * Parses what was posted for a field: a text, or several for `checkboxes`; undefined means that nothing was
 * posted.
 */
export function parseValue(
  field: Field,
  posted: string | readonly string[] | undefined,
  language: Language,
): ParsedValue {
  if (field.type === "checkboxes") return parseChoices(field, [posted ?? []].flat())
  return parseText(field, typeof posted === "object" ? posted.at(-1) : posted, language)
}

/** Each text may be one chosen value, or several joined by commas. */
function parseChoices({ options, required }: Field, posted: readonly string[]): ParsedValue {
  const everything = joinChoices(options.map((option) => option.value))
  // A megabyte of commas would take the thread a tenth of a second.
  if (posted.join("").length > 2 * everything.length + maxRawLength.bounded)
    return { value: "", problem: detail("forms.notAnOption") }
  const chosen = new Set(knownChoices(options, posted))
  const known = options.map((option) => option.value).filter((value) => chosen.delete(value))
  const value = joinChoices(known)
  if (chosen.size > 0) return { value, problem: detail("forms.notAnOption") }
  return value === "" && required ? { value, problem: detail("forms.chooseAtLeastOne") } : { value }
}

function parseText(field: Field, posted: string | undefined, language: Language): ParsedValue {
  if (field.type === "checkbox") {
    const value = isChecked(posted) ? checkedValue : ""
    return value === "" && field.required ? { value, problem: detail("forms.mustBeChecked") } : { value }
  }
  const value = cleaned(field.type, posted ?? "")
  if (value.trim() === "")
    return field.required ? { value, problem: missingProblem(field.type) } : { value: "" }
  const canonical = value.length > maxRawLength.bounded ? value : canonicalValue(field, value, language)
  const problem = problemOf(field, canonical, language)
  // The page that shows a refused value again shows it as it was typed.
  return problem ? { value, problem } : { value: canonical }
}

/** Values that a page's own script may send for an unchecked box: no proof of consent may rest on them. */
const falseValues: ReadonlySet<string> = new Set(["", "0", "false", "off", "no", "non", "null", "undefined"])
const longestFalseValue = Math.max(...[...falseValues].map((text) => text.length))

/** An HTML checkbox sends its value when checked, and nothing otherwise. */
export function isChecked(posted: string | undefined): boolean {
  const said = posted?.trim()
  return said !== undefined && (said.length > longestFalseValue || !falseValues.has(said.toLowerCase()))
}

/** `nom@domaine.tld`, as browsers check it, and with a domain that may exist. */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false
  const [local = "", domain = "", ...more] = text.split("@")
  if (more.length > 0 || local.length > 64) return false
  return /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local) && isDomain(domain)
}

/**
 * The key that responses are found by, however the address was written. It ignores case and maps what a mail
 * server takes for the same domain: full-width letters, accents as separate characters, and the invisible
 * characters that come along with a copied address.
 */
export function addressKey(address: string): string {
  if (address.length > maxTypedAddress) return address
  const shown = normalised(asTyped(address), "NFC").trim().toLowerCase()
  const at = shown.lastIndexOf("@") + 1
  if (at === 0 || shown.length > maxEmailLength) return shown
  return shown.slice(0, at) + (domainToUnicode(domainToASCII(shown.slice(at))) || shown.slice(at))
}

/**
 * Keys under which the database may hold an address: its `addressKey`, or its lower-cased text in rows from
 * before that key existed.
 */
export function addressKeys(address: string): string[] {
  return [addressKey(address), address.trim().toLowerCase()]
}

/** Longest text taken for an address: copied blanks, invisible characters and separate accents included. */
const maxTypedAddress = 4 * maxEmailLength

/** Turns every line end into LF and removes the control characters that no keyboard types. */
function cleaned(type: FieldType, text: string): string {
  const isFree = type === "text" || type === "textarea" || type === "hidden"
  if (text.length > (isFree ? maxRawLength.free : maxRawLength.bounded)) return text
  const lines = text.toWellFormed().replace(/\r\n?/g, "\n")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = lines.replace(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, "")
  if (type === "textarea" || type === "hidden") return clean
  const line = clean.replaceAll("\n", " ")
  // Each letter is joined with its accent.
  return typedTypes.has(type) ? normalised(asTyped(line), "NFC").trim() : line
}

function problemOf(
  { type, options, min, max }: Field,
  value: string,
  language: Language,
): Detail | undefined {
  const maxLength = maxLengths[type]
  if (maxLength !== undefined && isLongerThan(value, maxLength))
    return detail("forms.tooLong", { max: maxLength })
  switch (type) {
    case "email":
      return isEmail(value) ? undefined : detail("forms.email")
    case "url":
      return isWebAddress(value) ? undefined : detail("forms.webAddress")
    case "tel":
      return /^\+?[\d\s().\-/]+$/.test(value) && /^(\D*\d){3,15}\D*$/.test(value)
        ? undefined
        : detail("forms.tel")
    case "number":
      return isNumber(value) ? outOfBounds(Number(value), min, max) : detail("forms.number", { language })
    case "date":
      return isDate(value) ? undefined : detail("forms.date", { language })
    case "select":
    case "radio":
      return options.some((option) => option.value === value) ? undefined : detail("forms.notAnOption")
    default:
      return undefined
  }
}

function missingProblem(type: FieldType): Detail {
  return type === "select" || type === "radio" ? detail("forms.mustBeChosen") : detail("forms.mustBeFilled")
}

function isDomain(domain: string): boolean {
  const ascii = domainToASCII(domain)
  const labels = ascii.split(".")
  return (
    ascii.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => label.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label)) &&
    /^[a-z]./.test(labels.at(-1) as string) &&
    !/[\s/:?#@[\]%\\]/.test(domain)
  )
}

function isWebAddress(text: string): boolean {
  const url = /\s/.test(text) ? null : parsedUrl(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\//i.test(text) && isDomain(url.hostname)
  )
}

/** A number as a browser sends it: `-12.5`, `1e3`. */
function isNumber(text: string): boolean {
  return /^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text))
}

function outOfBounds(value: number, min?: number, max?: number): Detail | undefined {
  if (value >= (min ?? value) && value <= (max ?? value)) return undefined
  if (max === undefined) return detail("forms.atLeast", { min })
  return min === undefined ? detail("forms.atMost", { max }) : detail("forms.between", { min, max })
}

/** A day that exists, as a browser sends it: `2026-11-20`. */
function isDate(text: string): boolean {
  return isDay(text) && !text.startsWith("0000")
}
