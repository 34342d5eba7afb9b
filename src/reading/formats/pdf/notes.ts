import type { Line, Page } from "./lines.ts"
import type { Body } from "./paragraphs.ts"

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹"
const mark = /(?<=[\p{L}\p{P}\d])[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}/gu
/** A note begins with its mark: raised, or as a number of a list. */
const noteStart = /^(?:([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}) ?|(\d{1,3})(?:[.)] |\s(?=\p{Lu})))(?=\S)/u
/** Notes stand in the lower part of a page, in letters smaller than the text's. */
const lowerPart = 0.4
const smaller = 0.97
/** Longest note that is read in brackets: a longer one is a text of its own. */
const maxCharacters = 600

/** The pages without the notes at their feet, and these notes. A mark in a text becomes the number of its note. */
export function withNotes(
  pages: readonly Page[],
  body: Body,
  joined: (lines: readonly string[]) => string,
): { pages: Page[]; notes: string[] } {
  const notes: string[] = []
  return { pages: pages.map((page) => withPageNotes(page, body, joined, notes)), notes }
}

function withPageNotes(
  page: Page,
  body: Body,
  joined: (lines: readonly string[]) => string,
  notes: string[],
): Page {
  const marks = new Set(page.lines.flatMap(({ text }) => (text.match(mark) ?? []).map(plainNumber)))
  if (marks.size === 0) return page
  const foot = new Map<string, Line[]>()
  let current: Line[] | undefined
  for (const line of page.lines) {
    const isSmall = line.size <= body.size * smaller && line.y > page.height * lowerPart
    const [, raised, number] = (isSmall && noteStart.exec(line.text)) || []
    const own = raised === undefined ? number : plainNumber(raised)
    if (own !== undefined && marks.has(own) && !foot.has(own)) {
      current = [line]
      foot.set(own, current)
    } else if (isSmall && current) current.push(line)
    else current = undefined
  }
  const dropped = new Set<Line>()
  const places = new Map<string, number>()
  for (const [own, lines] of foot) {
    const text = joined(lines.map((line) => line.text)).replace(noteStart, "")
    if (text.length > maxCharacters) continue
    places.set(own, notes.push(text) - 1)
    for (const line of lines) dropped.add(line)
  }
  if (places.size === 0) return page
  const marked = (text: string) =>
    text.replace(mark, (sign) => {
      const place = places.get(plainNumber(sign))
      return place === undefined ? sign : `${open}${place}${close}`
    })
  const lines = page.lines
    .filter((line) => !dropped.has(line))
    .map((line) =>
      mark.test(line.text) || line.pieces.some(({ text }) => mark.test(text))
        ? {
            ...line,
            text: marked(line.text),
            pieces: line.pieces.map((piece) => ({ ...piece, text: marked(piece.text) })),
          }
        : line,
    )
  return { ...page, lines }
}

/** Signs that no text has. */
const [open, close] = ["\ue0f0", "\ue0f1"]
const place = /\ue0f0(\d+)\ue0f1/g

/** Each note in brackets after the sentence that its mark stands in. */
export function withNotesInBrackets(text: string, notes: readonly string[]): string {
  if (!text.includes(open)) return text
  const parts = text.split(/(?<=[.!?…][»”)]?(?:\ue0f0\d+\ue0f1)?) (?=[\p{Lu}«(\d])/u)
  return parts
    .map((part) => {
      const own = [...part.matchAll(place)].map(([, number]) => ` (${notes[Number(number)]})`)
      return part.replace(place, "") + own.join("")
    })
    .join(" ")
}

function plainNumber(sign: string): string {
  return sign.replace(/\D/g, (digit) => String(superscripts.indexOf(digit)))
}
