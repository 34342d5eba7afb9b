import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import type { Clutter } from "./clutter.ts"
import { footnoteMark, markless } from "./footnote-marks.ts"

const marks: Record<string, string> = {
  strong: "**",
  b: "**",
  em: "*",
  i: "*",
  del: "~~",
  s: "~~",
}
const codes = new Set(["code", "kbd", "samp", "tt"])
const phrasing = new Set(
  `a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u
   var wbr br`.split(/\s+/),
)

/** Whether an element of that name stands within a line of text; components may. */
export function isPhrasing(name: string): boolean {
  return phrasing.has(name) || name.includes("-")
}

/**
 * Text of nodes as one paragraph of simple Markdown. Links keep their words and lose their address:
 * an answer links to its sources only.
 */
export function prose(nodes: ChildNode[], clutter: Clutter): string {
  return line(nodes, clutter, 0)
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim()
}

/** A paragraph that happens to begin like a heading, a list, a quote or code stays a paragraph. */
export function guarded(text: string): string {
  return text.replace(/^(#{1,6}\s|[-+>]\s|\||~{3})/gm, "\\$1").replace(/^(\d{1,9})([.)]\s)/gm, "$1\\$2")
}

/** The words alone, on one line, as a heading or a title shows them. */
export function plain(nodes: ChildNode[], clutter: Clutter): string {
  const said: string[] = []
  const visit = (node: ChildNode): void => {
    if (isText(node)) said.push(node.data)
    else if (isTag(node) && !clutter(node)) for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return tidy(said.join("")).trim()
}

/** Code as it stands, lines and indentation kept. */
export function verbatim(code: ChildNode, clutter: Clutter): string {
  const said: string[] = []
  const visit = (node: ChildNode): void => {
    if (isText(node)) {
      if (node.data !== "") said.push(node.data)
      return
    }
    if (!isTag(node)) return
    if (node.name === "br") said.push("\n")
    else if (!clutter(node)) {
      const before = said.length
      for (const child of node.children) visit(child)
      // Some highlighters make each line a block and leave the line ends out.
      const isLine = node.name === "div" && said.length > before
      if (isLine && !(said.at(-1) as string).endsWith("\n")) said.push("\n")
    }
  }
  visit(code)
  return said.join("")
}

/**
 * Of marks within marks more than anybody sets, the inner ones go: each is set by looking at all that it
 * holds.
 */
const maxMarks = 8

/**
 * Text of nodes within `depth` elements that are marked. It is collected in one list down to the next of
 * those: joined at every level, it would be copied as often as it is nested deep.
 */
function line(nodes: ChildNode[], clutter: Clutter, depth: number): string {
  const said: string[] = []
  for (const node of nodes) visit(node)
  return said.join("")

  function visit(node: ChildNode): void {
    if (isText(node)) say(escaped(tidy(node.data)))
    else if (isTag(node)) element(node)
  }

  function element(node: Element): void {
    const { name, children } = node
    const isMarked = depth < maxMarks && (name === "sup" || marks[name] !== undefined)
    if (name === "br") say("\n")
    else if (clutter(node) || (isMarked && isFootnoteMark(node))) return
    else if (codes.has(name)) say(codeSpan(tidy(verbatim(node, clutter))))
    else if (isMarked) say(marked(line(children, clutter, depth + 1), name))
    else if (isPhrasing(name)) for (const child of children) visit(child)
    else apart(children)
  }

  /** Paragraphs and lists in a cell of a table: their words do not touch. */
  function apart(children: ChildNode[]): void {
    const before = said.push("\n")
    for (const child of children) visit(child)
    if (said.length > before) say("\n")
    else said.pop()
  }

  function say(text: string): void {
    if (text !== "") said.push(text)
  }
}

/** A mark touches its words, or it is no mark: spaces move outside. */
function marked(text: string, name: string): string {
  if (name === "sup") return raised(text)
  const mark = marks[name] as string
  const words = text.trim()
  if (words === "" || words.includes(mark)) return text
  const at = text.length - text.trimStart().length
  return text.slice(0, at) + mark + words + mark + text.slice(at + words.length)
}

/** 10<sup>6</sup> is no 106. */
function raised(text: string): string {
  return /^[-+−]?\d+$/.test(text) ? text.replace(/./g, (sign) => superscripts[sign] ?? sign) : text
}

const superscripts: Record<string, string> = Object.fromEntries(
  [..."0123456789+-−"].map((sign, at) => [sign, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻"][at] as string]),
)

function codeSpan(code: string): string {
  const text = code.trim()
  if (text === "") return ""
  const fence = "`".repeat(longestRun(text) + 1)
  const space = text.startsWith("`") || text.endsWith("`") ? " " : ""
  return fence + space + text + space + fence
}

/** Length of the longest run of backticks in the text. */
export function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

function isFootnoteMark(element: Element): boolean {
  return (
    element.name === "sup" &&
    DomUtils.findOne(
      ({ name, attribs }) => name === "a" && (attribs["href"] ?? "").startsWith("#"),
      element.children,
    ) !== null
  )
}

/** Zero-width characters and pilcrows are what generators hang on headings; a soft hyphen is for the eye. */
function tidy(text: string): string {
  return text.replace(/[\u200b\u2060\ufeff\u00ad]/g, "").replace(/[ \t\r\n\f]+/g, " ")
}

/**
 * What was text stays text: what looks like a link or an entity is none. `[^1]` would be read as a source of
 * the answer, so a footnote's mark goes.
 */
function escaped(text: string): string {
  return text
    .replace(footnoteMark, markless)
    .replace(/[\\`*]|\](?=\()|&(?=#?\w{1,32};)|<(?=[a-z/!?])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, "\\$&")
}
