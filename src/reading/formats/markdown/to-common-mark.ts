import { replaceOutsideCode } from "./code-spans.ts"
import { type ComponentTag, componentFinder, withInlineComponents } from "./components.ts"
import { convertLine, isIndentedContainer } from "./containers.ts"
import type { Dialect, PageMarkup } from "./dialect.ts"
import { isOption, pageLanguage, readDirective } from "./directives.ts"
import { footnoteReader } from "./footnotes.ts"
import { createHtmlBlocks, type HtmlBlocks } from "./html-blocks.ts"
import { maxSentenceCharacters, unread } from "./inline-markup.ts"
import { createNesting, type Nesting } from "./nesting.ts"
import { findEnd, skippedLines } from "./skipped-lines.ts"
import { callReader } from "./template-calls.ts"

/**
 * Replaces the generators' extensions of Markdown by CommonMark: containers, admonitions and tabs (VitePress,
 * Docusaurus, MkDocs), imports and components of MDX, tags of GitBook, shortcodes of Hugo and Jekyll, and what the
 * dialect adds. The text inside them is kept, and code is not changed.
 */
export function toCommonMark(text: string, dialect?: Dialect): string {
  const page = beginConversion(text, dialect)
  for (let at = 0; at < page.source.length; at++) at = readLine(page, at)
  return page.lines.join("\n")
}

/** A page on its way to CommonMark. */
interface Conversion {
  /** The page's lines. What was read of a line is taken off it, so that its rest is read as a line of its own. */
  source: string[]
  lines: string[]
  dialect: Dialect | undefined
  markup: PageMarkup | undefined
  nesting: Nesting
  blocks: HtmlBlocks
  skippedTo: (at: number) => number | undefined
  componentAt: (at: number) => ComponentTag | undefined
  callAt: (at: number) => number | undefined
  withFootnotes: (line: string) => string
  isIndentedCode: (line: string) => boolean
  /** The fence of the open code. */
  fence: string | undefined
  /** The line that ends open code of the dialect's own. */
  codeEnd: string | undefined
  /** The fences of the directives that are open. */
  directives: string[]
  /** Characters of quotes that alerts may still turn into text. */
  unquotableCharacters: number
  /** The last line with words. */
  lastWords: string
  /** Tags already taken from the start of the current line. */
  tagsOnLine: number
  /** The page's language, found out once it is asked for. */
  language: () => "fr" | "en"
}

function beginConversion(text: string, dialect: Dialect | undefined): Conversion {
  const markup = dialect?.markup?.(text)
  const source = (markup?.text ?? text).split("\n")
  let language: "fr" | "en" | undefined
  return {
    source,
    lines: [],
    dialect,
    markup,
    nesting: createNesting(),
    blocks: createHtmlBlocks(dialect),
    skippedTo: skippedLines(source),
    componentAt: componentFinder(source),
    callAt: callReader(source),
    withFootnotes: footnoteReader(source),
    isIndentedCode: indentedCodeDetector(),
    fence: undefined,
    codeEnd: undefined,
    directives: [],
    unquotableCharacters: 4 * text.length,
    lastWords: "",
    tagsOnLine: 0,
    language: () => (language ??= pageLanguage(text)),
  }
}

/** Reads the line at `at` and the lines that belong to it. Returns the index of the last one. */
function readLine(page: Conversion, at: number): number {
  const { source, lines, markup, directives } = page
  if (isInCode(page)) {
    readCodeLine(page, outdented(page, source[at] as string))
    return at
  }
  const called = page.callAt(at)
  if (called !== undefined) return called - 1
  const prepared = markup ? markup.prepare(source[at] as string) : (source[at] as string)
  source[at] = withInlineComponents(prepared)
  const line = outdented(page, source[at] as string)
  const code = markup?.codeStart(line)
  if (code) {
    page.codeEnd = code.end
    lines.push("", codeMark + code.language)
    return at
  }
  const ticks = openingFence.exec(line)?.[1]
  const directive = directives.at(-1)
  if (ticks && line.trim() === ticks && directive && ticks.startsWith(directive)) {
    directives.pop()
    lines.push("")
    return at
  }
  if (ticks && !isOneLiner(line, ticks)) return openFence(page, line, ticks, at)
  if (!page.isIndentedCode(line) || componentTag.test(line)) return convertFrom(page, line, at)
  lines.push(line)
  return at
}

function isInCode({ fence, codeEnd }: Conversion): boolean {
  return fence !== undefined || codeEnd !== undefined
}

function readCodeLine(page: Conversion, line: string): void {
  const { codeEnd, fence, lines } = page
  if (codeEnd !== undefined) {
    const isEnd = line.trim() === codeEnd
    if (isEnd) page.codeEnd = undefined
    lines.push(isEnd ? codeMark : line)
    return
  }
  const ticks = openingFence.exec(line)?.[1]
  if (ticks?.startsWith(fence as string) && line.trim() === ticks) page.fence = undefined
  lines.push(line)
}

const openingFence = /^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/

/** A fence is code, unless it is a directive of MyST, whose content is text, or code, or left out. */
function openFence(page: Conversion, line: string, ticks: string, at: number): number {
  const { source, lines } = page
  const [, indent = "", name = "", argument = ""] = mystFence.exec(line) ?? []
  const directive = name === "" ? undefined : readDirective(name, argument, page.language())
  if (directive?.kind === "dropped") {
    lines.push("")
    return findEnd(source, at + 1, (below) => below.trim() === ticks)
  }
  if (directive?.kind === "text") {
    page.directives.push(ticks)
    lines.push("", indent + directiveTitle(directive))
    return lastOption(source, at, "myst")
  }
  page.fence = ticks
  lines.push(directive ? `${indent}${ticks}${directive.language}` : line)
  return directive ? lastOption(source, at, "myst") : at
}

/** Converts the line at `at`, which is no code, and the lines that belong to it. Returns the index of the last one. */
function convertFrom(page: Conversion, line: string, at: number): number {
  const { lines, dialect, nesting, blocks } = page
  const end = page.skippedTo(at)
  if (end !== undefined) {
    lines.push("")
    return end
  }
  const afterTag = convertTag(page, line, at)
  if (afterTag !== undefined) return afterTag
  page.tagsOnLine = 0
  const closed = blocks.closes(line)
  if (closed) {
    nesting.close(`markdown ${closed.name}`)
    if (closed.before.trim() !== "") lines.push(...convertLine(closed.before, dialect))
    lines.push("", closed.tag, "")
    return at
  }
  const id = headingId(line)
  if (id !== undefined && /^#{1,6}\s/.test(lines.at(-1) ?? "")) {
    lines.push(`${lines.pop()} {#${id}}`)
    return at
  }
  const alert = alertStart.exec(line)
  if (alert) return openAlert(page, alert, at)
  return convertText(page, line, at)
}

/** Converts the component or element that begins the line; undefined when none does. */
function convertTag(page: Conversion, line: string, at: number): number | undefined {
  if (page.tagsOnLine >= maxTagsOnLine) return undefined
  const { source, lines, nesting } = page
  const component = (page.dialect?.isMdx ? mdxTag : jsxTag).test(line) ? page.componentAt(at) : undefined
  const isInSentence =
    component?.kind === "self-closing" && component.lastLine === at && /\p{L}/u.test(component.rest)
  const indent = lineIndent(source[at] as string)
  if (component && !isInSentence) {
    const { name, kind, label, text, items, lastLine, rest } = component
    if (kind === "open") nesting.open(name, indent)
    if (kind === "close") nesting.close(name)
    lines.push("", ...(label ? [`**${label}**`, ""] : []), ...(text ? [text, ""] : []))
    lines.push(...items.map((item) => `- ${item}`), ...(items.length > 0 ? [""] : []))
    page.tagsOnLine = lastLine === at ? page.tagsOnLine + 1 : 1
    if (rest.trim() !== "") return readRest(page, lastLine, indent, rest)
    page.tagsOnLine = 0
    return lastLine
  }
  const opened = page.blocks.opens(line)
  if (!opened) return undefined
  nesting.open(`markdown ${opened.name}`, indent)
  lines.push("", opened.tag, "")
  page.tagsOnLine++
  return opened.rest.trim() === "" ? at : readRest(page, at, indent, opened.rest)
}

/** The rest of the line is read as a line of its own. */
function readRest({ source }: Conversion, at: number, indent: number, rest: string): number {
  source[at] = " ".repeat(indent) + rest.trimStart()
  return at - 1
}

/** The quote below the title of an alert becomes text, as it is in a container. */
function openAlert(page: Conversion, [, indent = "", title = ""]: RegExpExecArray, at: number): number {
  const { source, lines } = page
  for (let below = at + 1; below < source.length; below++) {
    const line = source[below] as string
    page.unquotableCharacters -= line.length
    if (!/^\s*>/.test(line) || page.unquotableCharacters < 0) break
    source[below] = line.replace(/> ?/, "")
  }
  const words = title.replaceAll("**", "").trim()
  const isAbove = /^\s*(?:$|[-*+#>`~|]|\d+[.)]\s)/.test(source[at + 1] ?? "")
  const isSentence = /[\p{L}\p{N})»"]$/u.test(words) && !isAbove
  const colon = isSentence ? (page.language() === "fr" ? "\u00a0:" : ":") : ""
  lines.push("", ...(words === "" ? [] : [`${indent}**${words}${colon}**`]), ...(isAbove ? [""] : []))
  return at
}

function convertText(page: Conversion, line: string, at: number): number {
  const { source, lines, markup } = page
  const rst = rstDirective.exec(line)
  const directive = rst && readDirective(rst[2] as string, rst[3] as string, page.language())
  if (directive?.kind === "text") {
    lines.push("", rst?.[1] + directiveTitle(directive))
    return lastOption(source, at, "myst")
  }
  if (isIndentedContainer(line)) page.nesting.open(undefined, lineIndent(source[at] as string))
  const text = page.withFootnotes(line)
  for (const part of markup?.convert(text) ?? [text])
    for (const converted of convertLine(withPictures(part, page.lastWords), page.dialect)) {
      lines.push(converted)
      if (converted.trim() !== "") page.lastWords = converted
    }
  if (page.blocks.endsBefore(line, source[at + 1])) lines.push("")
  if (/^\s*:{3,}\{/.test(line)) return lastOption(source, at, "myst")
  return /^\s*\/{3,}\s*[\w-]/.test(line) ? lastOption(source, at, "pymdown") : at
}

/** The last line of the options of the directive at `at`. */
function lastOption(source: string[], at: number, kind: "myst" | "pymdown"): number {
  let end = at
  while (end + 1 < source.length && isOption(source[end + 1] as string, kind)) end++
  return end
}

/** The line without the indentation of its containers and components, which would make code of text. */
function outdented(page: Conversion, raw: string): string {
  if (page.nesting.isEmpty() || raw.trim() === "") return raw
  const line = raw.replace(/^[\t ]+/, (space) => space.replaceAll("\t", "    "))
  const indent = lineIndent(line)
  return line.slice(Math.min(page.nesting.columnsAt(indent, isInCode(page)), indent))
}

/** The id that a line of attributes gives to the heading above it: `{: #id .class}` of kramdown. */
function headingId(line: string): string | undefined {
  return /^\{:[^{}]*\}\s*$/.test(line) ? /#([\w:.-]+)/.exec(line)?.[1] : undefined
}

/** `> [!WARNING] Titre` of GitHub, `> [!info]- Titre` of Obsidian. */
const alertStart = /^(\s*)> ?\[!\s*[\w-]+(?:\|[^\]]*)?\][+-]?([^\n]*)/
const mystFence = /^(\s*)(?:`{3,}|~{3,})\{([a-zA-Z][\w:-]*)\}([^\n]*)/
const rstDirective = /^(\s*)\.\. ([a-z][\w-]*)::([^\n]*)/

function directiveTitle({ title, text }: { title?: string; text?: string }): string {
  return title ? `**${title.replaceAll("**", "")}**\n` : (text ?? "")
}

/**
 * A picture within a sentence says its alternative text there. So does one after a colon, which is what the sentence
 * announces: without a text, it cannot be read. In a heading it stays a picture, whose
 * text most generators leave out of the anchor.
 */
function withPictures(line: string, lastWords: string): string {
  if (!line.includes("![") || line.length > maxSentenceCharacters || /^\s*#{1,6}\s/.test(line)) return line
  return replaceOutsideCode(line, picture, (found, { 1: alt = "", index }) => {
    const before = line.slice(0, index)
    const after = line.slice(index + found.length)
    const words = /\p{L}/u.test(before.replace(/^\s*(?:[-*+]|\d+[.)])\s/, "")) ? before : lastWords
    if (words === before && /^[ \t]*[\p{L}\p{N}(]/u.test(after)) return alt.trim() || unread
    return /:\s*$/.test(words) && !/\p{L}/u.test(after) ? alt.trim() || unread : found
  })
}

const picture = /`+|(?<!\[)!\[([^[\]\n]*)\]\([^()\n]*\)/g

/** Long, because the code may be Markdown with fences of its own. */
const codeMark = "~~~~~~"

/** The start of a tag that a Markdown parser does not take for one, or that says nothing in Markdown. */
const jsxTag = /^\s*<(?:\/?[A-Z]|[a-z][^>]*=\{)/
/** In MDX, every tag may run over several lines and have braces there. */
const mdxTag = /^\s*<(?:\/?[A-Z]|[a-z][^>]*(?:=\{|$))/

/** At any indentation, because MDX has no indented code. */
const componentTag = /^\s*<\/?[A-Z]/
/** Each tag costs reading the rest of its line. */
const maxTagsOnLine = 50

function isOneLiner(line: string, ticks: string): boolean {
  return ticks.startsWith("`") && line.slice(line.indexOf(ticks) + ticks.length).includes("`")
}

function lineIndent(line: string): number {
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
