import { codeBlock } from "./code-block.ts"
import { element } from "./element.ts"
import { appendInline, type Cite } from "./inline.ts"
import type { WidgetMessages } from "./messages.fr.ts"

interface Reading {
  says: WidgetMessages
  cite: Cite
  /** Lists hold lists, and those of a hostile text would without end. */
  depth: number
}

const maxLength = 50_000
const maxDepth = 6
const fence = /^ {0,3}(`{3,}|~{3,})/
const item = /^( *)([-*+]|\d{1,9}[.)])(?: +|$)/
/** Of a line of a quote: its words are a paragraph like any other. */
const quote = /^ {0,3}> ?/
const heading = /^ {0,3}#{1,6} +/
const row = /^ {0,3}\|/

/**
 * Adds the nodes of simple Markdown: paragraphs, lists, tables, code. Nothing of it is ever read as HTML;
 * what is longer than any answer is not read at all.
 */
export function appendMarkdown(
  parent: HTMLElement,
  markdown: string,
  says: WidgetMessages,
  cite: Cite,
): void {
  if (markdown.length > maxLength) parent.append(element("p", {}, markdown))
  else appendBlocks(parent, markdown.replaceAll("\t", "    ").split(/\r?\n/), { says, cite, depth: 0 })
}

function appendBlocks(parent: HTMLElement, lines: string[], reading: Reading): void {
  const nests = reading.depth < maxDepth
  let at = 0

  while (at < lines.length) {
    const line = lines[at] as string
    if (line.trim() === "") at++
    else if (fence.test(line)) parent.append(code(line))
    else if (nests && item.test(line)) parent.append(list(line))
    else if (row.test(line)) parent.append(table(reading))
    else parent.append(paragraph())
  }

  function taken(test: (line: string) => boolean): string[] {
    const from = at++
    while (at < lines.length && test(lines[at] as string)) at++
    return lines.slice(from, at)
  }

  function code(first: string): HTMLElement {
    const [, mark = ""] = fence.exec(first) as string[]
    const body = taken((line) => !(line.includes(mark) && /^ *(`+|~+) *$/.test(line)))
    at++
    return codeBlock(body.slice(1).join("\n"), reading.says)
  }

  function list(first: string): HTMLElement {
    const [, indent = "", mark = ""] = item.exec(first) as string[]
    const ordered = /\d/.test(mark)
    const made = ordered ? element("ol") : element("ul")
    if (ordered) made.setAttribute("start", String(Number.parseInt(mark, 10)))
    for (;;) {
      const [marker, , other = ""] = item.exec(lines[at] ?? "") ?? []
      if (marker === undefined || /\d/.test(other) !== ordered) return made
      const own = taken((line) => line.trim() === "" || leading(line) > indent.length)
      const content = own.map((line, place) =>
        line.slice(place === 0 ? marker.length : Math.min(leading(line), marker.length)),
      )
      const entry = element("li")
      appendBlocks(entry, content, { ...reading, depth: reading.depth + 1 })
      made.append(entry)
    }
  }

  /** Its own width, and a scroll bar of its own when that is too much. */
  function table({ says, cite }: Reading): HTMLElement {
    const rows = taken((line) => row.test(line))
    const isHead = /^[\s|:-]+$/.test(rows[1] ?? "")
    const made = element("table")
    rows.forEach((line, place) => {
      if (isHead && place === 1) return
      const cells = line
        .trim()
        .replace(/^\||\|$/g, "")
        .split(/(?<!\\)\|/)
      const written = cells.map((cell) => {
        const made = isHead && place === 0 ? element("th", { scope: "col" }) : element("td")
        appendInline(made, cell.trim(), cite)
        return made
      })
      made.append(element("tr", {}, ...written))
    })
    return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": says.table }, made)
  }

  function paragraph(): HTMLElement {
    const starts = (line: string) =>
      fence.test(line) || row.test(line) || heading.test(line) || (nests && item.test(line))
    const isHeading = heading.test(lines[at] as string)
    const own = taken((line) => !isHeading && line.trim() !== "" && !starts(line))
    const made = element("p")
    const text = own
      .map((line) => line.replace(quote, "").trim())
      .join("\n")
      .replace(heading, "")
    if (isHeading) made.append(element("strong"))
    appendInline((made.firstElementChild as HTMLElement | null) ?? made, text, reading.cite)
    return made
  }
}

function leading(line: string): number {
  return line.length - line.trimStart().length
}
