import { type ChildNode, type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import { detail } from "../../base/errors.ts"
import { type Clutter, pageClutter } from "./clutter.ts"
import type { Document, LeftOut } from "./document.ts"
import { type Piece, readFlow } from "./flow.ts"
import { outline } from "./outline.ts"
import { shortTitle, tooLong } from "./page-limits.ts"
import { plain } from "./prose.ts"
import { parseTree, textOf, topmost } from "./tree.ts"

/**
 * The documentation on an HTML page: its generator's own mark-up is preferred to guesses. Never throws,
 * whatever the mark-up.
 */
export function readHtml(html: string, page: { path: string; url: string }): Document | LeftOut {
  const nodes = tooLong(html) ?? parseTree(html, { selfClosing: false })
  if ("leftOut" in nodes) return nodes
  if (forbidsIndexing(nodes)) return { leftOut: "noindex", detail: detail("reading.robotsMeta") }
  const clutter = pageClutter(nodes)
  const pieces = mainPieces(nodes, clutter)
  if (!pieces.some(({ kind }) => kind === "block"))
    return { leftOut: "empty", detail: detail("reading.noText") }
  const { title, sections } = outline(withoutTitle(pieces), pageTitle(pieces, nodes, clutter))
  return { ...page, title: shortTitle(title ?? page.path), sections }
}

function forbidsIndexing(nodes: ChildNode[]): boolean {
  return metaContents(nodes, /^(?:robots|guichet)$/i).some((content) => /\b(?:noindex|none)\b/i.test(content))
}

type Mark = (element: Element) => boolean

/** Where generators put a page's text, then where any page may: the first that holds some is read. */
const contentMarks: { mark: Mark; only?: "single" }[] = [
  {
    mark: withClass(
      "theme-doc-markdown",
      "vp-doc",
      "sl-markdown-content",
      "md-content__inner",
      "markdown-section",
      "theme-default-content",
    ),
  },
  { mark: ({ attribs }) => attribs["itemprop"] === "articleBody" },
  { mark: withClass("markdown-body"), only: "single" },
  { mark: ({ name, parent }) => name === "article" && isIn(parent, isMain), only: "single" },
  { mark: isMain },
  { mark: ({ name }) => name === "article", only: "single" },
  { mark: ({ attribs }) => /^(?:main-?content|content|main)$/i.test(attribs["id"] ?? ""), only: "single" },
  { mark: ({ name }) => name === "body" },
]

function mainPieces(nodes: ChildNode[], clutter: Clutter): Piece[] {
  for (const { mark, only } of contentMarks) {
    const found = topmost(nodes, mark)
    if (found.length === 0 || (only && found.length > 1)) continue
    const pieces = readFlow(found, clutter)
    if (pieces.some(({ kind }) => kind === "block")) return pieces
  }
  return readFlow(nodes, clutter)
}

function isMain({ name, attribs }: Element): boolean {
  return name === "main" || attribs["role"] === "main"
}

function withClass(...names: string[]): Mark {
  return ({ attribs }) => attribs["class"]?.split(/\s+/).some((name) => names.includes(name)) ?? false
}

function isIn(start: Element["parent"], mark: Mark): boolean {
  for (let node = start; node; node = node.parent) if (isTag(node) && mark(node)) return true
  return false
}

/** The h1 of the text, else of the page, else what the page calls itself elsewhere. */
function pageTitle(pieces: Piece[], nodes: ChildNode[], clutter: Clutter): string | null {
  const own = pieces.find((piece) => piece.kind === "heading" && piece.level === 1)
  if (own?.kind === "heading") return own.text
  const first = firstTitle(nodes, clutter)
  if (first !== undefined) return first
  const [shared] = metaContents(nodes, /^og:title$/i)
  const tag = DomUtils.findOne(({ name }) => name === "title", nodes)
  const site = metaContents(nodes, /^og:site_name$/i)[0]
  return withoutSite(shared ?? (tag ? textOf(tag.children) : ""), site) || null
}

function firstTitle(nodes: ChildNode[], clutter: Clutter): string | undefined {
  for (const node of nodes) {
    if (!isTag(node) || clutter(node)) continue
    const title =
      node.name === "h1" ? plain(node.children, clutter) || undefined : firstTitle(node.children, clutter)
    if (title !== undefined) return title
  }
  return undefined
}

/** « Installer | Guichet » → « Installer ». */
function withoutSite(title: string, site: string | undefined): string {
  const parts = title.trim().split(/(?<!\s)\s+(?:[|·•–—»]|-|::)\s+/)
  if (parts.length < 2) return title.trim()
  const kept = site !== undefined && parts[0] === site ? parts.slice(1) : parts.slice(0, -1)
  const end = title.indexOf(kept.at(-1) as string) + (kept.at(-1) as string).length
  return title.slice(title.indexOf(kept[0] as string), end).trim()
}

/** What stands before the page's only h1 belongs to no section of its own. */
function withoutTitle(pieces: Piece[]): Piece[] {
  const titles = pieces.filter((piece) => piece.kind === "heading" && piece.level === 1)
  return titles.length === 1 ? pieces.filter((piece) => piece !== titles[0]) : pieces
}

function metaContents(nodes: ChildNode[], name: RegExp): string[] {
  return DomUtils.findAll(
    (element) =>
      element.name === "meta" && name.test(element.attribs["name"] ?? element.attribs["property"] ?? ""),
    nodes,
  ).map(({ attribs }) => attribs["content"]?.trim() ?? "")
}
