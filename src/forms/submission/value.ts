import { domainToASCII, domainToUnicode } from "node:url"
import { type Detail, detail } from "../../base/errors.ts"
import { isLongerThan, maxEmailLength, maxUrlLength, normalised, parsedUrl } from "../../base/text.ts"
import { isDay } from "../../base/time.ts"
import type { Field, FieldType } from "../definition/field.ts"

/** What stands for a checked checkbox (specification, part 2 B1). */
export const checked = "oui"

/** What one field of a post holds: its value, and what is wrong with it. */
export interface Reading {
  value: string
  problem?: Detail
}

/** The longest value of a type, in code points; what is typed freely is bounded by the message as a whole. */
const maxLengths: Partial<Record<FieldType, number>> = {
  email: maxEmailLength,
  tel: 50,
  url: maxUrlLength,
  number: 100,
  date: 10,
}

/** Of what is cleaned: a longer text is refused for its length, and stays as it came. */
const maxRawLength = { bounded: 4 * maxUrlLength, free: 2 * 256 * 1024 }

/** Reads a field from what was posted under its name; undefined: nothing was. */
export function readValue(field: Field, posted: string | undefined): Reading {
  if (field.type === "checkbox") {
    const value = isChecked(posted) ? checked : ""
    return value === "" && field.required ? { value, problem: detail("forms.mustBeChecked") } : { value }
  }
  const value = typed(field.type, posted ?? "")
  if (value.trim() === "") return field.required ? { value, problem: missing(field.type) } : { value: "" }
  const problem = fault(field, value)
  return problem ? { value, problem } : { value }
}

/** What says no when a page's own code sends it for a box: a proof of consent must not rest on it. */
const noes: ReadonlySet<string> = new Set(["", "0", "false", "off", "no", "non", "null", "undefined"])
const longestNo = Math.max(...[...noes].map((no) => no.length))

/** A box of HTML sends its value when checked and nothing otherwise. */
export function isChecked(posted: string | undefined): boolean {
  const said = posted?.trim()
  return said !== undefined && (said.length > longestNo || !noes.has(said.toLowerCase()))
}

/** `nom@domaine.tld`, as browsers check it, and with a domain that may exist. */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false
  const [local = "", domain = "", ...more] = text.split("@")
  if (more.length > 0 || local.length > 64) return false
  return /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(local) && isDomain(domain)
}

/**
 * What an address is found by, however it is written: letters of either case, and what a mail server takes
 * for the same domain (full-width letters, an accent as a character of its own, marks that nobody sees, which
 * come along with a copied address).
 */
export function addressKey(address: string): string {
  if (address.length > maxTypedAddress) return address
  const shown = asShown(address).trim().toLowerCase()
  const at = shown.lastIndexOf("@") + 1
  if (at === 0 || shown.length > maxEmailLength) return shown
  return shown.slice(0, at) + (domainToUnicode(domainToASCII(shown.slice(at))) || shown.slice(at))
}

/**
 * What stands in the database of an address: its key, or how it was written, for what came in before there
 * were keys.
 */
export function addressKeys(address: string): string[] {
  return [addressKey(address), address.trim().toLowerCase()]
}

/** An address with the blanks, the marks nobody sees and the accents apart that it may be copied with. */
const maxTypedAddress = 4 * maxEmailLength

/** Without characters that nobody sees, and each letter with its accent. */
function asShown(text: string): string {
  return normalised(text.replace(/\p{Default_Ignorable_Code_Point}/gu, ""), "NFC")
}

/** Line ends as the person typed them, whichever way they were sent; what no keyboard types is left out. */
function typed(type: FieldType, text: string): string {
  const isFree = type === "text" || type === "textarea" || type === "hidden"
  if (text.length > (isFree ? maxRawLength.free : maxRawLength.bounded)) return text
  const lines = text.toWellFormed().replace(/\r\n?/g, "\n")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = lines.replace(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, "")
  if (type === "textarea" || type === "hidden") return clean
  const line = clean.replaceAll("\n", " ")
  if (type === "email") return asShown(line).trim()
  return type === "text" || type === "select" || type === "radio" ? line : line.trim()
}

function fault({ type, options }: Field, value: string): Detail | undefined {
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
      return isNumber(value) ? undefined : detail("forms.number")
    case "date":
      return isDate(value) ? undefined : detail("forms.date")
    case "select":
    case "radio":
      return options.some((option) => option.value === value) ? undefined : detail("forms.notAnOption")
    default:
      return undefined
  }
}

function missing(type: FieldType): Detail {
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

/** A day that exists, as a browser sends it: `2026-11-20`. */
function isDate(text: string): boolean {
  return isDay(text) && !text.startsWith("0000")
}
