import { type ChildNode, type Element, isText } from "domhandler"
import type { Document, LeftOut } from "../document.ts"
import { hiddenElements } from "../html/boilerplate.ts"
import { isHeading, parseDom, textContent, topmost } from "../html/dom.ts"
import { readFlow } from "../html/flow.ts"
import { noteLinkTargets } from "../html/links.ts"
import { outline } from "../outline.ts"
import { pageLimits, tooLong, tooManyLines, truncateTitle } from "../page-limits.ts"
import { type AnchorStyle, anchorSlugger } from "./anchors.ts"
import { htmlHeadingAttribute } from "./containers.ts"
import { toCommonMark } from "./dialects.ts"
import { type LinkingPage, markdownLinkTarget } from "./file-links.ts"
import { noindexReason, parseFrontMatter } from "./front-matter.ts"
import { withinParserLimits } from "./parser-limits.ts"

export interface MarkdownPage extends LinkingPage {
  /** `github` unless the documentation is known to be built by another generator. */
  anchors?: AnchorStyle
}

/**
 * Reads a Markdown or MDX page as VitePress, Docusaurus, MkDocs, Hugo, Starlight or GitHub show it. Never
 * throws.
 */
export function readMarkdown(text: string, page: MarkdownPage): Document | LeftOut {
  const source = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
  const tooMuch = tooLong(text) ?? tooManyLines(source)
  if (tooMuch) return tooMuch
  const frontMatter = parseFrontMatter(source)
  const noindex = noindexReason(frontMatter)
  if (noindex) return { leftOut: "noindex", detail: noindex }

  const nodes = nodesOf(frontMatter.body, page.anchors ?? "github")
  if ("leftOut" in nodes) return nodes
  const url = ownUrl(frontMatter.attributes, page)
  noteLinkTargets(nodes, (href) => markdownLinkTarget(href, { ...page, url }))
  const ownTitle = frontMatter.title === null ? null : truncateTitle(frontMatter.title)
  const { title, sections } = outline(readFlow(nodes, hiddenElements()), ownTitle)
  if (sections.every(({ markdown }) => markdown === "")) return { leftOut: "empty" }
  return {
    path: page.path,
    url,
    title: truncateTitle(title ?? titleOfPath(page.path)),
    sections,
    ...(frontMatter.error && { note: frontMatter.error }),
  }
}

/**
 * Markdown is read through HTML, so that the tags in it are judged by the same code as those of an HTML page.
 * Bun's own parser does CommonMark with GitHub's tables, needs no dependency, and stays linear on hostile
 * text within the limits of `parser-limits.ts`.
 */
function nodesOf(body: string, style: AnchorStyle): ChildNode[] | LeftOut {
  const html = Bun.markdown.html(withinParserLimits(toCommonMark(body)))
  const nodes = parseDom(html, { selfClosing: true })
  if ("leftOut" in nodes) return nodes
  const headings = topmost(nodes, isHeading)
  const slugger = anchorSlugger(style)
  for (const heading of headings) takeExplicitId(heading)
  for (const { attribs } of headings) if (attribs["id"]) slugger.reserve(attribs["id"])
  for (const heading of headings)
    if (!heading.attribs["id"] && heading.attribs[htmlHeadingAttribute] === undefined)
      heading.attribs["data-slug"] = slugger.slug(textContent(heading.children).trim())
  return nodes
}

/** `{#id}` or `{: #id .class}` at the end of a heading becomes its id. */
function takeExplicitId(heading: Element): void {
  const last = heading.children.findLast((node) => !isText(node) || node.data.trim() !== "")
  if (!last || !isText(last)) return
  const text = last.data.trimEnd()
  const start = text.lastIndexOf("{")
  const list = start !== -1 && text.indexOf("}", start) === text.length - 1 ? text.slice(start + 1, -1) : ""
  const { id, isList } = attributeList(list.replace(/^:/, "").trimStart())
  if (!isList) return
  last.data = text.slice(0, start).trimEnd()
  if (id) heading.attribs["id"] = id
}

/** A list of attributes has an `#id` or a `.class` among its words; `{name}` is a placeholder in the text. */
function attributeList(list: string): { id: string | undefined; isList: boolean } {
  const words = list.split(/\s+/)
  const named = words.findIndex((word) => word.includes("#"))
  const id = /^#(.+)/.exec(words[named] ?? "")?.[1]
  const before = id === undefined && named !== -1 ? words.slice(0, named + 1) : words
  return { id, isList: id !== undefined || before.some((word) => word.startsWith(".")) }
}

/**
 * The page's address, with the path that its front matter gives. `permalink` and `url` start from the site's
 * root (Jekyll, Hugo), and so does a `slug` with a slash (Docusaurus, Starlight). A `slug` without a slash
 * replaces the last name of the path.
 */
function ownUrl(attributes: Record<string, unknown>, { url, baseUrl }: MarkdownPage): string {
  const own = [attributes["permalink"], attributes["url"], attributes["slug"]].find(
    (path) => typeof path === "string",
  )
  // Only the generator can fill placeholders such as `/:year/:title`.
  if (typeof own !== "string" || own === "" || own.includes(":") || baseUrl === undefined) return url
  if (own.length > pageLimits.urlCharacters || !own.isWellFormed()) return url
  if (own.includes("/")) return `${baseUrl.replace(/(?<!\/)\/+$/, "")}/${encodeURI(own.replace(/^\/+/, ""))}`
  return url.replace(/(?<![^/])[^/]+?(\.html|\/)?$/, (_, end = "") => encodeURIComponent(own) + end)
}

function titleOfPath(path: string): string {
  const name =
    path
      .replace(/\/?(?:index|readme)$/i, "")
      .split("/")
      .at(-1) ||
    path ||
    "index"
  const title =
    name
      .replace(/^\d+[-_.]/, "")
      .replace(/[-_]+/g, " ")
      .trim() || name
  return title.charAt(0).toUpperCase() + title.slice(1)
}
