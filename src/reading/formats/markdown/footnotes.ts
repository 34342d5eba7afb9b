import { replaceOutsideCode } from "./code-spans.ts"

const definition = /^(\s{0,12})\[\^([^\]\s]+)\]:[ \t]*/
/** Behind a word, a colon is the sentence's; elsewhere it begins a note. */
const mark = /`+|(?<!\\)(?:(?<=\S)\[\^([^\]\s]{1,100})\]|\[\^([^\]\s]{1,100})\](?!:))/g

/**
 * Writes the footnotes of a page as most generators show them: mark and note link to each other, which is how notes
 * are told (`html/notes.ts`). A mark in a heading, one without a note and a note without a mark before it stay.
 */
export function footnoteReader(source: readonly string[]): (line: string) => string {
  const marked = new Set<string>()
  const numbers = new Map<string, number>()
  for (const line of source) {
    if (!line.includes("[^") || isHeading(line)) continue
    const label = definition.exec(line)?.[2]
    if (label !== undefined && marked.has(label) && !numbers.has(label)) numbers.set(label, numbers.size + 1)
    for (const [, behindWord, alone] of line.matchAll(mark)) marked.add(behindWord ?? alone ?? "")
  }
  return (line) => {
    if (numbers.size === 0 || !line.includes("[^") || isHeading(line)) return line
    const [start = "", indent = "", label = ""] = definition.exec(line) ?? []
    const text = replaceOutsideCode(line.slice(start.length), mark, (written, [, behindWord, alone]) => {
      const of = numbers.get(behindWord ?? alone ?? "")
      return of ? `<sup><a href="#guichet-note-${of}" id="guichet-mark-${of}">${of}</a></sup>` : written
    })
    if (start === "") return text
    const number = numbers.get(label)
    const link = number && `<a href="#guichet-mark-${number}" id="guichet-note-${number}">${number}</a> `
    return `${indent}+ ${link ?? ""}${text}`
  }
}

function isHeading(line: string): boolean {
  return /^\s{0,3}#{1,6}\s/.test(line)
}
