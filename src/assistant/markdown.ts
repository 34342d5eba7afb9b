import { parseDocument } from "htmlparser2"
import { Marked, type Token, type Tokens } from "marked"
import { type AnchorStyle, anchorsOf } from "./anchors.ts"
import { isHidden } from "./clutter.ts"
import { plainMarkdown } from "./dialects.ts"
import type { Document, LeftOut } from "./document.ts"
import { readFlow } from "./flow.ts"
import { notToBeFound, readFrontMatter } from "./frontmatter.ts"
import { outline } from "./outline.ts"

export interface MarkdownPage {
  path: string
  url: string
  /** `github` unless the documentation is known to be built by another generator. */
  anchors?: AnchorStyle
  /** The site's address, for a page whose front matter gives its own path. */
  baseUrl?: string
}

interface Heading extends Tokens.Heading {
  id?: string
  slug?: string
}

/**
 * Markdown goes through HTML: what a page hides, embeds or lays out in tags is then judged by the same code as a real page.
 */
const marked = new Marked({
  gfm: true,
  renderer: {
    heading(token) {
      const { id, slug } = token as Heading
      const attribute = id ? `id="${attributeText(id)}"` : `data-slug="${attributeText(slug ?? "")}"`
      return `<h${token.depth} ${attribute}>${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`
    },
    code(token) {
      const language = /^[\w+#.-]+/.exec(token.lang ?? "")?.[0] ?? ""
      return `<pre><code class="language-${language}">${attributeText(token.text)}</code></pre>\n`
    },
  },
})

/** A Markdown or MDX page as VitePress, Docusaurus, MkDocs, Hugo, Starlight or GitHub show it. Never throws. */
export function readMarkdown(text: string, page: MarkdownPage): Document | LeftOut {
  const frontMatter = readFrontMatter(text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"))
  const unwanted = notToBeFound(frontMatter)
  if (unwanted) return { leftOut: "noindex", detail: unwanted }

  const named = frontMatter.attributes["title"]
  const { title, sections } = outline(
    readFlow(parsed(frontMatter.body, page.anchors ?? "github"), isHidden),
    typeof named === "string" && named.trim() !== "" ? named.trim() : null,
  )
  if (sections.every(({ markdown }) => markdown === "")) return { leftOut: "empty" }
  return {
    path: page.path,
    url: page.url,
    title: title ?? titleOfPath(page.path),
    sections,
    ...(frontMatter.broken && { note: frontMatter.broken }),
  }
}

function parsed(body: string, style: AnchorStyle) {
  const tokens = marked.lexer(plainMarkdown(body))
  const headings: Heading[] = []
  marked.walkTokens(tokens, (token) => {
    if (token.type === "heading") headings.push(token as Heading)
  })
  const anchors = anchorsOf(style)
  for (const heading of headings) {
    const id = takeExplicitId(heading)
    if (id === undefined) continue
    heading.id = id
    anchors.take(id)
  }
  for (const heading of headings) if (!heading.id) heading.slug = anchors.give(words(heading.tokens))
  return parseDocument(marked.parser(tokens), { recognizeSelfClosing: true }).children
}

const explicitId = /\s*(?:\{\s*:?\s*(?:[^{}]*?\s)?#([^\s{}]+)[^{}]*\}|\{\s*:?\s*\.[^{}]*\})\s*$/

/** `{#id}` or `{: #id .class}` at the end of a heading: read and taken away. */
function takeExplicitId(heading: Heading): string | undefined {
  const last = heading.tokens.at(-1)
  if (last?.type !== "text" && last?.type !== "escape") return undefined
  const found = explicitId.exec((last as Tokens.Text).text)
  if (!found) return undefined
  const text = (last as Tokens.Text).text.slice(0, found.index)
  heading.tokens[heading.tokens.length - 1] = { ...last, raw: text, text } as Tokens.Text
  return found[1]
}

/** Text and code of a heading, as generators make anchors of them. */
function words(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "html" || token.type === "image") return ""
      if ("tokens" in token && token.tokens) return words(token.tokens)
      return "text" in token ? (token.text as string) : ""
    })
    .join("")
    .trim()
}

function titleOfPath(path: string): string {
  const name =
    path
      .replace(/\/?(?:index|readme)$/i, "")
      .split("/")
      .at(-1) ||
    path ||
    "index"
  const said =
    name
      .replace(/^\d+[-_.]/, "")
      .replace(/[-_]+/g, " ")
      .trim() || name
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function attributeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
}
