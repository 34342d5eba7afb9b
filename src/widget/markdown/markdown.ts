import { element } from "../element.ts"
import { ownDocument } from "../own.ts"
import type { AnswerWords } from "../words.fr.ts"
import { appendInline, type Cite } from "./inline.ts"

interface Context {
  says: AnswerWords
  cite: Cite
  /** Depth of nested lists: a hostile text would nest them without end. */
  depth: number
}

const maxLength = 50_000
const maxDepth = 6
const fence = /^ {0,3}(`{3,}|~{3,})/
const item = /^( *)([-*+]|\d{1,9}[.)])(?: +|$)/
/** Start of a quoted line. A quote is shown as a paragraph. */
const quote = /^ {0,3}> ?/
const heading = /^ {0,3}#{1,6} +/
const row = /^ {0,3}\|/

/** HTML is never interpreted. A text longer than any answer is appended as plain text. */
export function appendMarkdown(parent: HTMLElement, markdown: string, says: AnswerWords, cite: Cite): void {
  if (markdown.length > maxLength) parent.append(element("p", {}, markdown))
  else appendBlocks(parent, markdown.replaceAll("\t", "    ").split(/\r?\n/), { says, cite, depth: 0 })
}

function appendBlocks(parent: HTMLElement, lines: string[], context: Context): void {
  const nests = context.depth < maxDepth
  let at = 0

  while (at < lines.length) {
    const line = lines[at] as string
    if (line.trim() === "") at++
    else if (fence.test(line)) parent.append(code(line))
    else if (nests && item.test(line)) parent.append(list(line))
    else if (row.test(line)) parent.append(table(context))
    else parent.append(paragraph())
  }

  function takeLines(test: (line: string) => boolean): string[] {
    const from = at++
    while (at < lines.length && test(lines[at] as string)) at++
    return lines.slice(from, at)
  }

  function code(first: string): HTMLElement {
    const [, mark] = fence.exec(first) as unknown as [string, string]
    const body = takeLines((line) => !(line.includes(mark) && /^ *(`+|~+) *$/.test(line)))
    at++
    return codeBlock(body.slice(1).join("\n"), context.says)
  }

  function list(first: string): HTMLElement {
    const [, indent, mark] = item.exec(first) as unknown as [string, string, string]
    const ordered = /\d/.test(mark)
    const node = ordered ? element("ol") : element("ul")
    if (ordered) node.setAttribute("start", mark.slice(0, -1))
    for (;;) {
      const [marker, , other = ""] = item.exec(lines[at] ?? "") ?? []
      if (marker === undefined || /\d/.test(other) !== ordered) return node
      const own = takeLines((line) => line.trim() === "" || leading(line) > indent.length)
      const content = own.map((line, place) =>
        line.slice(place === 0 ? marker.length : Math.min(leading(line), marker.length)),
      )
      const entry = element("li")
      appendBlocks(entry, content, { ...context, depth: context.depth + 1 })
      node.append(entry)
    }
  }

  /** A table as wide as its content, in a frame that scrolls when the panel is narrower. */
  function table({ says, cite }: Context): HTMLElement {
    const rows = takeLines((line) => row.test(line))
    const isHead = /^[\s|:-]+$/.test(String(rows[1]))
    const node = element("table")
    rows.forEach((line, place) => {
      if (isHead && place === 1) return
      const cells = line
        .trim()
        .replace(/^\||\|$/g, "")
        .split(/(?<!\\)\|/)
      const written = cells.map((cell) => {
        const node = isHead && place === 0 ? element("th", { scope: "col" }) : element("td")
        appendInline(node, cell.trim(), cite)
        return node
      })
      node.append(element("tr", {}, ...written))
    })
    return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": says.table }, node)
  }

  function paragraph(): HTMLElement {
    const starts = (line: string) =>
      fence.test(line) || row.test(line) || heading.test(line) || (nests && item.test(line))
    const isHeading = heading.test(lines[at] as string)
    const own = takeLines((line) => !isHeading && line.trim() !== "" && !starts(line))
    const node = element("p")
    const text = own
      .map((line) => line.replace(quote, "").trim())
      .join("\n")
      .replace(heading, "")
    if (isHeading) node.append(element("strong"))
    appendInline((node.firstElementChild as HTMLElement | null) ?? node, text, context.cite)
    return node
  }
}

function leading(line: string): number {
  return line.length - line.trimStart().length
}

const confirmationMs = 2000

/** A verbatim code block with a button that copies it. */
function codeBlock(text: string, says: AnswerWords): HTMLElement {
  const code = element("code", {}, text)
  // The live region is the button itself, because its label changes.
  const button = element("button", { type: "button", class: "copy", "aria-live": "polite" }, says.copy)
  button.addEventListener("click", async () => {
    if (!(await copyText(code, text))) return
    button.textContent = says.copied
    setTimeout(() => button.replaceChildren(says.copy), confirmationMs)
  })
  const frame = element("pre", { tabindex: "0", role: "region", "aria-label": says.code }, code)
  return element("div", { class: "code" }, frame, button)
}

/** A page without TLS, or whose policy forbids it, has no clipboard: then by selecting the code. */
async function copyText(code: HTMLElement, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return ownDocument.execCommand("copy")
  }
}
