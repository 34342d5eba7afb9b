import { type ChildNode, type Element, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import { type AnchorStyle, anchorsOf } from "./anchors.ts"
import { isHidden } from "./clutter.ts"
import { writtenMark } from "./containers.ts"
import { plainMarkdown } from "./dialects.ts"
import type { Document, LeftOut } from "./document.ts"
import { readFlow } from "./flow.ts"
import { notToBeFound, readFrontMatter } from "./frontmatter.ts"
import { outline } from "./outline.ts"
import { parseTree } from "./tree.ts"

export interface MarkdownPage {
  path: string
  url: string
  /** `github` unless the documentation is known to be built by another generator. */
  anchors?: AnchorStyle
  /** The site's address, for a page whose front matter gives its own path. */
  baseUrl?: string
}

/** A Markdown or MDX page as VitePress, Docusaurus, MkDocs, Hugo, Starlight or GitHub show it. Never throws. */
export function readMarkdown(text: string, page: MarkdownPage): Document | LeftOut {
  const frontMatter = readFrontMatter(text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"))
  const unwanted = notToBeFound(frontMatter)
  if (unwanted) return { leftOut: "noindex", detail: unwanted }

  const nodes = parsed(frontMatter.body, page.anchors ?? "github")
  if (!nodes) return { leftOut: "unreadable", detail: "its tags are nested thousands deep" }
  const { title, sections } = outline(readFlow(nodes, isHidden), frontMatter.title)
  if (sections.every(({ markdown }) => markdown === "")) return { leftOut: "empty" }
  return {
    path: page.path,
    url: ownUrl(frontMatter.attributes, page),
    title: title ?? titleOfPath(page.path),
    sections,
    ...(frontMatter.broken && { note: frontMatter.broken }),
  }
}

/**
 * Markdown goes through HTML: what a page hides, embeds or lays out in tags is then judged by the same code as a real page.
 * Bun's own parser is CommonMark with GitHub's tables, native, linear on hostile text, and no dependency: with marked the
 * same reading took more than twice as long.
 */
function parsed(body: string, style: AnchorStyle): ChildNode[] | undefined {
  const html = Bun.markdown.html(plainMarkdown(body))
  const nodes = parseTree(html, { selfClosing: true })
  if (!nodes) return undefined
  const headings = DomUtils.findAll(({ name }) => /^h[1-6]$/.test(name), nodes)
  const anchors = anchorsOf(style)
  for (const heading of headings) takeExplicitId(heading)
  for (const { attribs } of headings) if (attribs["id"]) anchors.take(attribs["id"])
  for (const heading of headings)
    if (!heading.attribs["id"] && heading.attribs[writtenMark] === undefined)
      heading.attribs["data-slug"] = anchors.give(DomUtils.textContent(heading).trim())
  return nodes
}

const attributeList = /\s*\{:?\s*(?:[^{}#]*\s)?(?:#([^\s{}]+)|\.)[^{}]*\}\s*$/

/** `{#id}` or `{: #id .class}` at the end of a heading becomes its id. */
function takeExplicitId(heading: Element): void {
  const last = heading.children.findLast((node) => !isText(node) || node.data.trim() !== "")
  const found = last && isText(last) && attributeList.exec(last.data)
  if (!found) return
  last.data = last.data.slice(0, found.index)
  if (found[1]) heading.attribs["id"] = found[1]
}

/**
 * A page may give its own path: `permalink` and `url` from the site's root (Jekyll, Hugo), `slug` too when it holds a slash
 * (Docusaurus, Starlight), else as the last name of its path.
 */
function ownUrl(attributes: Record<string, unknown>, { url, baseUrl }: MarkdownPage): string {
  const own = [attributes["permalink"], attributes["url"], attributes["slug"]].find(
    (path) => typeof path === "string",
  )
  // Placeholders such as `/:year/:title` are for the generator to fill.
  if (typeof own !== "string" || own === "" || own.includes(":") || baseUrl === undefined) return url
  if (own.includes("/")) return `${baseUrl.replace(/\/+$/, "")}/${encodeURI(own.replace(/^\/+/, ""))}`
  return url.replace(/[^/]+?(\.html|\/)?$/, (_, end = "") => encodeURIComponent(own) + end)
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
