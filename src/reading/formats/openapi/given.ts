import { isObject } from "../../../base/names.ts"
import type { PartReason } from "../document.ts"
import type { Labels } from "./labels.ts"
import { fileOfReference } from "./references.ts"

/** An object of a foreign document. */
export type Given = Record<string, unknown>

/** The object that a value is or refers to. */
export type Resolve = (value: unknown) => Given | undefined

/** Fields that are told of one body, and how deep within each other. */
export interface FieldLimits {
  fields: number
  depth: number
}

/** The reading of one description. */
export interface ApiReading {
  resolve: Resolve
  labels: Labels
  fieldLimits: FieldLimits
  /** Tells the owner of what is not read. */
  leave(reason: PartReason, text: string): void
}

const maxReferences = 10

/** A description and the files that it refers to, by their paths; `name` is its own. */
export interface Description {
  document: Given
  name: string
  files: Readonly<Record<string, string>>
}

/** Follows `$ref` within the description and its files, a few in a row; `onLost` hears of those that lead nowhere. */
export function resolver(
  { document, name, files }: Description,
  onLost: (reference: string) => void,
): Resolve {
  const parsedFiles = new Map<string, Given | undefined>([[name, withWholeReferences(document, name)]])

  function fileAt(path: string): Given | undefined {
    const text = Object.hasOwn(files, path) ? files[path] : undefined
    if (!parsedFiles.has(path) && text !== undefined)
      parsedFiles.set(path, withWholeReferences(parsed(text) ?? {}, path))
    return parsedFiles.get(path)
  }

  /** One object for each place, by which a schema that holds itself is recognised. */
  const merged = new Map<Given, Given | undefined>()

  return (value) => {
    const place = asRecord(value)
    if (place && merged.has(place)) return merged.get(place)
    let given = place
    for (let left = maxReferences; given && typeof given["$ref"] === "string"; left--) {
      const { $ref: reference, ...beside } = given as { $ref: string }
      // A file's name may hold the sign, what follows it holds none.
      const end = reference.lastIndexOf("#")
      const [path, pointer] = [reference.slice(0, end), reference.slice(end + 1)]
      const target = left > 0 ? asRecord(at(fileAt(path), pointer)) : undefined
      if (!target) onLost(path === name ? `#${pointer}` : reference.replace(/#$/, ""))
      // Words beside a reference hold for this place alone (OpenAPI 3.1, 4.8.23).
      given = target && Object.keys(beside).length > 0 ? { ...target, ...beside } : target
    }
    if (place && given !== place) merged.set(place, given)
    return given
  }
}

export function parsed(text: string): Given | undefined {
  try {
    return asRecord(/^\s*\{/.test(text) ? JSON.parse(text) : Bun.YAML.parse(text))
  } catch {
    return undefined
  }
}

/** Names in each reference its file, which the text only tells by where the reference stands. */
function withWholeReferences(document: Given, name: string): Given {
  const seen = new Set<object>()
  const waiting: unknown[] = [document]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== "object" || value === null || seen.has(value)) continue
    seen.add(value)
    const reference = (value as Given)["$ref"]
    if (typeof reference === "string") {
      const [, fragment = ""] = reference.split("#", 2)
      const path = reference.startsWith("#")
        ? name
        : (fileOfReference(reference, name) ?? reference.split("#")[0])
      ;(value as Given)["$ref"] = `${path}#${fragment}`
    }
    for (const each of Object.values(value)) waiting.push(each)
  }
  return document
}

/** The value that a pointer names (RFC 6901); the whole document for an empty one. */
function at(document: Given | undefined, pointer: string): unknown {
  if (pointer !== "" && !pointer.startsWith("/")) return undefined
  let value: unknown = document
  for (const step of pointer.split("/").slice(1, 21)) {
    const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~")
    const here = asRecord(value)
    value =
      here && Object.hasOwn(here, name) ? here[name] : Array.isArray(value) ? value[Number(name)] : undefined
  }
  return value
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

export function asRecord(value: unknown): Given | undefined {
  return isObject(value) ? value : undefined
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The most of one text that is read. */
export const maxTextCharacters = 20_000

export function asText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, maxTextCharacters).trim() : ""
}
