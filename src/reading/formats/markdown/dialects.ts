import { replaceOutsideCode } from "./code-spans.ts"
import { componentFinder, withInlineComponents } from "./components.ts"
import { convertLine, isIndentedContainer } from "./containers.ts"
import { directiveOf, isOption, languageOf } from "./directives.ts"
import type { Generator } from "./generator.ts"
import { codeEnd, gravMarkup, noticeAsQuote, withShortcodesOnOneLine } from "./grav.ts"
import { createHtmlBlocks } from "./html-blocks.ts"
import { maxSentenceCharacters, unread } from "./inline-markup.ts"
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
  const blocks = createHtmlBlocks(generator)
  const endOfSkipped = skippedLines(source)
  const componentAt = componentFinder(source)
  const isIndentedCode = indentedCodeDetector()
  const grav = generator === "grav" ? gravMarkup(text) : undefined
  let fence: string | undefined
  /** The fences of the directives that are open. */
  const directives: string[] = []
  /** Characters of quotes that alerts may still turn into text. */
  let unquotable = 4 * text.length
  /** The last line with words. */
  let lastWords = ""
  let pageLanguage: "fr" | "en" | undefined
  const language = () => (pageLanguage ??= languageOf(text))
  /** Tags already taken from the start of the current line. */
  let tagsOnLine = 0

  for (let at = 0; at < source.length; at++) {
    if (grav && fence === undefined) source[at] = noticeAsQuote(source[at] as string)
    if (fence === undefined) source[at] = withInlineComponents(source[at] as string)
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
    } else if (
      ticks &&
      line.trim() === ticks &&
      directives.at(-1) &&
      ticks.startsWith(directives.at(-1) as string)
    ) {
      directives.pop()
      lines.push("")
    } else if (ticks && !isOneLiner(line, ticks)) {
      const end = openDirective(line, ticks, at)
      if (end !== undefined) {
        at = end
        continue
      }
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
    const isInSentence =
      component?.kind === "self-closing" && component.lastLine === at && /\p{L}/u.test(component.rest)
    if (component && !isInSentence) {
      const { name, kind, label, text, lastLine, rest } = component
      if (kind === "open") nesting.open(name, indentOf(source[at] as string))
      if (kind === "close") nesting.close(name)
      lines.push("", ...(label ? [`**${label}**`, ""] : []), ...(text ? [text, ""] : []))
      tagsOnLine = lastLine === at ? tagsOnLine + 1 : 1
      if (rest.trim() === "") {
        tagsOnLine = 0
        return lastLine
      }
      // The rest of the line is read as a line of its own.
      source[lastLine] = " ".repeat(indentOf(source[at] as string)) + rest.trimStart()
      return lastLine - 1
    }
    const opened = tagsOnLine < maxTagsOnLine ? blocks.opens(line) : undefined
    if (opened) {
      nesting.open(`markdown ${opened.name}`, indentOf(source[at] as string))
      lines.push("", opened.tag, "")
      tagsOnLine++
      if (opened.rest.trim() === "") return at
      source[at] = " ".repeat(indentOf(source[at] as string)) + opened.rest.trimStart()
      return at - 1
    }
    tagsOnLine = 0
    const closed = blocks.closes(line)
    if (closed) {
      nesting.close(`markdown ${closed.name}`)
      if (closed.before.trim() !== "") lines.push(...convertLine(closed.before, generator))
      lines.push("", closed.tag, "")
      return at
    }
    const id = headingId(line)
    if (id !== undefined && /^#{1,6}\s/.test(lines.at(-1) ?? "")) {
      lines.push(`${lines.pop()} {#${id}}`)
      return at
    }
    const alert = alertStart.exec(line)
    if (alert) return openAlert(alert, at)
    const rst = rstDirective.exec(line)
    const directive = rst && directiveOf(rst[2] as string, rst[3] as string, language())
    if (directive?.kind === "text") {
      lines.push("", rst?.[1] + titleOf(directive))
      return endOfOptions(at, "myst")
    }
    if (isIndentedContainer(line)) nesting.open(undefined, indentOf(source[at] as string))
    for (const part of grav?.convert(line) ?? [line])
      for (const converted of convertLine(withPictures(part, lastWords), generator)) {
        lines.push(converted)
        if (converted.trim() !== "") lastWords = converted
      }
    if (blocks.endsBefore(line, source[at + 1])) lines.push("")
    if (/^\s*:{3,}\{/.test(line)) return endOfOptions(at, "myst")
    return /^\s*\/{3,}\s*[\w-]/.test(line) ? endOfOptions(at, "pymdown") : at
  }

  /** The quote below the title of an alert becomes text, as it is in a container. */
  function openAlert([, indent = "", title = ""]: RegExpExecArray, at: number): number {
    for (let below = at + 1; below < source.length; below++) {
      const line = source[below] as string
      unquotable -= line.length
      if (!/^\s*>/.test(line) || unquotable < 0) break
      source[below] = line.replace(/> ?/, "")
    }
    const words = title.replaceAll("**", "").trim()
    const isAbove = /^\s*(?:$|[-*+#>`~|]|\d+[.)]\s)/.test(source[at + 1] ?? "")
    const colon = /[\p{L}\p{N})»"]$/u.test(words) && !isAbove ? (language() === "fr" ? "\u00a0:" : ":") : ""
    lines.push("", ...(words === "" ? [] : [`${indent}**${words}${colon}**`]), ...(isAbove ? [""] : []))
    return at
  }

  /**
   * A fence that is a directive of MyST, whose content is text, or code, or left out. Returns the index of its last
   * line that is done, undefined for any other fence.
   */
  function openDirective(line: string, ticks: string, at: number): number | undefined {
    const [, indent = "", name = "", argument = ""] = mystFence.exec(line) ?? []
    const directive = name === "" ? undefined : directiveOf(name, argument, language())
    if (!directive) return undefined
    if (directive.kind === "dropped") {
      const end = findEnd(source, at + 1, (below) => below.trim() === ticks)
      lines.push("")
      return end
    }
    if (directive.kind === "code") {
      fence = ticks
      lines.push(`${indent}${ticks}${directive.language}`)
    } else {
      directives.push(ticks)
      lines.push("", indent + titleOf(directive))
    }
    return endOfOptions(at, "myst")
  }

  function endOfOptions(at: number, kind: "myst" | "pymdown"): number {
    let end = at
    while (end + 1 < source.length && isOption(source[end + 1] as string, kind)) end++
    return end
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
  return /^\{:[^{}]*\}\s*$/.test(line) ? /#([\w:.-]+)/.exec(line)?.[1] : undefined
}

/** `> [!WARNING] Titre` of GitHub, `> [!info]- Titre` of Obsidian. */
const alertStart = /^(\s*)> ?\[!\s*[\w-]+(?:\|[^\]]*)?\][+-]?([^\n]*)/
const mystFence = /^(\s*)(?:`{3,}|~{3,})\{([a-zA-Z][\w:-]*)\}([^\n]*)/
const rstDirective = /^(\s*)\.\. ([a-z][\w-]*)::([^\n]*)/

function titleOf({ title, text }: { title?: string; text?: string }): string {
  return title ? `**${title.replaceAll("**", "")}**\n` : (text ?? "")
}

/**
 * A picture within a sentence says its alternative text there. After a colon, it is what the sentence announces, and
 * cannot be read.
 */
function withPictures(line: string, lastWords: string): string {
  if (!line.includes("![") || line.length > maxSentenceCharacters) return line
  return replaceOutsideCode(line, picture, (found, { 1: alt = "", index }) => {
    const before = line.slice(0, index)
    const after = line.slice(index + found.length)
    const words = /\p{L}/u.test(before.replace(/^\s*(?:[-*+]|\d+[.)])\s/, "")) ? before : lastWords
    if (words === before && /^[ \t]*[\p{L}\p{N}(]/u.test(after)) return alt.trim() || unread
    return /:\s*$/.test(words) && !/\p{L}/u.test(after) ? unread : found
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
    if (line.startsWith("{::comment}")) return endOfComment(at, "{:/comment}")
    if (/^\{%-?\s*comment\s*-?%\}\s*$/.test(line)) return endOfComment(at, "endcomment %}")
    if (line.trimEnd() === "%%") return endOfPercents(at)
    const isAfterText = at > 0 && (source[at - 1] as string).trim() !== "" && at - 1 !== lastModuleLine
    if (isAfterText && !isModuleLine(source[at - 1] as string)) return undefined
    if (isImport(line)) return moduleUpTo(findEnd(source, at, endsImport))
    if (/^export\s+(?:default|const|let|var|function|async|class|\{|\*)/.test(line))
      return moduleUpTo(endOfStatement(source, at))
    return undefined
  }

  /** A comment of Obsidian; undefined for a mark that no other one follows. */
  function endOfPercents(at: number): number | undefined {
    const end = ends.get("%%")?.line ?? -1
    const line = end > at ? end : findEnd(source, at + 1, (text) => text.trim() === "%%")
    ends.set("%%", { line, text: source[line] as string, isAtEnd: true })
    return (source[line] as string).trim() === "%%" && line > at ? line : undefined
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
