/** One line of a question file. */
export interface EvalQuestion {
  id: string
  question: string
  answerable: boolean
  /** Paths of the documents that answer, relative to the feed, without extension. */
  pages: string[]
  kind: string
  /** An earlier question, or several in their order, asked first. */
  previous?: string | readonly string[]
}

/** Reads a question file: a JSON object per line. Throws an Error that names the first invalid line. */
export function parseQuestions(text: string): EvalQuestion[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return []
    const question = parseQuestion(line)
    if (!question)
      throw new Error(`line ${index + 1} is not {"id","question","answerable","pages","kind","previous"?}`)
    return [question]
  })
}

function parseQuestion(line: string): EvalQuestion | undefined {
  try {
    const value = JSON.parse(line) as Partial<EvalQuestion>
    const isComplete =
      typeof value.question === "string" &&
      typeof value.answerable === "boolean" &&
      Array.isArray(value.pages) &&
      [value.previous ?? []].flat().every((earlier) => typeof earlier === "string")
    return isComplete ? ({ id: "", kind: "", ...value } as EvalQuestion) : undefined
  } catch {
    return undefined
  }
}
