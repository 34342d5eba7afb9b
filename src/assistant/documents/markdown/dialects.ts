import { componentFinder } from "./components.ts"
import { convertLine, isIndentedContainer } from "./containers.ts"
import type { Generator } from "./generator.ts"
import { codeEnd, gravMarkup, noticeAsQuote, withShortcodesOnOneLine } from "./grav.ts"
import { createNesting } from "./nesting.ts"

/**
 * Replaces the generators' extensions of Markdown by CommonMark: containers, admonitions and tabs (VitePress,
 * Docusaurus, MkDocs), imports and components of MDX, tags of GitBook, shortcodes of Hugo, Jekyll and, where
 * the generator is known to be Grav, of Grav. The text inside them is kept, and code is not changed.
 */
export function toCommonMark(text: string, generator?: Generator): string {
  const source = (generator === "grav" ? withShortcodesOnOneLine(text) : text).split("\n")
  const lines: string[] = []
  const nesting = createNesting()
  const endOfSkipped = skippedLines(source)
  const componentAt = componentFinder(source)
  const isIndentedCode = indentedCodeDetector()
  const grav = generator === "grav" ? gravMarkup(text) : undefined
  let fence: string | undefined
  /** Tags already taken from the start of the current line. */
  let tagsOnLine = 0

  for (let at = 0; at < source.length; at++) {
    if (grav && fence === undefined) source[at] = noticeAsQuote(source[at] as string)
    const line = outdented(source[at] as string)
    const language = fence === undefined ? grav?.codeLanguage(line) : undefined
    const ticks = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === codeEnd) {
      const isEnd = line.trim() === codeEnd
      if (isEnd) fence = undefined
      lines.push(isEnd ? codeMark : line)
    } else if (fence !== undefined) {
      if (ticks?.startsWith(fence) && line.trim() === ticks) fence = undefined
      lines.push(line)
    } else if (language !== undefined) {
      fence = codeEnd
      lines.push("", codeMark + language)
    } else if (ticks && !isOneLiner(line, ticks)) {
      fence = ticks
      lines.push(line)
    } else if (isIndentedCode(line) && !componentTag.test(line)) lines.push(line)
    else at = convertFrom(line, at)
  }
  return lines.join("\n")

  /** Converts the line at `at` and the lines that belong to it. Returns the index of the last one. */
  function convertFrom(line: string, at: number): number {
    const end = endOfSkipped(at)
    if (end !== undefined) {
      lines.push("")
      return end
    }
    const mayBeTag = tagsOnLine < maxTagsOnLine && (generator === "docusaurus" ? mdxTag : jsxTag).test(line)
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
      // The rest of the line is read as a line of its own.
      source[lastLine] = " ".repeat(indentOf(source[at] as string)) + rest.trimStart()
      return lastLine - 1
    }
    tagsOnLine = 0
    const id = headingId(line)
    if (id !== undefined && /^#{1,6}\s/.test(lines.at(-1) ?? "")) {
      lines.push(`${lines.pop()} {#${id}}`)
      return at
    }
    if (isIndentedContainer(line)) nesting.open(undefined, indentOf(source[at] as string))
    for (const part of grav?.convert(line) ?? [line]) lines.push(...convertLine(part, generator))
    return at
  }

  /** The line without the indentation of its containers and components, which would make code of text. */
  function outdented(raw: string): string {
    if (nesting.isEmpty() || raw.trim() === "") return raw
    const line = raw.replace(/^[\t ]+/, (space) => space.replaceAll("\t", "    "))
    const indent = indentOf(line)
    return line.slice(Math.min(nesting.columnsAt(indent, fence !== undefined), indent))
  }
}

/** The id that a line of attributes gives to the heading above it: `{: #id .class}` of kramdown. */
function headingId(line: string): string | undefined {
  return /^\{:[^{}#]*#([\w:.-]+)[^{}]*\}\s*$/.exec(line)?.[1]
}

/** Long, because the code may be Markdown with fences of its own. */
const codeMark = "~~~~~~"

/** The start of a tag that is none for a Markdown parser, or says nothing in Markdown. */
const jsxTag = /^\s*<(?:\/?[A-Z]|[a-z][^>]*=\{)/
/** In MDX, every tag may run over several lines and have braces there. */
const mdxTag = /^\s*<(?:\/?[A-Z]|[a-z][^>]*(?:=\{|$))/

/** At any indentation, because MDX has no indented code. */
const componentTag = /^\s*<\/?[A-Z]/
/** Each tag costs reading the rest of its line. */
const maxTagsOnLine = 50

/**
 * Finds lines that say nothing to a reader: scripts, styles, comments, and the imports and exports of MDX.
 * For the line where one begins it returns its last line, and undefined for any other line.
 */
function skippedLines(source: string[]): (at: number) => number | undefined {
  /** The end of the last comment of each kind, so that many comments with one far end search for it once. */
  const ends = new Map<string, { line: number; text: string; isAtEnd: boolean }>()
  /** The last line of the last import or export: another may follow without an empty line. */
  let lastModuleLine = -1
  const moduleUpTo = (line: number) => {
    lastModuleLine = line
    return line
  }
  return (at) => {
    const line = (source[at] as string).trimStart()
    const tag = /^<(script|style)[\s>]/i.exec(line)?.[1]
    if (tag) return findEnd(source, at, (text) => text.toLowerCase().includes(`</${tag.toLowerCase()}>`))
    if (line.startsWith("<!--")) return endOfComment(at, "-->")
    if (line.startsWith("{/*")) return endOfComment(at, "*/}")
    const isAfterText = at > 0 && (source[at - 1] as string).trim() !== "" && at - 1 !== lastModuleLine
    if (isAfterText && !isModuleLine(source[at - 1] as string)) return undefined
    if (isImport(line)) return moduleUpTo(findEnd(source, at, endsImport))
    if (/^export\s+(?:default|const|let|var|function|async|class|\{|\*)/.test(line))
      return moduleUpTo(endOfStatement(source, at))
    return undefined
  }

  /** The last line of a comment; undefined when text follows its end, because the parser handles that. */
  function endOfComment(at: number, mark: string): number | undefined {
    let end = ends.get(mark)
    if (end === undefined || end.line < at || source[end.line] !== end.text) {
      const line = findEnd(source, at, (text) => text.includes(mark))
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
  const text = line.trimEnd()
  return text === "" || /['"]$/.test(text.endsWith(";") ? text.slice(0, -1).trimEnd() : text)
}

/** The first line from `at` on for which `ends` is true, else the last line of the page, as in a browser. */
function findEnd(source: string[], at: number, ends: (line: string) => boolean): number {
  for (let line = at; line < source.length; line++) if (ends(source[line] as string)) return line
  return source.length - 1
}

function endOfStatement(source: string[], at: number): number {
  let open = 0
  return findEnd(source, at, (line) => {
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

const listItem = /^ {0,3}(?:[-*+:]|\d{1,9}[.)]|\[\^[^\]]+\]:)\s/

/**
 * Tells for each line outside fences, in order, whether it is indented code: four columns after an empty
 * line, outside lists, whose items are indented as well.
 */
function indentedCodeDetector(): (line: string) => boolean {
  let isCode = false
  let isAfterBlank = true
  let isInList = false
  return (line) => {
    if (line.trim() === "") {
      isAfterBlank = true
      return isCode
    }
    const isIndented = /^(?: {4}| {0,3}\t)/.test(line)
    isCode = isIndented && !isInList && (isCode || isAfterBlank)
    if (listItem.test(line)) isInList = true
    // An unindented line right below an item continues it; after an empty line it ends the list.
    else if (isAfterBlank && /^\S/.test(line)) isInList = false
    isAfterBlank = false
    return isCode
  }
}
