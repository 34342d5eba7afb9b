import { type ChildNode, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import { withoutLinks } from "../link.ts"
import { isSameText } from "../outline.ts"
import { type ElementTest, textContent } from "./dom.ts"
import type { FlowItem } from "./flow.ts"
import { headingText } from "./inline.ts"
import { metaContents } from "./meta.ts"

type Heading = Extract<FlowItem, { kind: "heading" }>

export interface PageTitle {
  text: string | null
  /** The heading that says it: the text below belongs to the page and not to a section. */
  heading: Heading | undefined
  /** Another name of the page. */
  other: string | null
}

/**
 * The first-level heading that names the page: the one that its `<title>` says too, else the last one before the text,
 * unless it is the site's name or introduces something. Without one, the page's `og:title` or `<title>` without the
 * site's name.
 */
export function pageTitle(items: FlowItem[], nodes: ChildNode[], isSkipped: ElementTest): PageTitle {
  const { title, whole, siteNames } = declaredTitle(nodes)
  const isName = ({ text }: { text: string }) =>
    !isLeadIn(text) && !siteNames.some((name) => isSameText(name, text))
  const headings = items.filter((item) => item.kind === "heading")
  const first = headings.filter(({ level }) => level === 1)
  const opening = first.filter((heading) => opensPage(heading, items, first.length === 1 ? maxAboveTitle : 0))
  const alike = title === null ? [] : headings.filter(({ text }) => isAlike(text, title))
  const hasSections = first.length > opening.length && title !== null
  const heading =
    alike.find(({ level }) => level === 1) ??
    (hasSections ? undefined : opening.findLast(isName)) ??
    alike.find(({ text }) => isSameText(text, title as string))
  if (heading)
    return { text: withoutColon(heading.text), heading, other: title === heading.text ? null : title }
  const only = title === null ? first.find(isName) : undefined
  if (only) return { text: only.text, heading: first.length === 1 ? only : undefined, other: null }
  const beside = hasSections ? undefined : firstH1(nodes, isSkipped, items)
  const chosen = beside !== undefined && isName({ text: beside }) ? beside : title
  const text = chosen ?? opening.at(-1)?.text ?? first[0]?.text ?? beside ?? whole
  const own = first.find((one) => one.text === text && (opening.includes(one) || first.length === 1))
  return { text: withoutColon(text), heading: own, other: title === text ? null : title }
}

/** A date, a badge or an author may stand above a page's title. */
const maxAboveTitle = 60

/** Whether no sentence of the page, and no more than so many characters, stand above a heading. */
function opensPage(heading: Heading, items: FlowItem[], mostCharacters: number): boolean {
  let characters = 0
  for (const item of items) {
    if (item === heading) return true
    if (item.kind !== "block") continue
    characters += withoutLinks(item.markdown).length
    if (characters > mostCharacters || /[.!?]$/.test(item.markdown)) return false
  }
  return false
}

/** « Onglets » names the page « Onglets (tab) ». */
function isAlike(text: string, title: string): boolean {
  const [one, other] = [text, title].map((each) => each.toLowerCase().trim()) as [string, string]
  return (
    isSameText(one, other) ||
    (Math.min(one.length, other.length) > 3 && (one.includes(other) || other.includes(one)))
  )
}

/** « Dans cette page : » names no page. */
function isLeadIn(text: string): boolean {
  return /[:：]$/.test(text.trimEnd())
}

function withoutColon(text: string | null): string | null {
  return (
    text
      ?.trimEnd()
      .replace(/[:：]$/, "")
      .trimEnd() || text
  )
}

const placeholders = /^(?:<no title>|untitled(?: document| page)?|sans titre|document|index)$/i

/** The title in the page's head, without the site's name, and the names that the site has there. */
function declaredTitle(nodes: ChildNode[]): {
  title: string | null
  whole: string | null
  siteNames: string[]
} {
  const [shared] = metaContents(nodes, /^og:title$/i)
  const tag = DomUtils.findOne(({ name, parent }) => name === "title" && !isInPicture(parent), nodes)
  const whole = tag ? textContent(tag.children).replace(/\s+/g, " ").trim() : ""
  const named = metaContents(nodes, /^(?:og:site_name|application-name|apple-mobile-web-app-title)$/i)
  const site = named.find((name) => name !== "")
  const parts = withoutSiteName(whole, site)
  const title = shared ? withoutSiteName(shared, site).title : parts.title
  const isOwn = title !== "" && !placeholders.test(title) && !named.some((name) => isSameText(name, title))
  return {
    title: isOwn ? title : null,
    whole: isOwn || placeholders.test(title) ? null : whole || null,
    siteNames: [...named, ...parts.dropped].filter((name) => name !== ""),
  }
}

function isInPicture(parent: unknown): boolean {
  return (parent as { name?: string } | null)?.name === "svg"
}

/** « Installer | Guichet » → « Installer ». */
function withoutSiteName(title: string, site: string | undefined): { title: string; dropped: string[] } {
  const parts = title.trim().split(/(?<!\s)\s+(?:[|·•–—»]|-|::)\s+/)
  if (parts.length < 2) return { title: title.trim(), dropped: [] }
  const isFirst = site !== undefined && isSameText(parts[0] as string, site)
  const remaining = isFirst ? parts.slice(1) : parts.slice(0, -1)
  const end = title.indexOf(remaining.at(-1) as string) + (remaining.at(-1) as string).length
  const dropped = [(isFirst ? parts[0] : parts.at(-1)) as string]
  return { title: title.slice(title.indexOf(remaining[0] as string), end).trim(), dropped }
}

/** The first h1 of the page that is not among the headings of its text. */
function firstH1(nodes: ChildNode[], isSkipped: ElementTest, items: FlowItem[]): string | undefined {
  for (const node of nodes) {
    if (!isTag(node) || isSkipped(node)) continue
    const title =
      node.name === "h1"
        ? headingText(node.children, isSkipped) || undefined
        : firstH1(node.children, isSkipped, items)
    if (title !== undefined && !items.some((item) => item.kind === "heading" && item.text === title))
      return title
  }
  return undefined
}
