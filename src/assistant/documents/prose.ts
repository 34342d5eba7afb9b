import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import type { Clutter } from "./clutter.ts"

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
  return nodes
    .map((node) => inline(node, clutter))
    .join("")
    .replace(/ *\n */g, "\n")
    .replace(/ {2,}/g, " ")
    .trim()
}

/** The words alone, on one line, as a heading or a title shows them. */
export function plain(nodes: ChildNode[], clutter: Clutter): string {
  const text = (node: ChildNode): string => {
    if (isText(node)) return node.data
    return isTag(node) && !clutter(node) ? node.children.map(text).join("") : ""
  }
  return tidy(nodes.map(text).join("")).trim()
}

/** Code as it stands, lines and indentation kept. */
export function verbatim(node: ChildNode, clutter: Clutter): string {
  if (isText(node)) return node.data
  if (!isTag(node)) return ""
  if (node.name === "br") return "\n"
  if (clutter(node)) return ""
  const text = node.children.map((child) => verbatim(child, clutter)).join("")
  // Some highlighters make each line a block and leave the line ends out.
  return node.name === "div" && text !== "" && !text.endsWith("\n") ? `${text}\n` : text
}

function inline(node: ChildNode, clutter: Clutter): string {
  if (isText(node)) return escaped(tidy(node.data))
  if (!isTag(node)) return ""
  if (node.name === "br") return "\n"
  if (clutter(node) || isFootnoteMark(node)) return ""
  if (codes.has(node.name)) return codeSpan(tidy(verbatim(node, clutter)))
  const text = node.children.map((child) => inline(child, clutter)).join("")
  if (node.name === "sup") return raised(text)
  // Paragraphs and lists in a cell of a table: their words do not touch.
  return isPhrasing(node.name) || text === "" ? marked(text, marks[node.name]) : `\n${text}\n`
}

/** 10<sup>6</sup> is no 106. */
function raised(text: string): string {
  return /^[-+−]?\d+$/.test(text) ? text.replace(/./g, (sign) => superscripts[sign] ?? sign) : text
}

const superscripts: Record<string, string> = Object.fromEntries(
  [..."0123456789+-−"].map((sign, at) => [sign, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻"][at] as string]),
)

/** A mark touches its words, or it is no mark: spaces move outside. */
function marked(text: string, mark: string | undefined): string {
  const words = text.trim()
  if (!mark || words === "" || words.includes(mark)) return text
  const at = text.indexOf(words)
  return text.slice(0, at) + mark + words + mark + text.slice(at + words.length)
}

function codeSpan(code: string): string {
  const text = code.trim()
  if (text === "") return ""
  const fence = "`".repeat(longestRun(text) + 1)
  const space = text.startsWith("`") || text.endsWith("`") ? " " : ""
  return fence + space + text + space + fence
}

/** Length of the longest run of backticks in the text. */
export function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
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
 * What was text stays text: what looks like a link or an entity is none. `[^1]` would be read as a source of the answer, so a footnote's
 * mark goes.
 */
function escaped(text: string): string {
  return text
    .replace(/\[\^[^\]\s]{1,40}\]:?/g, "")
    .replace(/[\\`*]|\](?=\()|&(?=#?\w{1,32};)|<(?=[a-z/!?])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, "\\$&")
}
