import { type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import type { ElementTest } from "./dom.ts"
import { longestBacktickRun, preformattedText } from "./inline.ts"

/** The code of a `pre` between fences, with its language; empty for a `pre` without code. */
export function codeBlock(element: Element, isSkipped: ElementTest): string {
  const written = preformattedText(element, isSkipped).replace(/\r\n?/g, "\n")
  const code = withoutEmptyEnds(withoutHighlightMarks(written))
  if (code === "") return ""
  const ticks = "`".repeat(Math.max(3, longestBacktickRun(code) + 1))
  return `${ticks}${languageOf(element)}\n${code}\n${ticks}`
}

/** Without the empty lines at both ends; the first line keeps its indentation. */
function withoutEmptyEnds(code: string): string {
  const text = code.trimEnd()
  const leading = text.length - text.trimStart().length
  return text.slice(text.slice(0, leading).lastIndexOf("\n") + 1)
}

/** Without the comments that tell a generator which lines to colour; readers do not see them. */
function withoutHighlightMarks(code: string): string {
  if (!code.includes("highlight-") && !code.includes("[!code ")) return code
  const lines = code.split("\n")
  return lines
    .filter((line, at) => at === lines.length - 1 || !highlightLine.test(line.trim()))
    .map(withoutCodeMark)
    .join("\n")
}

const highlightLine = /^(?:\/\/|#|<!--|\{?\/\*)\s*highlight-(?:next-line|start|end)\s*(?:-->|\*\/\}?)?$/

/** `const a = 1 // [!code focus]` → `const a = 1`. */
function withoutCodeMark(line: string): string {
  const start = line.lastIndexOf("[!code ")
  if (start === -1 || !/^[^\]]*\](?:\s*(?:-->|\*\/))?$/.test(line.slice(start).trimEnd())) return line
  const before = line.slice(0, start).trimEnd()
  const comment = ["//", "#", "<!--", "/*"].find((opening) => before.endsWith(opening))
  return comment === undefined ? line : before.slice(0, -comment.length).trimEnd()
}

/** A longer language is no name. A longer class list would be searched again for each `pre`. */
const maxCharacters = { classes: 1000, language: 50 }
const codeLanguage = /(?:^|\s)(?:language|lang|highlight|brush)[-:]\s*([\w+#.-]+)/

function languageOf(pre: Element): string {
  const code = DomUtils.findOne(({ name }) => name === "code", pre.children)
  for (const element of [code, ...withAncestors(pre, 7)]) {
    if (!element) continue
    const { class: classes = "", "data-language": language, lang } = element.attribs
    const inClasses = codeLanguage.exec(classes.slice(0, maxCharacters.classes))?.[1]
    const found = language ?? inClasses ?? (element === pre ? lang : undefined)
    if (!found) continue
    const isNone = found === "text" || found === "plaintext" || found === "default"
    return isNone || found.length > maxCharacters.language ? "" : found
  }
  return ""
}

/**
 * A `pre` and the boxes around it: highlighters also wrap it in a table with line numbers, and name the
 * language on any of them.
 */
function withAncestors(element: Element, count: number): Element[] {
  const { parent } = element
  return count > 0 && parent && isTag(parent) ? [element, ...withAncestors(parent, count - 1)] : [element]
}
