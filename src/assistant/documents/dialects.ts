import { componentFinder } from "./components.ts"
import { containerLine, isIndentedContainer } from "./containers.ts"
import { indentedCode } from "./indented-code.ts"
import { openNesting } from "./nesting.ts"

/**
 * What generators add to Markdown, taken back to Markdown: containers, admonitions and tabs (VitePress,
 * Docusaurus, MkDocs), imports and components of MDX, shortcodes of Hugo and Jekyll. Text inside them stays;
 * code stays as it stands.
 */
export function plainMarkdown(text: string): string {
  const source = text.split("\n")
  const lines: string[] = []
  const nesting = openNesting()
  const endOfSilence = silence(source)
  const componentAt = componentFinder(source)
  const isIndentedCode = indentedCode()
  let fence: string | undefined
  /** Tags taken from the start of the line at hand, one after the other. */
  let tagsOnLine = 0

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
    const end = endOfSilence(at)
    if (end !== undefined) {
      lines.push("")
      return end
    }
    const mayBeTag = tagsOnLine < maxTagsOnLine && /^\s*<(?:\/?[A-Z]|[a-z][^>]*=\{)/.test(line)
    const component = mayBeTag ? componentAt(at) : undefined
    if (component) {
      const { name, kind, label, lastLine, rest } = component
      if (kind === "open") nesting.open(name, indentOf(source[at] as string))
      if (kind === "close") nesting.close(name)
      lines.push("", ...(label ? [`**${label}**`, ""] : []))
      tagsOnLine = lastLine === at ? tagsOnLine + 1 : 1
      if (rest.trim() === "") {
        tagsOnLine = 0
        return lastLine
      }
      // What follows on the same line is read as if it stood on a line of its own.
      source[lastLine] = " ".repeat(indentOf(source[at] as string)) + rest.trimStart()
      return lastLine - 1
    }
    tagsOnLine = 0
    if (isIndentedContainer(line)) nesting.open(undefined, indentOf(source[at] as string))
    lines.push(...containerLine(line))
    return at
  }

  /**
   * The line without the indentation of the containers and components it stands in: it would make code of
   * text.
   */
  function outdented(raw: string): string {
    if (nesting.isEmpty() || raw.trim() === "") return raw
    const line = raw.replace(/^[\t ]+/, (space) => space.replaceAll("\t", "    "))
    const indent = indentOf(line)
    return line.slice(Math.min(nesting.columnsAt(indent, fence !== undefined), indent))
  }
}

/** However deep it stands: MDX has no code by indentation. */
const componentTag = /^\s*<\/?[A-Z]/
/** Each is read by reading the rest of its line. */
const maxTagsOnLine = 50

/**
 * Tells where what begins on a line says nothing to a reader, and ends by its own mark: its last line, or
 * undefined where nothing of the kind begins.
 */
function silence(source: string[]): (at: number) => number | undefined {
  /** Where each mark was found last: of comments that end far below, one looks for it. */
  const ends = new Map<string, { line: number; text: string; isAtEnd: boolean }>()
  return (at) => {
    const line = (source[at] as string).trimStart()
    const tag = /^<(script|style)[\s>]/i.exec(line)?.[1]
    if (tag) return lastLine(source, at, (text) => text.toLowerCase().includes(`</${tag.toLowerCase()}>`))
    if (line.startsWith("<!--")) return wholeLines(at, "-->")
    if (line.startsWith("{/*")) return wholeLines(at, "*/}")
    if (at > 0 && (source[at - 1] as string).trim() !== "" && !isModuleLine(source[at - 1] as string))
      return undefined
    if (isImport(line)) return lastLine(source, at, endsImport)
    if (/^export\s+(?:default|const|let|var|function|async|class|\{|\*)/.test(line))
      return endOfStatement(source, at)
    return undefined
  }

  /** A comment with text after its end on the same line is left to the parser. */
  function wholeLines(at: number, mark: string): number | undefined {
    let end = ends.get(mark)
    if (end === undefined || end.line < at || source[end.line] !== end.text) {
      const line = lastLine(source, at, (text) => text.includes(mark))
      const text = source[line] as string
      end = { line, text, isAtEnd: text.trimEnd().endsWith(mark) || !text.includes(mark) }
      ends.set(mark, end)
    }
    return end.isAtEnd ? end.line : undefined
  }
}

function isModuleLine(line: string): boolean {
  return /^(?:import|export)\s|^\}.*from\s/.test(line)
}

function isImport(line: string): boolean {
  if (!/^import\s+(?:['"]|[\w*{$])/.test(line)) return false
  return /^import(?:\s*['"]|[^.!?]*\sfrom\s)/.test(line) || /^import[^.!?]*[{,]$/.test(line.trimEnd())
}

function endsImport(line: string): boolean {
  const said = line.trimEnd()
  return said === "" || /['"]$/.test(said.endsWith(";") ? said.slice(0, -1).trimEnd() : said)
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
