import type { Detail, DetailParams, Explanation } from "../base/errors.ts"

type Sentence = string | ((params: never) => string)

/** Sentences of one language, by area and name. */
export type Areas = Readonly<Record<string, Readonly<Record<string, Sentence | object>>>>

/** The sentences of another language: each may show the params of the English one, and no others. */
export type Translation<English> = {
  [Name in keyof English]:
    | string
    | (English[Name] extends (params: infer Params) => string ? (params: Params) => string : never)
}

/** The same sentences in another language, which may show other params. */
export type Sentences<Original> = Record<keyof Original, Sentence | object>

/** A text stays as it stands. Throws for a code without a sentence: it is a defect. */
export function wordingOf(areas: Areas): (told: Explanation) => string {
  function wording(told: Explanation): string {
    if (typeof told === "string") return told
    const { code, params = {} } = told
    const path = code.split(".")
    const sentence = path.reduce<unknown>((found, name) => (found as Record<string, unknown>)?.[name], areas)
    if (typeof sentence === "string") return sentence
    if (typeof sentence === "function") return (sentence as (params: DetailParams) => string)(worded(params))
    throw new Error(`no sentence for ${code}`)
  }

  function worded(params: DetailParams): DetailParams {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, isDetail(value) ? wording(value) : value]),
    )
  }

  return wording
}

function isDetail(value: DetailParams[string]): value is Detail {
  return typeof value === "object" && "code" in value
}
