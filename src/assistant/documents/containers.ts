/** `!!! note "Titre"`, `??? tip`, `=== "Onglet"` of MkDocs: what stands four columns deeper below is text in it. */
export function isIndentedContainer(line: string): boolean {
  return indented.test(line)
}

const indented = /^(\s*)(?:(?:!!!|\?\?\?\+?)\s+[\w-]+(?:[ \t]+[\w-]+)*|===[!+]?)(?:\s+"(.*)")?\s*$/
const colons = /^(\s*):{3,}\s*(?:\{?([\w-]+)\}?\s*(?:\[(.*)\]|(.*?))(?:\s*\{[^{}]*\})?\s*)?$/
const layout = /^(?:code-group|tabs?|raw|v-pre|steps|cards?|grid|columns?)$/
const shortcode = /^\s*\{\{[<%]\s*(\/?)\s*([\w/.-]*)([^{}]*)[%>]\}\}\s*$/
const liquid = /^\s*\{%-?\s*(end|)(\w*)([^{}]*)%\}\s*$/
const nothing =
  /^\s*(?:\[\[?_?toc_?\]?\]|\{:[^{}]*\}|\{[^{}%:#]*\}|-+8<-+.*|<<<\s.*|@\[code.*|@include:.*)\s*$/i

/** On a heading written in HTML: generators give it no anchor of their own. */
export const writtenMark = "data-written"
const writtenHeading = /^(\s*(?:<div[^<>]*>\s*)?<h[1-6])(?=[\s>])/i

/** One line outside code → the lines it means: a container's title in bold, a shortcode's opening of code as a fence. */
export function containerLine(line: string): string[] {
  const deep = indented.exec(line)
  if (deep) return titled(deep[1] ?? "", deep[2])
  const flat = colons.exec(line)
  if (flat) {
    const [, indent = "", name = "", inBrackets, title] = flat
    return titled(indent, layout.test(name) ? undefined : (inBrackets ?? title))
  }
  if (nothing.test(line)) return [""]
  const text = line.includes("[^") ? withoutFootnoteMarks(line) : line
  if (writtenHeading.test(text)) return [text.replace(writtenHeading, `$1 ${writtenMark}`)]
  return text.includes("{") ? tagLine(text) : [withoutIcons(text)]
}

/** `[^1]: note` would be taken for a link's address, and `[^1]` for a source of the answer. */
function withoutFootnoteMarks(line: string): string {
  return line.replace(/(`+)[^`]+\1|\\?\[\^[^\]\s]{1,40}\](?::[ \t])?/g, (found, ticks?: string) =>
    ticks ? found : "",
  )
}

function titled(indent: string, title: string | undefined): string[] {
  const said = title?.trim()
  return said ? ["", `${indent}**${said}**`, ""] : [""]
}

function tagLine(line: string): string[] {
  const found = shortcode.exec(line) ?? liquid.exec(line)
  if (found) {
    const [, ends = "", name = "", rest = ""] = found
    const isCode = name === "highlight"
    if (isCode) return ends ? ["```", ""] : ["", `\`\`\`${/^\s*([\w+#-]+)/.exec(rest)?.[1] ?? ""}`]
    return titled("", ends ? undefined : /\b(?:title|name|label)\s*=\s*"([^"]*)"/.exec(rest)?.[1])
  }
  return [withoutIcons(withoutTags(line))]
}

/** Shortcodes, comments of MDX and lists of attributes inside a line, none of them in a code span. */
function withoutTags(line: string): string {
  const explicit = line.replace(/^(\s*#{1,6}\s.*?)\{\/\*\s*#?([^\s*]+)\s*\*\/\}\s*$/, "$1{#$2}")
  const isHeading = /^\s*#{1,6}\s/.test(explicit)
  const inLine = isHeading
    ? /(`+)[^`]+\1|\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}|\{\/\*[^{}]*\*\/\}/g
    : /(`+)[^`]+\1(?:\{:?\s*[.#][^{}]*\})?|\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}|\{\/\*[^{}]*\*\/\}|(?<=[)\]*])\{:?\s*[.#][^{}]*\}/g
  return explicit.replace(inLine, (found, ticks?: string) =>
    ticks ? found.slice(0, found.lastIndexOf("`") + 1) : "",
  )
}

function withoutIcons(line: string): string {
  return line.replace(/:(?:material|octicons|fontawesome|simple)-[\w-]+:\s?/g, "")
}
