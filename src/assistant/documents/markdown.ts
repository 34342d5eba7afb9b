import { type ChildNode, type Element, isText } from "domhandler"
import { type AnchorStyle, anchorsOf } from "./anchors.ts"
import { hiddenClutter } from "./clutter.ts"
import { writtenMark } from "./containers.ts"
import { plainMarkdown } from "./dialects.ts"
import type { Document, LeftOut } from "./document.ts"
import { readFlow } from "./flow.ts"
import { notToBeFound, readFrontMatter } from "./frontmatter.ts"
import { outline } from "./outline.ts"
import { pageLimits, shortTitle, tooLong, tooManyLines } from "./page-limits.ts"
import { withinParserLimits } from "./parser-limits.ts"
import { isHeading, parseTree, textOf, topmost } from "./tree.ts"

export interface MarkdownPage {
  path: string
  url: string
  /** `github` unless the documentation is known to be built by another generator. */
  anchors?: AnchorStyle
  /** The site's address, for a page whose front matter gives its own path. */
  baseUrl?: string
}

/**
 * A Markdown or MDX page as VitePress, Docusaurus, MkDocs, Hugo, Starlight or GitHub show it. Never throws.
 */
export function readMarkdown(text: string, page: MarkdownPage): Document | LeftOut {
  const source = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
  const tooMuch = tooLong(text) ?? tooManyLines(source)
  if (tooMuch) return tooMuch
  const frontMatter = readFrontMatter(source)
  const unwanted = notToBeFound(frontMatter)
  if (unwanted) return { leftOut: "noindex", detail: unwanted }

  const nodes = parsed(frontMatter.body, page.anchors ?? "github")
  if ("leftOut" in nodes) return nodes
  const written = frontMatter.title === null ? null : shortTitle(frontMatter.title)
  const { title, sections } = outline(readFlow(nodes, hiddenClutter()), written)
  if (sections.every(({ markdown }) => markdown === "")) return { leftOut: "empty" }
  return {
    path: page.path,
    url: ownUrl(frontMatter.attributes, page),
    title: shortTitle(title ?? titleOfPath(page.path)),
    sections,
    ...(frontMatter.broken && { note: frontMatter.broken }),
  }
}

/**
 * Markdown goes through HTML: what a page hides, embeds or lays out in tags is then judged by the same code
 * as a real page. Bun's own parser is CommonMark with GitHub's tables, native, linear on hostile text, and no
 * dependency: with marked the same reading took more than twice as long.
 */
function parsed(body: string, style: AnchorStyle): ChildNode[] | LeftOut {
  const html = Bun.markdown.html(withinParserLimits(plainMarkdown(body)))
  const nodes = parseTree(html, { selfClosing: true })
  if ("leftOut" in nodes) return nodes
  const headings = topmost(nodes, isHeading)
  const anchors = anchorsOf(style)
  for (const heading of headings) takeExplicitId(heading)
  for (const { attribs } of headings) if (attribs["id"]) anchors.take(attribs["id"])
  for (const heading of headings)
    if (!heading.attribs["id"] && heading.attribs[writtenMark] === undefined)
      heading.attribs["data-slug"] = anchors.give(textOf(heading.children).trim())
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

/** Attributes are words, one of them `#id` or `.class`; what is none of it may be a placeholder: `{name}`. */
function attributeList(list: string): { id: string | undefined; isList: boolean } {
  const words = list.split(/\s+/)
  const named = words.findIndex((word) => word.includes("#"))
  const id = /^#(.+)/.exec(words[named] ?? "")?.[1]
  const before = id === undefined && named !== -1 ? words.slice(0, named + 1) : words
  return { id, isList: id !== undefined || before.some((word) => word.startsWith(".")) }
}

/**
 * A page may give its own path: `permalink` and `url` from the site's root (Jekyll, Hugo), `slug` too when it
 * holds a slash (Docusaurus, Starlight), else as the last name of its path.
 */
function ownUrl(attributes: Record<string, unknown>, { url, baseUrl }: MarkdownPage): string {
  const own = [attributes["permalink"], attributes["url"], attributes["slug"]].find(
    (path) => typeof path === "string",
  )
  // Placeholders such as `/:year/:title` are for the generator to fill.
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
  const said =
    name
      .replace(/^\d+[-_.]/, "")
      .replace(/[-_]+/g, " ")
      .trim() || name
  return said.charAt(0).toUpperCase() + said.slice(1)
}
