import { decodedUri } from "../../../base/text.ts"
import { embedAttribute } from "../html/flow.ts"
import { withoutFootnoteMark } from "../html/inline.ts"
import { replaceOutsideCode } from "./code-spans.ts"
import type { Dialect } from "./dialect.ts"
import {
  maxSentenceCharacters,
  namedParameter,
  readInlineMarkup,
  spokenWords,
  unread,
} from "./inline-markup.ts"

/**
 * `!!! note "Titre"`, `??? tip`, `=== "Onglet"` of MkDocs. The lines below that are indented four columns
 * deeper are its text.
 */
export function isIndentedContainer(line: string): boolean {
  return indentedContainer.test(line)
}

const indentedContainer =
  /^(\s*)(?:(?:!!!|\?\?\?\+?)(?:[ \t]*[\w-]+(?:[ \t]+[\w-]+)*)?|===[!+]?)(?:[ \t]+["'](.*)["'])?[ \t]*$/
/** Containers without meaning of their own, whose title is an option and not text. */
const layoutName =
  /^(?:code-group|tabs|raw|v-pre|steps|cards?|grid|columns?|html|define|caption|figure-caption)$/
const layoutTag = /^\s*<\/?(?:center|div|section)(?:\s[^<>]*)?>\s*$/
/** Tables of contents, lists of attributes and marks of their own, each alone on its line. */
const loneMark = /^(?:\[\[?_?toc_?\]?\]|\{:[^{}]*\}|\{[^{}%:#]*\}|\([\w-]+\)=|\+\+\+)\s*$/i
/** Abbreviations, videos and inclusions of other files. */
const droppedLine =
  /^(?:\*\[[^\]]*\]:|-+8<-|<<<\s|@\[[\w-]+\]\(|@include:|!!!include\(|(?:>\s*)?\[!(?:include|div|video|code|embed)[\s-])/i

/** Marks a heading that the author wrote in HTML: generators derive no anchor for it. */
export const htmlHeadingAttribute = "data-written"
const htmlHeading = /^(\s*(?:<div[^<>]*>\s*)?<h[1-6])(?=[\s>])/i

/**
 * The CommonMark lines for one line outside code: a container becomes its title in bold, a shortcode that
 * opens code becomes a fence.
 */
export function convertLine(line: string, dialect?: Dialect): string[] {
  const indented = indentedContainer.exec(line)
  if (indented) return titleLines(indented[1] ?? "", indented[2])
  const container = colonContainer(line)
  if (container)
    return titleLines(container.indent, layoutName.test(container.name) ? undefined : container.title)
  if (isDropped(line.trimStart())) return [""]
  // MDX reads Markdown inside these, where CommonMark sees HTML up to the next empty line.
  if (dialect?.isMdx && layoutTag.test(line)) return ["", line, ""]
  const read = readInlineMarkup(withCodeInCells(line), dialect)
  const text = read.includes("[^") ? replaceOutsideCode(read, footnoteInLine, withoutFootnoteMark) : read
  if (htmlHeading.test(text)) return [text.replace(htmlHeading, `$1 ${htmlHeadingAttribute}`)]
  return text.includes("{") || text.includes("/") ? convertTags(text, dialect) : [text]
}

function isDropped(line: string): boolean {
  return loneMark.test(line) || droppedLine.test(line)
}

interface Container {
  indent: string
  /** Empty for the `:::` that ends a container. */
  name: string
  title: string | undefined
}

/** A `|` in the code of a table's cell is code, which Markdown parsers take for the end of the cell. */
function withCodeInCells(line: string): string {
  if (!/^\s*\|.*`/.test(line)) return line
  return line.replace(/`+[^`]*`+/g, (span) => span.replace(/(?<!\\)\|/g, "\\|"))
}

/**
 * `::: tip Titre`, `:::note[Titre]{.class}`, `:::{warning}`, `/// tip | Titre` of PyMdown, and the mark that ends each.
 */
function colonContainer(line: string): Container | undefined {
  const mark = /^(\s*)(?::{3,}|\/{3,}(?=[ \t]*(?:[\w-]+[ \t]*(?:\|.*)?)?$))\s*/.exec(line)
  if (!mark) return undefined
  const indent = mark[1] as string
  const text = line.slice(mark[0].length).trimEnd()
  if (text === "") return { indent, name: "", title: undefined }
  const kind = /^\{?([\w-]+)\}?/.exec(text)
  if (!kind) return undefined
  const title = withoutAttributes(text.slice(kind[0].length).replace(/^\s*\|?\s*/, ""))
  const isBracketed = title.startsWith("[") && title.endsWith("]")
  return { indent, name: kind[1] as string, title: isBracketed ? title.slice(1, -1) : title }
}

/** Without a final list of attributes, `{…}`. */
function withoutAttributes(text: string): string {
  const start = text.lastIndexOf("{")
  return start !== -1 && text.indexOf("}", start) === text.length - 1 ? text.slice(0, start).trimEnd() : text
}

function titleLines(indent: string, title: string | undefined): string[] {
  const text = title?.trim()
  return text ? ["", `${indent}**${text}**`, ""] : [""]
}

function convertTags(line: string, dialect: Dialect | undefined): string[] {
  const tag = shortcode(line.trim()) ?? liquidTag(line.trim())
  if (tag) {
    const { ends, name, rest } = tag
    if (name === "highlight")
      return ends ? ["```", ""] : ["", `\`\`\`${/^\s*([\w+#-]+)/.exec(rest)?.[1] ?? ""}`]
    if ((name === "embed" || name === "file") && !ends) return embedded(line, name, rest)
    return ends ? [""] : shownBlock(name, rest)
  }
  return [withoutTags(line, dialect?.fillsVariables === true)]
}

/** A shortcode alone on its line shows its title, in bold, and its text. */
function shownBlock(name: string, rest: string): string[] {
  const first = /(?:^|-)tab$/i.test(name) ? /^\s*["']([^"']*)["']/.exec(rest)?.[1] : undefined
  const title = namedParameter(rest, ["title", "name", "label"]) ?? first
  const text = namedParameter(rest, ["content", "text", "description", "caption"])
  return [...titleLines("", title), ...(text ? [text, ""] : [])]
}

/** `{% embed url="…" caption="…" %}` and `{% file src="…" %}` of GitBook: a link, or the file's name. */
function embedded(line: string, name: string, rest: string): string[] {
  const pattern = name === "file" ? /\bsrc="([^"]+)/ : /\burl="([^"\s]+)/
  const address = pattern.exec(rest)?.[1] ?? ""
  const caption = /\bcaption="([^"]*)"/.exec(rest)?.[1]?.trim()
  const indent = /^\s*/.exec(line)?.[0] ?? ""
  if (!/^https?:\/\//i.test(address))
    return titleLines(indent, caption).concat(
      name === "file" && !caption ? [indent + fileName(address), ""] : [],
    )
  const link = `<a ${embedAttribute} href="${inHtml(address)}">${inHtml(caption || address)}</a>`
  return ["", indent + link, ""]
}

function fileName(address: string): string {
  return inHtml(decodedUri(address.slice(address.lastIndexOf("/") + 1)))
}

function inHtml(text: string): string {
  return text.replace(/[&<>"*_`[\]\\]/g, (character) => `&#${character.charCodeAt(0)};`)
}

interface Tag {
  ends: boolean
  name: string
  rest: string
}

/** `{{< name rest >}}` or `{{% /name %}}` (Hugo), alone on its line. */
function shortcode(line: string): Tag | undefined {
  if (!/^\{\{[<%]/.test(line) || !/^[>%]\}\}$/.test(line.slice(-3))) return undefined
  const inside = line.slice(3, -3)
  if (line.length < 6 || /[{}]/.test(inside)) return undefined
  const text = inside.trimStart()
  const ends = text.startsWith("/")
  return { ends, ...splitName(ends ? text.slice(1).trimStart() : text, /^[\w/.-]*/) }
}

/** `{% name rest %}` or `{% endname %}` (Jekyll), alone on its line. */
function liquidTag(line: string): Tag | undefined {
  if (!line.startsWith("{%") || !line.endsWith("%}")) return undefined
  const inside = line.slice(2, -2)
  if (line.length < 4 || /[{}]/.test(inside)) return undefined
  const text = inside.replace(/^-/, "").trimStart()
  const ends = text.startsWith("end")
  return { ends, ...splitName(ends ? text.slice(3) : text, /^\w*/) }
}

function splitName(text: string, pattern: RegExp): { name: string; rest: string } {
  const name = pattern.exec(text)?.[0] ?? ""
  return { name, rest: text.slice(name.length) }
}

/** `[^1]: note` would be read as a link's address, and `[^1]` as a source of the answer. */
const footnoteInLine = /`+|\\?\[\^[^\]\s]*(?:\](?::[ \t])?)?/g
const tagInHeading = /`+|\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}|\{\/\*[^{}]*\*\/\}/g
const tagInLine = /`+|\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}|\{\/\*[^{}]*\*\/\}|(?<=[)\]*`])\{:?\s*[.#][^{}]*\}/g
const anyTag = /`+|<[a-z/][^<>]*>/gi
const variable = /`+|<code[^<>]*>[^<]*<\/code>|\{\{[^{}]*\}\}/g

/** A Markdown parser takes no tag with an attribute in braces (`style={{color: "green"}}`). */
function withoutJsx(tag: string): string {
  return tag.includes("={") && !tag.endsWith("=>") ? "" : tag
}

/** A component of MDX or Vue within a line, without children. */
const component = /`+|<([A-Z][\w.]*|[a-z]\w*-[\w-]+)((?:\s[^<>]*)?)(?:\/>|><\/[\w.-]+>)/g
/** Other attributes, such as `title`, are shown when the pointer is on the component. */
const shownAttributes = ["text", "label", "content", "key", "keys", "k", "value"]
/** Texts of MDX as expressions: `{"texte"}`. */
const literal = /`+|\{(?:"([^"{}]*)"|'([^'{}]*)')\}/g

/** A shortcode within a sentence says its words. One that encloses words says nothing itself. */
function saidBy(tag: string, line: string): string {
  if (tag.startsWith("{/*")) return ""
  const inside = tag
    .replace(/^\{\{?[<%]-?/, "")
    .replace(/-?[>%]\}\}?$/, "")
    .trim()
  const { name, rest } = splitName(inside, /^[\w/.-]*/)
  if (name.startsWith("/") || silentTag.test(name) || inside.startsWith("/*")) return ""
  const ends = [`/${name}`, `/ ${name}`, `end${name}`]
  const isEnclosing = line.length > maxSentenceCharacters || ends.some((end) => line.includes(end))
  return isEnclosing ? "" : spokenWords(name, rest)
}

/** Liquid tags for control flow, and tags that make an address. */
const silentTag =
  /^(?:end\w*|if|unless|elsif|else|case|when|for|break|continue|raw|assign|capture|comment|set|block|extends|link|post_url|url|ref|relref|)$/

/** Without the shortcodes, comments of MDX, lists of attributes and, if `isFilled`, variables outside code spans. */
function withoutTags(line: string, isFilled: boolean): string {
  const explicit = line.replace(/^(\s*#{1,6}\s.*?)\{\/\*\s*#?([^\s*]+)\s*\*\/\}\s*$/, "$1{#$2}")
  const isHeading = /^\s*#{1,6}\s/.test(explicit)
  const said = isHeading ? () => "" : (tag: string) => saidBy(tag, explicit)
  const plain = replaceOutsideCode(explicit, isHeading ? tagInHeading : tagInLine, said)
  const shown = replaceOutsideCode(plain, component, (_, [, name = "", attributes = ""]) =>
    isHeading ? "" : spokenWords(name, attributes, shownAttributes),
  )
  const text = shown.includes("={") ? replaceOutsideCode(shown, anyTag, withoutJsx) : shown
  const read = replaceOutsideCode(text, literal, (_, [, double, single]) => double ?? single ?? "")
  const isAlone = /^\s*\{\{[^{}]*\}\}\s*$/.test(read)
  return isFilled
    ? replaceOutsideCode(read, variable, (found) =>
        found.startsWith("<") ? found : isHeading || isAlone ? "" : unread,
      )
    : read
}
