import { parsedJson } from "../../base/text.ts"

/** One line of a question file. */
export interface EvalQuestion {
  id: string
  question: string
  answerable: boolean
  /** Paths of the documents that answer, relative to the feed, without extension. */
  pages: string[]
  kind: string
  /** Path of the page that it is asked on. */
  page?: string
  /** An earlier question, or several in their order, asked first. */
  previous?: string | readonly string[]
}

/** Reads a question file: a JSON object per line. Throws an Error that names the first invalid line. */
export function parseQuestions(text: string): EvalQuestion[] {
  const shape = '{"id","question","answerable","pages","kind","page"?,"previous"?}'
  return parseLines<EvalQuestion>(text, shape, (value) => {
    const isComplete =
      typeof value.question === "string" &&
      typeof value.answerable === "boolean" &&
      Array.isArray(value.pages) &&
      (value.page === undefined || (typeof value.page === "string" && value.page.startsWith("/"))) &&
      [value.previous ?? []].flat().every((earlier) => typeof earlier === "string")
    return isComplete ? ({ id: "", kind: "", ...value } as EvalQuestion) : undefined
  })
}

/**
 * Reads a JSON object per line; `read` returns undefined for a line that has not the `shape`. Throws an Error that
 * names the first such line.
 */
export function parseLines<Line>(
  text: string,
  shape: string,
  read: (value: Partial<Line>) => Line | undefined,
): Line[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return []
    const value = parsedJson(line)
    const entry = typeof value === "object" && value !== null ? read(value) : undefined
    if (entry === undefined) throw new Error(`line ${index + 1} is not ${shape}`)
    return [entry]
  })
}
