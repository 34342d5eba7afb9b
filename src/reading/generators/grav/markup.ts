import { replaceOutsideCode } from "../../formats/markdown/code-spans.ts"
import type { PageMarkup } from "../../formats/markdown/dialect.ts"

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
const codeEnd = "[/prism]"

/** Shortcodes, notices and code of Grav and its usual plugins. */
export function gravMarkup(text: string): PageMarkup {
  const closed = new Set([...text.matchAll(closing)].map(([, name]) => (name as string).toLowerCase()))

  /** A shortcode becomes nothing, or the title of a tab or of details on lines of its own. */
  function shownTitle(tag: string): string {
    const [name = ""] = /[a-z][\w-]*/i.exec(tag) ?? []
    const isKnown = shortcodeNames.has(name.toLowerCase()) || closed.has(name.toLowerCase())
    if (!isKnown && !/^\[(?:\/|[a-z][\w-]*(?: [a-z][\w-]*)?=["'])|\/\]$/i.test(tag)) return tag
    if (!titled.has(name.toLowerCase()) || tag.startsWith("[/")) return ""
    const title = /\b(?:summary|title)=(?:"([^"]*)"|'([^']*)')/.exec(tag)
    const label = (title?.[1] ?? title?.[2])?.trim()
    return label ? `\n\n**${label}**\n\n` : ""
  }

  return {
    text: withShortcodesOnOneLine(text),
    prepare: noticeAsQuote,
    convert(line) {
      // Grav cuts the summary of a page here. CommonMark would take the paragraph above for a heading.
      if (line === "===") return [""]
      if (!line.includes("[")) return [line]
      const indent = /^\s*/.exec(line)?.[0] ?? ""
      const [first = "", ...others] = replaceOutsideCode(line.replace(icon, ""), shortcode, shownTitle).split(
        "\n",
      )
      return [first, ...others.map((other) => (other === "" ? "" : indent + other.trimStart()))]
    },
    codeStart(line) {
      const options = /^\s*\[prism(?= |\])([^[\]]*)\]\s*$/i.exec(line)?.[1]
      if (options === undefined) return undefined
      return { language: /\blanguage-([\w+#-]+)/.exec(options)?.[1] ?? "", end: codeEnd }
    },
  }
}

/** The attributes of a shortcode may stand on several lines. */
function withShortcodesOnOneLine(text: string): string {
  return text.replace(/\[[a-z][\w-]* [^[\]]*\]/gi, (tag) => (isMultiline(tag) ? oneLine(tag) : tag))
}

function isMultiline(tag: string): boolean {
  const name = tag.slice(1, tag.indexOf(" ")).toLowerCase()
  return tag.includes("\n") && !tag.includes("\n\n") && shortcodeNames.has(name)
}

function oneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join(" ")
}

/** `! text` to `!!!! text`, the notices of the plugin Markdown Notices, become quotes. */
function noticeAsQuote(line: string): string {
  return line.replace(/^(\s{0,3})!{1,4} +(?=\S)/, "$1> ")
}
