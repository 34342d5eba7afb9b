import { type ChildNode, type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import { detail } from "../../../base/errors.ts"
import type { Document, LeftOut } from "../document.ts"
import { outline } from "../outline.ts"
import { tooLong, truncateTitle } from "../page-limits.ts"
import { boilerplateElements } from "./boilerplate.ts"
import { type ElementTest, hasAncestor, hasClass, parseDom, textContent, topmost } from "./dom.ts"
import { type FlowItem, readFlow } from "./flow.ts"
import { plainText } from "./inline.ts"
import { htmlLinkTarget, noteLinkTargets } from "./links.ts"

/** The documentation on an HTML page. Never throws, whatever the mark-up. */
export function readHtml(html: string, page: { path: string; url: string }): Document | LeftOut {
  const nodes = tooLong(html) ?? parseDom(html, { selfClosing: false })
  if ("leftOut" in nodes) return nodes
  if (forbidsIndexing(nodes)) return { leftOut: "noindex", detail: detail("reading.robotsMeta") }
  const isSkipped = boilerplateElements(nodes)
  noteLinkTargets(nodes, htmlLinkTarget(nodes, page.url))
  const items = mainContent(nodes, isSkipped)
  if (!items.some(({ kind }) => kind === "block"))
    return { leftOut: "empty", detail: detail("reading.noText") }
  const { title, sections } = outline(withoutPageTitle(items), pageTitle(items, nodes, isSkipped))
  return { ...page, title: truncateTitle(title ?? page.path), sections }
}

function forbidsIndexing(nodes: ChildNode[]): boolean {
  return metaContents(nodes, /^(?:robots|guichet)$/i).some((content) => /\b(?:noindex|none)\b/i.test(content))
}

/** The elements in which each generator puts the text of a page. */
const generatorClasses = new Set([
  "theme-doc-markdown",
  "vp-doc",
  "sl-markdown-content",
  "md-content__inner",
  "markdown-section",
  "theme-default-content",
])
const githubClass = new Set(["markdown-body"])

/**
 * Elements that hold the text of a page. A generator's own mark-up comes before guesses that fit any page;
 * the first that has text is read.
 */
const contentTests: { test: ElementTest; only?: "single" }[] = [
  { test: (element) => hasClass(element, generatorClasses) },
  { test: ({ attribs }) => attribs["itemprop"] === "articleBody" },
  { test: (element) => hasClass(element, githubClass), only: "single" },
  { test: (element) => element.name === "article" && hasAncestor(element, isMain), only: "single" },
  { test: isMain },
  { test: ({ name }) => name === "article", only: "single" },
  { test: ({ attribs }) => /^(?:main-?content|content|main)$/i.test(attribs["id"] ?? ""), only: "single" },
  { test: ({ name }) => name === "body" },
]

function mainContent(nodes: ChildNode[], isSkipped: ElementTest): FlowItem[] {
  for (const { test, only } of contentTests) {
    const found = topmost(nodes, test)
    if (found.length === 0 || (only && found.length > 1)) continue
    const items = readFlow(found, isSkipped)
    if (items.some(({ kind }) => kind === "block")) return items
  }
  return readFlow(nodes, isSkipped)
}

function isMain({ name, attribs }: Element): boolean {
  return name === "main" || attribs["role"] === "main"
}

/** The h1 of the text, else the h1 of the page, else its `og:title` or `<title>` without the site's name. */
function pageTitle(items: FlowItem[], nodes: ChildNode[], isSkipped: ElementTest): string | null {
  const own = items.find((item) => item.kind === "heading" && item.level === 1)
  if (own?.kind === "heading") return own.text
  const first = firstH1(nodes, isSkipped)
  if (first !== undefined) return first
  const [shared] = metaContents(nodes, /^og:title$/i)
  const tag = DomUtils.findOne(({ name }) => name === "title", nodes)
  const site = metaContents(nodes, /^og:site_name$/i)[0]
  return withoutSiteName(shared ?? (tag ? textContent(tag.children) : ""), site) || null
}

function firstH1(nodes: ChildNode[], isSkipped: ElementTest): string | undefined {
  for (const node of nodes) {
    if (!isTag(node) || isSkipped(node)) continue
    const title =
      node.name === "h1"
        ? plainText(node.children, isSkipped) || undefined
        : firstH1(node.children, isSkipped)
    if (title !== undefined) return title
  }
  return undefined
}

/** « Installer | Guichet » → « Installer ». */
function withoutSiteName(title: string, site: string | undefined): string {
  const parts = title.trim().split(/(?<!\s)\s+(?:[|·•–—»]|-|::)\s+/)
  if (parts.length < 2) return title.trim()
  const kept = site !== undefined && parts[0] === site ? parts.slice(1) : parts.slice(0, -1)
  const end = title.indexOf(kept.at(-1) as string) + (kept.at(-1) as string).length
  return title.slice(title.indexOf(kept[0] as string), end).trim()
}

/**
 * Without the page's only h1, so that the text before and after it belongs to the page and not to a section.
 */
function withoutPageTitle(items: FlowItem[]): FlowItem[] {
  const titles = items.filter((item) => item.kind === "heading" && item.level === 1)
  return titles.length === 1 ? items.filter((item) => item !== titles[0]) : items
}

function metaContents(nodes: ChildNode[], name: RegExp): string[] {
  return DomUtils.findAll(
    (element) =>
      element.name === "meta" && name.test(element.attribs["name"] ?? element.attribs["property"] ?? ""),
    nodes,
  ).map(({ attribs }) => attribs["content"]?.trim() ?? "")
}
