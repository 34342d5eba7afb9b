import type { ChildNode } from "domhandler"
import { detail } from "../../../base/errors.ts"
import { maxUrlLength } from "../../../base/text.ts"
import type { Document, LeftOut, LeftOutPart } from "../document.ts"
import { withoutLinks } from "../link.ts"
import { outline } from "../outline.ts"
import { tooLong, truncateTitle } from "../page-limits.ts"
import { dayGiven, publishedOn } from "../post.ts"
import { movedPageTarget, redirected } from "../redirect-page.ts"
import { blockHash } from "../repeated.ts"
import { boilerplateElements, isGeneratorContent, isMain, type Judgement } from "./boilerplate.ts"
import { type ElementTest, hasAncestor, hasClass, parseDom, topmost } from "./dom.ts"
import { type FlowItem, readFlow } from "./flow.ts"
import { leftOutParts } from "./left-out-parts.ts"
import { htmlLinkTarget, noteLinkTargets } from "./links.ts"
import { withLoneHeadings } from "./lone-headings.ts"
import { metaContents, refreshTarget } from "./meta.ts"
import { moveNotes } from "./notes.ts"
import { markGoogleOff } from "./owner-marks.ts"
import { pageObjection } from "./page-kind.ts"
import { pageTitle } from "./page-title.ts"

/** The documentation on an HTML page. Never throws, whatever the mark-up. */
export function readHtml(html: string, page: { path: string; url: string }): Document | LeftOut {
  const nodes = tooLong(html) ?? parseDom(html, { selfClosing: false })
  if ("leftOut" in nodes) return nodes
  if (forbidsIndexing(nodes)) return { leftOut: "noindex", detail: detail("reading.robotsMeta") }
  const leadsTo = leadsElsewhere(nodes, page.url)
  if (leadsTo) return { leftOut: "redirect", detail: detail("reading.leadsTo", { page: leadsTo }), leadsTo }
  markGoogleOff(nodes)
  moveNotes(nodes)
  const judgement = boilerplateElements(nodes)
  noteLinkTargets(nodes, htmlLinkTarget(nodes, page.url))
  const { roots, items } = mainContent(nodes, judgement)
  const objection = pageObjection(roots, items, judgement, page)
  if (objection) return objection
  const { kept, generated } = withoutGeneratedEnd(items)
  const { text, heading, other } = pageTitle(kept, nodes, judgement.isSkipped)
  const { title, sections } = outline(withoutTitle(kept, heading), text)
  const movedTo = movedPageTarget(sections)
  if (movedTo) return redirected(movedTo)
  const published = dayGiven(metaContents(nodes, /^article:published_time$/i)) ?? publishedOn(page, [])
  return {
    ...page,
    title: truncateTitle(title ?? page.path),
    sections,
    ...(published && { published }),
    html: {
      leftOut: [...leftOutParts(nodes, roots, judgement), ...generated],
      doubtful: [...new Set(kept.flatMap(doubtfulHash))].slice(0, maxDoubtful),
      otherTitle: other && truncateTitle(other),
    },
  }
}

/** Without the page's title and the titles right above it, such as « Vous cherchez : » or the site's name. */
function withoutTitle(items: FlowItem[], title: FlowItem | undefined): FlowItem[] {
  const end = title === undefined ? -1 : items.indexOf(title)
  let start = end
  for (let above = items[start - 1]; above?.kind === "heading" && above.level === 1; above = items[start - 1])
    start--
  return items.filter((_, at) => at < start || at > end)
}

const maxDoubtful = 500

function doubtfulHash(item: FlowItem): string[] {
  return item.kind === "block" && item.doubt ? [blockHash(item.markdown)] : []
}

function forbidsIndexing(nodes: ChildNode[]): boolean {
  return metaContents(nodes, /^(?:robots|guichet)$/i).some((content) => /\b(?:noindex|none)\b/i.test(content))
}

/** Where the page sends its readers; undefined when it stays, or only loads itself again. */
function leadsElsewhere(nodes: ChildNode[], pageUrl: string): string | undefined {
  const target = refreshTarget(nodes)
  const url = target === undefined ? null : URL.parse(target, pageUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  url.hash = ""
  return url.href.length <= maxUrlLength && url.href !== URL.parse(pageUrl)?.href ? url.href : undefined
}

const githubClass = new Set(["markdown-body"])

/**
 * Elements that hold the text of a page. A generator's own mark-up comes before guesses that fit any page;
 * the first that has text is read. `least`: the share of the page's text that a guess must hold.
 */
const contentTests: { test: ElementTest; only?: "single"; least?: number }[] = [
  { test: ({ attribs }) => attribs["data-pagefind-body"] !== undefined },
  { test: isGeneratorContent },
  { test: ({ attribs }) => attribs["itemprop"] === "articleBody", least: 0.3 },
  { test: (element) => hasClass(element, githubClass), only: "single", least: 0.3 },
  {
    test: (element) => element.name === "article" && hasAncestor(element, isMain),
    only: "single",
    least: 0.5,
  },
  { test: ({ attribs }) => attribs["id"] === "main-content", only: "single", least: 0.5 },
  { test: isMain, least: 0.1 },
  { test: ({ name }) => name === "article", only: "single", least: 0.5 },
  { test: ({ attribs }) => /^(?:content|main)$/i.test(attribs["id"] ?? ""), only: "single", least: 0.3 },
  { test: ({ name }) => name === "body" },
]

function mainContent(nodes: ChildNode[], judgement: Judgement): { roots: ChildNode[]; items: FlowItem[] } {
  const { weights, panels } = judgement
  for (const { test, only, least = 0 } of contentTests) {
    const found = topmost(nodes, test)
    if (found.length === 0 || (only && found.length > 1)) continue
    const prose = found.reduce((sum, root) => sum + weights.of(root).prose, 0)
    if (prose < least * weights.total.prose) continue
    const roots = [...found, ...panels.openedFrom(new Set(found))]
    const items = withLoneHeadings(readFlow(roots, judgement))
    if (items.some(({ kind }) => kind === "block")) return { roots, items }
  }
  return { roots: nodes, items: withLoneHeadings(readFlow(nodes, judgement)) }
}

/** The program that made a site, or its question about the page, in a line at the end of each page. */
const endLines = [
  /^(?:last (?:updated|modified)|(?:dernière )?(?:mise à jour|modification)|mise? à jour|modifiée?)(?: |\u00a0?:)[^\n]{1,60}$/i,
  /^(?:was this (?:page )?(?:helpful|useful)|cette page vous a-t-elle|ce contenu vous a-t-il)[^\n]{0,40}$/i,
  /^(?:©[^\n]{0,60}?)?\W{0,5}(?:(?:site |page |document |fièrement |proudly )?(?:créée?|faite?|réalisée?|propulsée?|générée?|powered|made|built|created|generated)) (?:avec|par|with|by|using|on) [^\n]{1,80}$/i,
]
const maxGeneratedLines = 3

function withoutGeneratedEnd(items: FlowItem[]): { kept: FlowItem[]; generated: LeftOutPart[] } {
  const kept = [...items]
  const generated: LeftOutPart[] = []
  while (kept.length > 1 && generated.length < maxGeneratedLines) {
    const last = kept.at(-1)
    const text = last?.kind === "block" ? withoutLinks(last.markdown).replace(/[*_]/g, "") : ""
    if (text.length > 150 || !endLines.some((line) => line.test(text))) break
    generated.unshift({ reason: "generated", text })
    kept.pop()
  }
  return kept.some(({ kind }) => kind === "block") ? { kept, generated } : { kept: items, generated: [] }
}
