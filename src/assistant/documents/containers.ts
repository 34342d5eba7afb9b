import { markless } from "./footnote-marks.ts"

/**
 * `!!! note "Titre"`, `??? tip`, `=== "Onglet"` of MkDocs: what stands four columns deeper below is text in
 * it.
 */
export function isIndentedContainer(line: string): boolean {
  return indented.test(line)
}

const indented = /^(\s*)(?:(?:!!!|\?\?\?\+?)\s+[\w-]+(?:[ \t]+[\w-]+)*|===[!+]?)(?:\s+"(.*)")?\s*$/
const layout = /^(?:code-group|tabs?|raw|v-pre|steps|cards?|grid|columns?)$/
const nothing = /^(?:(?:\[\[?_?toc_?\]?\]|\{:[^{}]*\}|\{[^{}%:#]*\})\s*$|-+8<-|<<<\s|@\[code|@include:)/i

/** On a heading written in HTML: generators give it no anchor of their own. */
export const writtenMark = "data-written"
const writtenHeading = /^(\s*(?:<div[^<>]*>\s*)?<h[1-6])(?=[\s>])/i

/**
 * One line outside code → the lines it means: a container's title in bold, a shortcode's opening of code as a
 * fence.
 */
export function containerLine(line: string): string[] {
  const deep = indented.exec(line)
  if (deep) return titled(deep[1] ?? "", deep[2])
  const flat = colonContainer(line)
  if (flat) return titled(flat.indent, layout.test(flat.name) ? undefined : flat.title)
  if (nothing.test(line.trimStart())) return [""]
  const text = line.includes("[^") ? replacedOutsideCode(line, footnoteInLine, markless) : line
  if (writtenHeading.test(text)) return [text.replace(writtenHeading, `$1 ${writtenMark}`)]
  return text.includes("{") ? tagLine(text) : [withoutIcons(text)]
}

interface Container {
  indent: string
  /** Empty at its end. */
  name: string
  title: string | undefined
}

/** `::: tip Titre`, `:::note[Titre]{.class}`, `:::{warning}` and the `:::` that ends each. */
function colonContainer(line: string): Container | undefined {
  const mark = /^(\s*):{3,}\s*/.exec(line)
  if (!mark) return undefined
  const indent = mark[1] as string
  const said = line.slice(mark[0].length).trimEnd()
  if (said === "") return { indent, name: "", title: undefined }
  const kind = /^\{?([\w-]+)\}?/.exec(said)
  if (!kind) return undefined
  const title = withoutAttributes(said.slice(kind[0].length).trimStart())
  const isBracketed = title.startsWith("[") && title.endsWith("]")
  return { indent, name: kind[1] as string, title: isBracketed ? title.slice(1, -1) : title }
}

/** Without the `{…}` at its end. */
function withoutAttributes(text: string): string {
  const start = text.lastIndexOf("{")
  return start !== -1 && text.indexOf("}", start) === text.length - 1 ? text.slice(0, start).trimEnd() : text
}

function titled(indent: string, title: string | undefined): string[] {
  const said = title?.trim()
  return said ? ["", `${indent}**${said}**`, ""] : [""]
}

function tagLine(line: string): string[] {
  const tag = shortcode(line.trim()) ?? liquidTag(line.trim())
  if (tag) {
    const { ends, name, rest } = tag
    if (name === "highlight")
      return ends ? ["```", ""] : ["", `\`\`\`${/^\s*([\w+#-]+)/.exec(rest)?.[1] ?? ""}`]
    return titled("", ends ? undefined : /\b(?:title|name|label)\s*=\s*"([^"]*)"/.exec(rest)?.[1])
  }
  return [withoutIcons(withoutTags(line))]
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
  const said = inside.trimStart()
  const ends = said.startsWith("/")
  return { ends, ...named(ends ? said.slice(1).trimStart() : said, /^[\w/.-]*/) }
}

/** `{% name rest %}` or `{% endname %}` (Jekyll), alone on its line. */
function liquidTag(line: string): Tag | undefined {
  if (!line.startsWith("{%") || !line.endsWith("%}")) return undefined
  const inside = line.slice(2, -2)
  if (line.length < 4 || /[{}]/.test(inside)) return undefined
  const said = inside.replace(/^-/, "").trimStart()
  const ends = said.startsWith("end")
  return { ends, ...named(ends ? said.slice(3) : said, /^\w*/) }
}

function named(text: string, pattern: RegExp): { name: string; rest: string } {
  const name = pattern.exec(text)?.[0] ?? ""
  return { name, rest: text.slice(name.length) }
}

/** `[^1]: note` would be taken for a link's address, and `[^1]` for a source of the answer. */
const footnoteInLine = /`+|\\?\[\^[^\]\s]*(?:\](?::[ \t])?)?/g
const tagInHeading = /`+|\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}|\{\/\*[^{}]*\*\/\}/g
const tagInLine = /`+|\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}|\{\/\*[^{}]*\*\/\}|(?<=[)\]*`])\{:?\s*[.#][^{}]*\}/g

/** Shortcodes, comments of MDX and lists of attributes inside a line, none of them in a code span. */
function withoutTags(line: string): string {
  const explicit = line.replace(/^(\s*#{1,6}\s.*?)\{\/\*\s*#?([^\s*]+)\s*\*\/\}\s*$/, "$1{#$2}")
  return replacedOutsideCode(explicit, /^\s*#{1,6}\s/.test(explicit) ? tagInHeading : tagInLine, () => "")
}

/**
 * Replaces what the pattern finds outside code spans. It finds runs of backticks, too: they tell where code
 * begins.
 */
function replacedOutsideCode(line: string, pattern: RegExp, replacement: (found: string) => string): string {
  let said = ""
  let from = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    if (found[0].startsWith("`")) pattern.lastIndex = endOfCode(line, found.index, pattern.lastIndex)
    else {
      said += line.slice(from, found.index) + replacement(found[0])
      from = pattern.lastIndex
    }
  }
  return said + line.slice(from)
}

/**
 * Where the code ends that begins with the run of backticks from `start` to `end`: with the next run, as far
 * as both go.
 */
function endOfCode(line: string, start: number, end: number): number {
  const next = line.indexOf("`", end)
  if (next === -1) return end
  let after = next
  while (after - next < end - start && line[after] === "`") after++
  return after
}

function withoutIcons(line: string): string {
  return line.replace(/:(?:material|octicons|fontawesome|simple)-[\w-]+:\s?/g, "")
}
