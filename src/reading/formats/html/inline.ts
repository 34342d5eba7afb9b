import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import { markdownLink } from "../link.ts"
import type { ElementTest } from "./dom.ts"
import { contactAddress, contactText, notedTarget } from "./links.ts"
import { noteTag, signedNote, withNotesPlaced } from "./notes.ts"

const emphasisMarks: Record<string, string> = {
  strong: "**",
  b: "**",
  em: "*",
  i: "*",
  del: "~~",
  s: "~~",
}
const codeTags = new Set(["code", "kbd", "samp", "tt"])
const phrasingTags = new Set(
  `a abbr b bdi bdo button cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u
   var wbr br`.split(/\s+/),
)

/** Phrasing content of the HTML standard: elements within a line of text. A custom element may be one. */
export function isPhrasing(name: string): boolean {
  return phrasingTags.has(name) || name.includes("-")
}

/** Text of the nodes as one paragraph of simple Markdown. A link keeps its address if one was noted. */
export function inlineMarkdown(nodes: ChildNode[], isSkipped: ElementTest): string {
  const text = inline(nodes, isSkipped, 0)
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n ?/g, "\n")
  return withNotesPlaced(text).trim()
}

/** Escapes the start of each line of a paragraph that looks like a heading, a list, a quote or code. */
export function escapeBlockStarts(text: string): string {
  return text.replace(/^(#{1,6}\s|[-+>]\s|\||~{3})/gm, "\\$1").replace(/^(\d{1,9})([.)]\s)/gm, "$1\\$2")
}

/** The words of the nodes on one line, as a heading or a title shows them. */
export function plainText(nodes: ChildNode[], isSkipped: ElementTest): string {
  const texts: string[] = []
  const visit = (node: ChildNode): void => {
    if (isText(node)) texts.push(node.data)
    else if (isTag(node) && node.name !== noteTag && !isSkipped(node))
      for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return collapseSpaces(texts.join("")).trim()
}

/**
 * The words of a heading. Elements that are all of it, each with a class of its own and words, are lines of it:
 * « Outil » above « La doc », which a style sets apart.
 */
export function headingText(nodes: ChildNode[], isSkipped: ElementTest): string {
  const parts = nodes.filter((node) => !(isText(node) && node.data.trim() === ""))
  const areLines =
    parts.length > 1 &&
    parts.every(
      (node) =>
        isTag(node) && node.attribs["class"] !== undefined && !isSkipped(node) && isPhrasing(node.name),
    )
  if (!areLines) return plainText(nodes, isSkipped)
  const lines = nodes.map((node) => (isTag(node) ? plainText([node], isSkipped) : " "))
  const isWord = (line: string) => /^[\p{L}\p{N}].*[\p{L}\p{N}!?.:»]$/u.test(line)
  return lines
    .map((line, at) => (isWord(line) && isWord(lines[at + 1] ?? "") ? `${line} ` : line))
    .join("")
    .replace(/ {2,}/g, " ")
    .trim()
}

/** The description of the only picture among the nodes. */
export function pictureText(nodes: ChildNode[]): string {
  const [alt, ...others] = DomUtils.findAll(({ name }) => name === "img", nodes).flatMap(
    ({ attribs }) => attribs["alt"]?.trim() || [],
  )
  const isShort = alt !== undefined && others.length === 0 && alt.length <= maxAltCharacters
  return isShort ? escapeBlockStarts(escaped(collapseSpaces(alt))) : ""
}

const maxAltCharacters = 200

/** Code with its lines and indentation. */
export function preformattedText(code: ChildNode, isSkipped: ElementTest): string {
  const texts: string[] = []
  const visit = (node: ChildNode): void => {
    if (isText(node)) {
      if (node.data !== "") texts.push(node.data)
      return
    }
    if (!isTag(node)) return
    if (node.name === "br") texts.push("\n")
    else if (!isSkipped(node)) {
      const before = texts.length
      for (const child of node.children) visit(child)
      // Some highlighters make each line a block and leave the line ends out.
      const isLine = node.name === "div" && texts.length > before
      if (isLine && !(texts.at(-1) as string).endsWith("\n")) texts.push("\n")
    }
  }
  visit(code)
  return texts.join("")
}

/** Deeper emphasis is dropped: each mark costs a look at all the text inside it. */
const maxEmphasisDepth = 8

/**
 * Text of the nodes, which stand in `depth` emphasised elements. It is collected in one list down to the next
 * emphasised element: text that is joined at every level is copied as often as it is nested deep.
 */
function inline(nodes: ChildNode[], isSkipped: ElementTest, depth: number): string {
  const texts: string[] = []
  let isInLink = false
  for (const node of nodes) visit(node)
  return texts.join("")

  function visit(node: ChildNode): void {
    if (isText(node)) add(escaped(collapseSpaces(node.data)))
    else if (isTag(node)) element(node)
  }

  function element(node: Element): void {
    const { name, children } = node
    const isEmphasis = depth < maxEmphasisDepth && (name === "sup" || emphasisMarks[name] !== undefined)
    if (name === "br") add("\n")
    else if (name === noteTag) add(signedNote(inline(children, isSkipped, depth)))
    else if (isSkipped(node) || (isEmphasis && isFootnoteReference(node))) return
    else if (codeTags.has(name)) add(codeSpan(collapseSpaces(preformattedText(node, isSkipped))))
    else if (isEmphasis) add(emphasized(inline(children, isSkipped, depth + 1), name))
    else if (name === "a" && !isInLink) addLink(node)
    else if (isPhrasing(name)) for (const child of children) visit(child)
    else addOnOwnLine(children)
  }

  /** A link in a link stays text: joining the text of each would copy it as often as they are nested. */
  function addLink(link: Element): void {
    const target = notedTarget(link)
    const contact = contactAddress(link)
    isInLink = (target ?? contact) !== undefined
    const before = texts.length
    for (const child of link.children) visit(child)
    isInLink = false
    if (contact !== undefined) addContact(contact, texts.slice(before).join("").trim())
    if (target === undefined) return
    const text = markdownLink(texts.splice(before).join(""), target)
    // Right after an exclamation mark, it would be an image.
    if (text.startsWith("[") && texts.at(-1)?.endsWith("!")) texts.push(`${texts.pop()?.slice(0, -1)}\\!`)
    add(text)
  }

  function addContact(contact: string, words: string): void {
    const text = escaped(contactText(contact, words))
    add(text === "" || words === "" ? text : ` (${text})`)
  }

  /** Separates the words of paragraphs and list items in a table cell. */
  function addOnOwnLine(children: ChildNode[]): void {
    const before = texts.push("\n")
    for (const child of children) visit(child)
    if (texts.length > before) add("\n")
    else texts.pop()
  }

  function add(text: string): void {
    if (text !== "") texts.push(text)
  }
}

/** CommonMark wants a mark right beside its words, so outer spaces stay outside the marks. */
function emphasized(text: string, name: string): string {
  if (name === "sup") return superscript(text)
  const mark = emphasisMarks[name] as string
  const words = text.trim()
  if (words === "" || words.includes(mark)) return text
  const at = text.length - text.trimStart().length
  return text.slice(0, at) + mark + words + mark + text.slice(at + words.length)
}

/** 10<sup>6</sup> must not become 106. */
function superscript(text: string): string {
  return /^[-+−]?\d+$/.test(text) ? text.replace(/./g, (sign) => superscripts[sign] ?? sign) : text
}

const superscripts: Record<string, string> = Object.fromEntries(
  [..."0123456789+-−"].map((sign, at) => [sign, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻"][at] as string]),
)

function codeSpan(code: string): string {
  const text = code.trim()
  if (text === "") return ""
  const fence = "`".repeat(longestBacktickRun(text) + 1)
  const space = text.startsWith("`") || text.endsWith("`") ? " " : ""
  return fence + space + text + space + fence
}

/** Length of the longest run of backticks in the text. */
export function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

function isFootnoteReference(element: Element): boolean {
  return (
    element.name === "sup" &&
    DomUtils.findOne(
      ({ name, attribs }) => name === "a" && (attribs["href"] ?? "").startsWith("#"),
      element.children,
    ) !== null
  )
}

/** Also removes the zero-width characters that generators hang on headings, and soft hyphens. */
function collapseSpaces(text: string): string {
  return text.replace(/[\u200b\u2060\ufeff\u00ad\ufdd0\ufdd1]/g, "").replace(/[ \t\r\n\f]+/g, " ")
}

/**
 * Text of the page stays text where it looks like Markdown, a link or an entity. A footnote's mark is
 * removed: `[^1]` would be read as a source of the answer.
 */
function escaped(text: string): string {
  return text
    .replace(footnoteMark, withoutFootnoteMark)
    .replace(/[\\`*]|\](?=\()|&(?=#?\w{1,32};)|<(?=[a-z/!?])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, "\\$&")
}

/** Longest name between `[^` and `]`. */
const maxFootnoteNameCharacters = 40

/**
 * Text from `[^` up to where a footnote's mark would end. It is matched whole, however long, so that the
 * engine looks through it once; `withoutFootnoteMark` tells whether it ends with a mark.
 */
const footnoteMark = /\[\^[^\]\s]*(?:\]:?)?/g

/** A match of `footnoteMark`, without the mark that it ends with, if any. */
export function withoutFootnoteMark(found: string): string {
  const end = found.lastIndexOf("]")
  const start = end === -1 ? -1 : found.indexOf("[^", Math.max(0, end - maxFootnoteNameCharacters - 2))
  if (start === -1 || end - start < 3) return found
  const before = found.slice(0, start)
  return before.endsWith("\\") ? before.slice(0, -1) : before
}
