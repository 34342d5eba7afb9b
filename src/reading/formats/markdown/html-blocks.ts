import type { Dialect } from "./dialect.ts"

/**
 * The elements around a line whose content is Markdown: `<div markdown="1">` of kramdown, Markdown Extra and Python
 * Markdown. CommonMark takes everything from a tag to the next empty line for HTML.
 */
export interface HtmlBlocks {
  /** The tag of an element with Markdown in it that begins the line, and what follows there. */
  opens(line: string): { name: string; tag: string; rest: string } | undefined
  /** For a line that ends the innermost of those elements: what stands before its end tag. */
  closes(line: string): { name: string; before: string; tag: string } | undefined
  /** Whether HTML ends with this line and Markdown goes on with the next. */
  endsBefore(line: string, next: string | undefined): boolean
}

const blocks = new Set(
  `address article aside blockquote center dd dl dt details br div fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
  header hr li main nav ol ul p section summary table tbody td tfoot th thead tr`.split(/\s+/),
)
const startTag = /^\s*<([a-z][a-z\d]*)(\s[^<>]*)>/i
const firstTag = /^ {0,3}<\/?([a-z][a-z\d]*)(?=[\s>/])/i
const endTag = /<\/[a-z][a-z\d]*>\s*$|^ {0,3}<hr[^<>]*>\s*$/i
const oneTag = /<\/[a-z][a-z\d]*>\s*$|^ {0,3}<[a-z][a-z\d]*(?:\s[^<>]*)?>\s*$/i
/** An item of a list, bold words, a link: never HTML. Right behind a tag, the empty line was forgotten. */
const markdownMark = /^ {0,3}(?:[-*+] +\S|\d{1,3}[.)] +\S|\*\*[^\s*]|\[[^\][\n]+\]\(\S)/
const markdownAttribute = /\smarkdown(?:\s*=\s*["']?([\w-]*)|(?=\s|$))/i

export function createHtmlBlocks(dialect: Dialect | undefined): HtmlBlocks {
  /** With how many elements of the same name are open in each, itself included. */
  const open: { name: string; depth: number }[] = []
  return {
    opens(line) {
      const [tag = "", name = "", attributes = ""] = startTag.exec(line) ?? []
      const value = markdownAttribute.exec(attributes)
      if (!value || value[1] === "0" || !isBlock(name)) return undefined
      open.push({ name: name.toLowerCase(), depth: 1 })
      return { name: name.toLowerCase(), tag, rest: line.slice(tag.length) }
    },

    closes(line) {
      const innermost = open.at(-1)
      if (!innermost || !line.includes("<")) return undefined
      const { name } = innermost
      // A page on HTML writes tags in code.
      for (const [mark] of line.replace(/`+[^`]*`+/g, "").matchAll(/<\/?[a-z][a-z\d]*/gi)) {
        const tag = mark.toLowerCase()
        if (tag === `<${name}`) innermost.depth++
        if (tag === `</${name}`) innermost.depth--
      }
      if (innermost.depth > 0) return undefined
      open.pop()
      const at = line.toLowerCase().lastIndexOf(`</${name}`)
      return { name, before: line.slice(0, at), tag: line.slice(at) }
    },

    endsBefore(line, next = "") {
      const continuesAtOnce = open.length > 0 || dialect?.continuesBehindHtml === true
      const isMarkdown = continuesAtOnce ? /^ {0,3}[^\s<]/.test(next) : markdownMark.test(next)
      const ends = continuesAtOnce ? endTag : oneTag
      return isMarkdown && isBlock(firstTag.exec(line)?.[1]) && ends.test(line)
    },
  }
}

function isBlock(name = ""): boolean {
  return blocks.has(name.toLowerCase())
}
