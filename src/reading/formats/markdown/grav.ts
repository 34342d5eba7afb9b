import { replaceOutsideCode } from "./code-spans.ts"

/**
 * Shortcodes that Grav's own plugins bring (shortcode-core, shortcode-ui, page-toc). Any other is known by
 * its attributes or its closing tag: `[name]` alone may be text.
 */
const shortcodeNames = new Set(
  `align left right center justify color columns details div span figure fa h1 h2 h3 h4 h5 h6 lang lorem mark
   notice raw safe-email section size u toc anchor frag prism version ui-tabs ui-tab ui-accordion
   ui-accordion-item ui-callout ui-callout-item ui-browser ui-polaroid ui-animated-text ui-image-compare`.split(
    /\s+/,
  ),
)
/** Shortcodes whose title is shown above their content. */
const titled = new Set(["details", "ui-tab", "ui-accordion-item", "ui-callout-item"])

const shortcode = /`+|\[\/?[a-z][\w-]*(?:[ =][^[\]]*)?\](?![([:])/gi
/** Grav replaces it in code as well: "`[fa=cog /] Settings`". */
const icon = /\[fa[= ][^[\]]*\/\] ?/g
const closing = /\[\/([a-z][\w-]*)\]/gi

export interface GravMarkup {
  /** The line without shortcodes and notice marks; the title of a tab or of details stands on lines of its own. */
  convert(line: string): string[]
  /** The language of the code that begins on this line, which `[/prism]` ends. */
  codeLanguage(line: string): string | undefined
}

/** What Grav and its usual plugins add to Markdown. `text` is the whole page. */
export function gravMarkup(text: string): GravMarkup {
  const closed = new Set([...text.matchAll(closing)].map(([, name]) => (name as string).toLowerCase()))

  function titleOf(found: string): string {
    const [name = ""] = /[a-z][\w-]*/i.exec(found) ?? []
    const isKnown = shortcodeNames.has(name.toLowerCase()) || closed.has(name.toLowerCase())
    if (!isKnown && !/^\[(?:\/|[a-z][\w-]*(?: [a-z][\w-]*)?=["'])|\/\]$/i.test(found)) return found
    if (!titled.has(name.toLowerCase()) || found.startsWith("[/")) return ""
    const title = /\b(?:summary|title)=(?:"([^"]*)"|'([^']*)')/.exec(found)
    const label = (title?.[1] ?? title?.[2])?.trim()
    return label ? `\n\n**${label}**\n\n` : ""
  }

  return {
    convert(line) {
      // Grav cuts the summary of a page here. CommonMark would take the paragraph above for a heading.
      if (line === "===") return [""]
      if (!line.includes("[")) return [line]
      const indent = /^\s*/.exec(line)?.[0] ?? ""
      const [first = "", ...others] = replaceOutsideCode(line.replace(icon, ""), shortcode, titleOf).split(
        "\n",
      )
      return [first, ...others.map((other) => (other === "" ? "" : indent + other.trimStart()))]
    },
    codeLanguage(line) {
      const options = /^\s*\[prism(?= |\])([^[\]]*)\]\s*$/i.exec(line)?.[1]
      return options === undefined ? undefined : (/\blanguage-([\w+#-]+)/.exec(options)?.[1] ?? "")
    },
  }
}

/** The attributes of a shortcode may stand on several lines. */
export function withShortcodesOnOneLine(text: string): string {
  return text.replace(/\[[a-z][\w-]* [^[\]]*\]/gi, (found) => (isMultiline(found) ? oneLine(found) : found))
}

function isMultiline(found: string): boolean {
  const name = found.slice(1, found.indexOf(" ")).toLowerCase()
  return found.includes("\n") && !found.includes("\n\n") && shortcodeNames.has(name)
}

function oneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join(" ")
}

export const codeEnd = "[/prism]"

/** `! text` to `!!!! text`, the notices of the plugin Markdown Notices, become quotes. */
export function noticeAsQuote(line: string): string {
  return line.replace(/^(\s{0,3})!{1,4} +(?=\S)/, "$1> ")
}
