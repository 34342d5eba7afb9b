import { Parser } from "htmlparser2"

/** Deeper than any text. The parser searches all open elements at each closing tag. */
const maxDepth = 200
/** Spaces and columns that one element may stand for. */
const maxRepeats = 50

/** Elements that say nothing of their own to readers: changes that were undone, remarks, lists of contents. */
const skipped = new Set([
  "text:tracked-changes",
  "text:table-of-content",
  "text:alphabetical-index",
  "office:annotation",
  "office:forms",
  "text:note",
  "draw:object",
  "svg:desc",
  "svg:title",
])

const simple: Record<string, string> = {
  "text:p": "p",
  "text:list-item": "li",
  "text:list-header": "li",
  "table:table": "table",
  "table:table-row": "tr",
  "table:table-cell": "td",
  "draw:text-box": "div",
}

/** The text of a `content.xml` (OpenDocument 1.3) as HTML: headings, paragraphs, lists, tables and links. */
export function odtHtml(xml: string): string {
  const numbered = numberedLists(xml)
  const titles = titleStyles(xml)
  const html: string[] = []
  /** The tag that each open element wrote; undefined where it wrote none. */
  const open: (string | undefined)[] = []
  let skippedAt = Number.POSITIVE_INFINITY
  let isInBody = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > maxDepth) throw new Error(`more than ${maxDepth} elements deep`)
        if (skipped.has(name)) skippedAt = Math.min(skippedAt, open.length)
        isInBody ||= name === "office:text"
        const tag = isInBody && open.length < skippedAt ? htmlTag(name, attributes) : undefined
        open.push(tag?.replace(/ .*/s, ""))
        if (tag) html.push(`<${tag}>`)
      },
      ontext(text) {
        if (isInBody && open.length <= skippedAt) html.push(Bun.escapeHTML(text))
      },
      onclosetag() {
        const tag = open.pop()
        if (tag && tag !== "br") html.push(`</${tag}>`)
        if (open.length <= skippedAt)
          skippedAt = open.length === skippedAt ? Number.POSITIVE_INFINITY : skippedAt
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return html.join("")

  function htmlTag(name: string, attributes: Record<string, string>): string | undefined {
    const style = attributes["text:style-name"] ?? ""
    switch (name) {
      case "text:h":
        return `h${Math.min(6, Math.max(1, Number(attributes["text:outline-level"]) || 1))}`
      case "text:p":
        return titles.has(style) ? "h1" : "p"
      case "text:list":
        return numbered.has(style) || (style === "" && open.includes("ol")) ? "ol" : "ul"
      case "text:a":
        return `a href="${Bun.escapeHTML(attributes["xlink:href"] ?? "")}"`
      case "text:line-break":
        return "br"
      case "text:s":
      case "text:tab":
        html.push(" ".repeat(Math.min(maxRepeats, Number(attributes["text:c"]) || 1)))
        return undefined
      case "table:covered-table-cell":
        return "td"
      default:
        return simple[name]
    }
  }
}

/** The styles of lists whose first level has numbers. */
function numberedLists(xml: string): Set<string> {
  const styles = xml.matchAll(
    /<text:list-style style:name="([^"]{1,200})"[^>]{0,500}><text:list-level-style-(\w{1,20})/g,
  )
  return new Set([...styles].flatMap(([, name = "", kind]) => (kind === "number" ? [name] : [])))
}

/** The style « Title » and the styles based on it. */
function titleStyles(xml: string): Set<string> {
  const made = xml.matchAll(
    /<style:style style:name="([^"]{1,200})" style:family="paragraph" style:parent-style-name="Title"/g,
  )
  return new Set(["Title", ...[...made].map(([, name = ""]) => name)])
}
