import { detail, Refusal } from "../../base/errors.ts"
import { parsedJson } from "../../base/text.ts"

/** A question of an evaluation set, as it is typed. */
export interface NewSetQuestion {
  question: string
  /** Address or path of the page that its answer has to cite. */
  page?: string | undefined
  /** Text that its answer has to hold. */
  text?: string | undefined
}

/** Lines of one import, and characters of its text. */
export const importLimits = { rows: 500, characters: 300_000 } as const

/**
 * Reads lines of JSON, `{"question","page"|"pages","text"|"texts"}`, or a table with a line of column names:
 * `question;page;texte`, separated by semicolons, commas or tabs. Throws Refusal `invalid_request` with the number of
 * the first wrong line.
 */
export function importedQuestions(text: string): NewSetQuestion[] {
  if (text.length > importLimits.characters) throw invalid(detail("assistant.importTooLong"))
  const plain = text.replace(/^\ufeff/, "").trim()
  if (plain === "") throw invalid(detail("assistant.importEmpty"))
  const questions = plain.startsWith("{") ? fromJsonLines(plain) : fromTable(plain)
  if (questions.length > importLimits.rows)
    throw invalid(detail("assistant.importTooMany", { maximum: importLimits.rows }))
  return questions
}

function fromJsonLines(text: string): NewSetQuestion[] {
  const questions: NewSetQuestion[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue
    const question = fromJson(line)
    if (!question) throw invalid(detail("assistant.importLine", { line: at + 1 }))
    questions.push(question)
    if (questions.length > importLimits.rows) break
  }
  return questions
}

function fromJson(line: string): NewSetQuestion | undefined {
  const value = (parsedJson(line) ?? {}) as Record<string, unknown>
  const page = first(value["page"] ?? value["pages"])
  const text = first(value["text"] ?? value["texts"])
  return typeof value["question"] === "string" ? { question: value["question"], page, text } : undefined
}

function first(value: unknown): string | undefined {
  const [one] = [value].flat()
  return typeof one === "string" ? one : undefined
}

const columnNames = {
  question: ["question"],
  page: ["page", "pages", "url", "adresse"],
  text: ["text", "texte", "texts", "réponse", "reponse"],
}

function fromTable(text: string): NewSetQuestion[] {
  const separator = [";", "\t", ","].find((each) => (text.split("\n", 1)[0] as string).includes(each)) ?? ";"
  const [head = [], ...rows] = parseCells(text, separator)
  const names = head.map((name) => name.trim().toLowerCase())
  const columnIndex = (wanted: readonly string[]) => names.findIndex((name) => wanted.includes(name))
  const columns = {
    question: columnIndex(columnNames.question),
    page: columnIndex(columnNames.page),
    text: columnIndex(columnNames.text),
  }
  if (columns.question < 0) throw invalid(detail("assistant.importColumns"))
  return rows
    .filter((row) => row.some((cell) => cell.trim() !== ""))
    .map((row) => ({
      question: row[columns.question] ?? "",
      page: row[columns.page],
      text: row[columns.text],
    }))
}

/** Rows of a table; a cell in quotes may hold separators, line breaks and doubled quotes. */
function parseCells(text: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ""
  let isQuoted = false
  const end = () => {
    rows.at(-1)?.push(cell)
    cell = ""
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += character
      at++
    } else if (character === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted
    else if (!isQuoted && character === separator) end()
    else if (!isQuoted && (character === "\n" || character === "\r")) {
      if (character === "\r" && text[at + 1] === "\n") at++
      end()
      if (rows.push([]) > importLimits.rows + 2) break
    } else cell += character
  }
  end()
  return rows
}

function invalid(why: ReturnType<typeof detail>): Refusal {
  return new Refusal("invalid_request", why, { fields: { rows: why } })
}
