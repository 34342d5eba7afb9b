import { isObject } from "../../../base/names.ts"

/** An object of a foreign document. */
export type Given = Record<string, unknown>

/** The object that a value is or refers to within its document. */
export type Resolve = (value: unknown) => Given | undefined

const maxReferences = 10

/** Follows `$ref` within the document alone, a few in a row. */
export function resolver(document: Given): Resolve {
  return (value) => {
    let given = asRecord(value)
    for (let left = maxReferences; given && typeof given["$ref"] === "string"; left--) {
      if (left === 0 || !given["$ref"].startsWith("#/")) return undefined
      given = asRecord(at(document, given["$ref"].slice(2).split("/")))
    }
    return given
  }
}

function at(document: Given, pointer: string[]): unknown {
  let value: unknown = document
  for (const step of pointer.slice(0, 20)) {
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
const maxCharacters = 20_000

export function asText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, maxCharacters).trim() : ""
}
