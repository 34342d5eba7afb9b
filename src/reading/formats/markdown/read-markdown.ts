import { type ChildNode, type Element, isTag, isText } from "domhandler"
import type { Document, LeftOut } from "../document.ts"
import { hiddenElements } from "../html/boilerplate.ts"
import { isHeading, parseDom, textContent, topmost } from "../html/dom.ts"
import { type FlowItem, readFlow } from "../html/flow.ts"
import { noteLinkTargets } from "../html/links.ts"
import { moveNotes } from "../html/notes.ts"
import { markGoogleOff } from "../html/owner-marks.ts"
import { outline } from "../outline.ts"
import { tooLong, tooManyLines, truncateTitle } from "../page-limits.ts"
import { publishedOn } from "../post.ts"
import { movedPageTarget, redirected, redirectTarget } from "../redirect-page.ts"
import { type AnchorStyle, anchorSlugger, githubAnchors } from "./anchors.ts"
import { htmlHeadingAttribute } from "./containers.ts"
import type { Dialect } from "./dialect.ts"
import { markdownLinkTarget, type PagePlace } from "./file-links.ts"
import {
  descriptionIn,
  type FrontMatter,
  keywordsIn,
  noindexReason,
  parseFrontMatter,
  redirectIn,
  withPlainLineEnds,
} from "./front-matter.ts"
import { withinParserLimits } from "./parser-limits.ts"
import { dateReason, type Publication, publicationDays } from "./publication.ts"
import { toCommonMark } from "./to-common-mark.ts"

export interface MarkdownPage extends PagePlace {
  /** Undefined: the generator is unknown, and what most have in common is understood. */
  dialect?: Dialect | undefined
  /** The anchors of the page's headings; GitHub's unless given. */
  anchors?: ((page: FrontMatter) => AnchorStyle) | undefined
  publication?: Publication | undefined
  /** Attributes that the site gives the page, which does not give them itself. */
  inherited?: Record<string, unknown>
}

/** Reads a Markdown or MDX page as its generator shows it. Never throws. */
export function readMarkdown(text: string, page: MarkdownPage): Document | LeftOut {
  const source = withPlainLineEnds(text)
  const tooMuch = tooLong(text) ?? tooManyLines(source)
  if (tooMuch) return tooMuch
  const frontMatter = parseFrontMatter(source)
  const { publication, dialect } = page
  const attributes = { ...page.inherited, ...frontMatter.attributes }
  const noindex = noindexReason(attributes, publication?.drafts ?? false)
  if (noindex) return { leftOut: "noindex", detail: noindex }
  const dates = dialect?.dates?.(attributes, page.path)
  const unpublished = publication && dates && dateReason(dates, publication)
  if (unpublished) return { leftOut: "not_published", detail: unpublished }

  const leadsTo = redirectIn(frontMatter.attributes) ?? redirectTarget(frontMatter.body)
  if (leadsTo) return redirected(leadsTo)

  const style = page.anchors?.(frontMatter) ?? githubAnchors
  const body = readBody(frontMatter.body, page, style)
  if ("leftOut" in body) return body
  // A page that is made by its template may say what it is about in its description alone.
  const items = body.some(({ kind }) => kind === "block")
    ? body
    : readBody(descriptionIn(attributes), page, style)
  if ("leftOut" in items) return items
  const ownTitle = frontMatter.title === null ? null : truncateTitle(frontMatter.title)
  const { title, sections } = outline(items, ownTitle)
  const [first] = sections
  if (!first || sections.every(({ markdown }) => markdown === "")) return { leftOut: "empty" }
  const movedTo = movedPageTarget(sections)
  if (movedTo) return redirected(movedTo)
  const keywords = keywordsIn(attributes)
  if (keywords !== "") first.keywords = keywords
  const published = publishedOn(page, publicationDays(attributes))
  return {
    path: page.path,
    url: page.url,
    title: truncateTitle(title ?? titleFromPath(page)),
    sections,
    ...(published && { published }),
    ...(frontMatter.error && { note: frontMatter.error }),
  }
}

function readBody(text: string, page: MarkdownPage, style: AnchorStyle): FlowItem[] | LeftOut {
  const nodes = parseBody(text, page.dialect, style)
  if ("leftOut" in nodes) return nodes
  markGoogleOff(nodes)
  moveNotes(nodes)
  noteLinkTargets(nodes, (href) => markdownLinkTarget(href, page))
  return readFlow(nodes, hiddenElements(nodes))
}

/**
 * Markdown is read through HTML, so that the tags in it are judged by the same code as those of an HTML page.
 * Bun's own parser does CommonMark with GitHub's tables, needs no dependency, and stays linear on hostile
 * text within the limits of `parser-limits.ts`.
 */
function parseBody(body: string, dialect: Dialect | undefined, style: AnchorStyle): ChildNode[] | LeftOut {
  const html = Bun.markdown.html(withinParserLimits(toCommonMark(body, dialect)))
  const nodes = parseDom(html, { selfClosing: true })
  if ("leftOut" in nodes) return nodes
  for (const node of nodes) dropLooseBreaks(node)
  const headings = topmost(nodes, isHeading)
  const slugger = anchorSlugger(style)
  for (const heading of headings) takeExplicitId(heading)
  for (const { attribs } of headings) if (attribs["id"]) slugger.reserve(attribs["id"])
  for (const heading of headings)
    if (!heading.attribs["id"] && heading.attribs[htmlHeadingAttribute] === undefined)
      heading.attribs["data-slug"] = slugger.slug(anchorText(heading.children, style).trim())
  return nodes
}

/** The words of a heading from which its generator makes the anchor. */
function anchorText(nodes: ChildNode[], style: AnchorStyle): string {
  const text = (node: ChildNode): string => {
    if (isText(node)) return style.typography?.(node.data) ?? node.data
    if (!isTag(node)) return ""
    if (node.name === "code") return textContent(node.children)
    return style.elementText?.(node) ?? anchorText(node.children, style)
  }
  return nodes.map(text).join("")
}

const textHolders = new Set(["p", "li", "td", "th"])

/**
 * A backslash breaks a line before another line. At the end of a paragraph, where GitBook's editor leaves it,
 * Markdown would show it. `C:\` keeps it.
 */
function dropLooseBreaks(node: ChildNode): void {
  if (!isTag(node) || node.name === "pre" || node.name === "code") return
  const last = node.children.at(-1)
  if (last && isText(last) && textHolders.has(node.name)) {
    const text = withoutFinalList(last.data.trimEnd())
    if (text.length < last.data.trimEnd().length) last.data = text
    if (text.endsWith("\\") && !text.endsWith("\\\\") && !text.endsWith(":\\"))
      last.data = text.slice(0, -1).trimEnd()
  }
  for (const child of node.children) dropLooseBreaks(child)
}

/** Without the lists of attributes that end a paragraph: `{.grand} {#ici}`. */
function withoutFinalList(text: string): string {
  const start = text.endsWith("}") ? text.lastIndexOf("{") : -1
  const isList = start > 0 && /^\{[ \t]*[.#][\w-][^{}]*\}$/.test(text.slice(start))
  return isList ? withoutFinalList(text.slice(0, start).trimEnd()) : text
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

/** The name of the file, or of the folder whose page it is. */
function titleFromPath({ path, dialect }: MarkdownPage): string {
  const name =
    path
      .replace(dialect?.namesFilesByTemplate ? /(?:^|\/)[^/]*$/ : /\/?(?:index|readme)$/i, "")
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
