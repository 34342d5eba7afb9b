import type { Language } from "../../accounts/project.ts"
import { type Detail, detail } from "../../base/errors.ts"
import { asTyped, isLongerThan, maxUrlLength, toUnicodeForm } from "../../base/text.ts"
import type { FilePart } from "../../http/files/multipart.ts"
import { type Field, fileBounds, joinChoices, type Option, splitChoices } from "../definition/field.ts"
import { type FieldType, fieldRules, hasPart } from "../definition/field-types.ts"
import { documentKinds } from "../files/file-kind.ts"
import { cleanFileName } from "../files/file-name.ts"
import { judgeFile } from "../files/judge-file.ts"

/** Value of a checked checkbox (specification, part 2 B1). */
export const checkedValue = "oui"

/** Value of one field of a post, and the problem with it. */
export interface ParsedValue {
  value: string
  problem?: Detail
}

/** In UTF-16 units. A longer text is refused for its length and stays as it came. */
const maxRawLength = { bounded: 4 * maxUrlLength, free: 2 * 256 * 1024 }

const missing = {
  free: () => detail("forms.mustBeFilled"),
  typed: () => detail("forms.mustBeFilled"),
  option: () => detail("forms.mustBeChosen"),
  options: () => detail("forms.chooseAtLeastOne"),
  box: () => detail("forms.mustBeChecked"),
  files: () => detail("forms.mustBeAttached"),
}

/** A text, or several where several options may be chosen; undefined where nothing was posted. */
export function parseValue(
  field: Field,
  posted: string | readonly string[] | undefined,
  language: Language,
): ParsedValue {
  const { value: kind } = fieldRules[field.type]
  if (kind === "none" || kind === "files") return { value: "" }
  const text = typeof posted === "object" ? posted.at(-1) : posted
  const parsed =
    kind === "options"
      ? parseChoices(field, [posted ?? []].flat())
      : kind === "box"
        ? { value: isChecked(text) ? checkedValue : "" }
        : parseText(field, text ?? "", language)
  return parsed.value === "" && field.required ? { problem: missing[kind](), ...parsed } : parsed
}

export interface SentFile {
  field: string
  /** Cleaned, with an ending of its type. */
  name: string
  mediaType: string
  content: Uint8Array
}

/** The files of a field, and the problem with the first that is wrong. `text`: what was posted in place of files. */
export function parseFiles(
  field: Field,
  sent: readonly FilePart[],
  text: string | undefined,
): ParsedValue & { files: SentFile[] } {
  const { accept, files: max, megabytes } = fileBounds(field)
  const problem = (told: Detail) => ({ value: "", files: [], problem: told })
  if (sent.length === 0 && text) return problem(detail("forms.filesNeedParts"))
  if (sent.length === 0) return field.required ? problem(missing.files()) : { value: "", files: [] }
  if (sent.length > max) return problem(detail("forms.tooManyFiles", { max }))
  const files: SentFile[] = []
  for (const { fileName, content } of sent) {
    // As it is called where it comes from.
    const name = cleanFileName(fileName, undefined)
    if (content.length === 0) return problem(detail("forms.emptyFile", { name }))
    if (content.length > megabytes * 1024 ** 2)
      return problem(detail("forms.fileTooLarge", { name, megabytes }))
    const { type, hazard } = judgeFile(content)
    if (hazard && accept.some((kind) => documentKinds.includes(kind)))
      return problem(detail("forms.hazardousFile", { name, hazard }))
    if (!type || hazard || !accept.includes(type.kind))
      return problem(detail("forms.wrongFile", { name, kinds: accept.join(" ") }))
    const cleanName = cleanFileName(fileName, type)
    files.push({ field: field.name, name: cleanName, mediaType: type.mediaType, content })
  }
  return { value: files.map(({ name }) => name).join("\n"), files }
}

/**
 * Each text may be one chosen value, or several joined by commas. The sender chooses how many: far more than there are
 * to choose from are not taken apart, and no more are compared.
 */
function parseChoices({ options }: Field, posted: readonly string[]): ParsedValue {
  const tooMany = { value: "", problem: detail("forms.notAnOption") }
  const everything = joinChoices(options.map((option) => option.value))
  if (posted.join("").length > 2 * everything.length + maxRawLength.bounded) return tooMany
  const most = 2 * options.length
  if (posted.some((text) => text.split(",", most + 1).length > most)) return tooMany
  const choices = new Set(posted.flatMap(splitChoices))
  if (choices.size > options.length) return tooMany
  const chosen = new Set([...choices].map(optionReader(options)))
  const knownValues = options.map((option) => option.value).filter((value) => chosen.delete(value))
  const value = joinChoices(knownValues)
  return chosen.size > 0 ? { value, problem: detail("forms.notAnOption") } : { value }
}

function parseText(field: Field, posted: string, language: Language): ParsedValue {
  const value = cleaned(field.type, posted)
  if (value.trim() === "") return { value: "" }
  const canonical = value.length > maxRawLength.bounded ? value : canonicalValue(field, value, language)
  const problem = valueProblem(field, canonical, language)
  // The page that shows a refused value again shows it as it was typed.
  return problem ? { value, problem } : { value: canonical }
}

/** Values that a page's own script may send for an unchecked box: no proof of consent may rest on them. */
const falseValues: ReadonlySet<string> = new Set(["", "0", "false", "off", "no", "non", "null", "undefined"])
const longestFalseValue = Math.max(...[...falseValues].map((text) => text.length))

/** An HTML checkbox sends its value when checked, and nothing otherwise. */
export function isChecked(posted: string | undefined): boolean {
  const answer = posted?.trim()
  return answer !== undefined && (answer.length > longestFalseValue || !falseValues.has(answer.toLowerCase()))
}

/** Turns every line end into LF and removes the control characters that no keyboard types. */
function cleaned(type: FieldType, text: string): string {
  const { value: kind, hasLines } = fieldRules[type]
  if (text.length > (kind === "free" ? maxRawLength.free : maxRawLength.bounded)) return text
  const lines = text.toWellFormed().replace(/\r\n?/g, "\n")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const clean = lines.replace(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, "")
  if (hasLines) return clean
  const line = clean.replaceAll("\n", " ")
  // No invisible character, unusual blank or blank around it, and each letter joined with its accent.
  return kind === "typed" ? toUnicodeForm(asTyped(line), "NFC").trim() : line
}

function canonicalValue({ type, options }: Field, text: string, language: Language): string {
  const { value: kind, canonical } = fieldRules[type]
  return kind === "option" ? optionReader(options)(text) : (canonical?.(text, language) ?? text)
}

function valueProblem({ type, options, ...bounds }: Field, value: string, language: Language) {
  const { value: kind, maxLength, isValid, fault } = fieldRules[type]
  if (maxLength !== undefined && isLongerThan(value, maxLength))
    return detail("forms.tooLong", { max: maxLength })
  if (kind === "option" && !options.some((option) => option.value === value))
    return detail("forms.notAnOption")
  if (isValid?.(value) === false)
    return detail(fault?.(value, language) ?? "forms.notOfType", { type, language })
  return hasPart(type, "bounds") ? outOfBounds(Number(value), bounds) : undefined
}

function outOfBounds(value: number, { min, max, integer }: Pick<Field, "min" | "max" | "integer">) {
  if (integer && !Number.isInteger(value)) return detail("forms.notWhole")
  if (value >= (min ?? value) && value <= (max ?? value)) return undefined
  if (max === undefined) return detail("forms.atLeast", { min })
  return min === undefined ? detail("forms.atMost", { max }) : detail("forms.between", { min, max })
}

/**
 * Reads a choice as the value of the option that reads the same, whichever way its blanks and accents are encoded; one
 * that is no option stays as it is. Each option is read once, however many choices are.
 */
function optionReader(options: readonly Option[]): (choice: string) => string {
  const values = new Set(options.map(({ value }) => value))
  let byReading: Map<string, string> | undefined
  return (choice) => {
    if (values.has(choice) || choice.length > maxRawLength.bounded) return choice
    // The first of two that read the same.
    byReading ??= new Map(options.map(({ value }) => [asRead(value), value] as const).reverse())
    return byReading.get(asRead(choice)) ?? choice
  }
}

function asRead(text: string): string {
  return toUnicodeForm(asTyped(text), "NFC").replace(/\s+/g, " ").trim()
}
