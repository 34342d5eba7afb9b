import { scanComponent } from "./components.ts"
import { containerLine, isIndentedContainer } from "./containers.ts"
import { indentedCode } from "./indented-code.ts"

/**
 * What generators add to Markdown, taken back to Markdown: containers, admonitions and tabs (VitePress, Docusaurus, MkDocs), imports
 * and components of MDX, shortcodes of Hugo and Jekyll. Text inside them stays; code stays as it stands.
 */
export function plainMarkdown(text: string): string {
  const source = text.split("\n")
  const lines: string[] = []
  const indents: Indent[] = []
  const isIndentedCode = indentedCode()
  let fence: string | undefined

  for (let at = 0; at < source.length; at++) {
    const line = outdented(source[at] as string)
    const ticks = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (ticks?.startsWith(fence) && line.trim() === ticks) fence = undefined
      lines.push(line)
    } else if (ticks && !isOneLiner(line, ticks)) {
      fence = ticks
      lines.push(line)
    } else if (isIndentedCode(line) && !componentTag.test(line)) lines.push(line)
    else at = plainLine(line, at)
  }
  return lines.join("\n")

  /** Takes the line at `at`, and what belongs to it: returns the last line taken. */
  function plainLine(line: string, at: number): number {
    const end = endOfSilence(source, at)
    if (end !== undefined) {
      lines.push("")
      return end
    }
    const component = /^\s*<(?:\/?[A-Z]|[a-z][^>]*=\{)/.test(line) && scanComponent(source, at)
    if (component) {
      const { name, kind, label, lastLine, rest } = component
      if (kind === "open") indents.push({ name, strip: undefined, from: indentOf(source[at] as string) })
      if (kind === "close") closeComponent(name)
      lines.push("", ...(label ? [`**${label}**`, ""] : []))
      if (rest.trim() === "") return lastLine
      // What follows on the same line is read as if it stood on a line of its own.
      source[lastLine] = " ".repeat(indentOf(source[at] as string)) + rest.trimStart()
      return lastLine - 1
    }
    if (isIndentedContainer(line))
      indents.push({ name: undefined, strip: 4, from: indentOf(source[at] as string) })
    lines.push(...containerLine(line))
    return at
  }

  /** The line without the indentation of the containers and components it stands in: it would make code of text. */
  function outdented(raw: string): string {
    if (indents.length === 0 || raw.trim() === "") return raw
    const line = raw.replace(/^[\t ]+/, (space) => space.replaceAll("\t", "    "))
    const indent = indentOf(line)
    if (fence === undefined)
      while (indents.length > 0) {
        const last = indents.at(-1) as Indent
        last.strip ??= Math.max(0, indent - last.from)
        if (last.name !== undefined || indent >= last.from + 4) break
        indents.pop()
      }
    const strip = indents.reduce((sum, { strip: more }) => sum + (more ?? 0), 0)
    return line.slice(Math.min(strip, indent))
  }

  function closeComponent(name: string): void {
    const opened = indents.findLastIndex((indent) => indent.name === name)
    if (opened >= 0) indents.length = opened
  }
}

/** However deep it stands: MDX has no code by indentation. */
const componentTag = /^\s*<\/?[A-Z]/

interface Indent {
  /** Of the component that closes it; an admonition ends with its indentation. */
  name: string | undefined
  /** Columns that its first line stands deeper, once seen. */
  strip: number | undefined
  from: number
}

/** Lines that say nothing to a reader and end by their own mark: the last of them, or undefined where none begins. */
function endOfSilence(source: string[], at: number): number | undefined {
  const line = (source[at] as string).trimStart()
  const tag = /^<(script|style)[\s>]/i.exec(line)?.[1]
  if (tag) return lastLine(source, at, (text) => text.toLowerCase().includes(`</${tag.toLowerCase()}>`))
  if (line.startsWith("<!--")) return wholeLines(source, at, "-->")
  if (line.startsWith("{/*")) return wholeLines(source, at, "*/}")
  if (at > 0 && (source[at - 1] as string).trim() !== "" && !isModuleLine(source[at - 1] as string))
    return undefined
  if (/^import\s+(?:['"]|[\w*{$])/.test(line) && /^import\s*(?:['"]|[^.!?]*(?:\sfrom\s|[{,]\s*$))/.test(line))
    return lastLine(source, at, (text) => /['"]\s*;?\s*$/.test(text) || text.trim() === "")
  if (/^export\s+(?:default|const|let|var|function|async|class|\{|\*)/.test(line))
    return endOfStatement(source, at)
  return undefined
}

function isModuleLine(line: string): boolean {
  return /^(?:import|export)\s|^\}.*from\s/.test(line)
}

/** A comment with text after its end on the same line is left to the parser. */
function wholeLines(source: string[], at: number, mark: string): number | undefined {
  const end = lastLine(source, at, (text) => text.includes(mark))
  return (source[end] as string).trimEnd().endsWith(mark) || !(source[end] as string).includes(mark)
    ? end
    : undefined
}

/** The first line from `at` on that ends it; the last of the page when none does, as in a browser. */
function lastLine(source: string[], at: number, ends: (line: string) => boolean): number {
  for (let line = at; line < source.length; line++) if (ends(source[line] as string)) return line
  return source.length - 1
}

function endOfStatement(source: string[], at: number): number {
  let open = 0
  return lastLine(source, at, (line) => {
    for (const character of line) open += "{[(".includes(character) ? 1 : "}])".includes(character) ? -1 : 0
    return open <= 0
  })
}

function isOneLiner(line: string, ticks: string): boolean {
  return ticks.startsWith("`") && line.slice(line.indexOf(ticks) + ticks.length).includes("`")
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}
