import type { Document, DocumentFormat, LeftOut } from "./document.ts"
import { hiddenElements } from "./html/boilerplate.ts"
import { parseDom } from "./html/dom.ts"
import { type FlowItem, readFlow } from "./html/flow.ts"
import { noteLinkTargets } from "./html/links.ts"
import { linkTarget } from "./link.ts"
import { isSameText, outline } from "./outline.ts"
import { truncateTitle } from "./page-limits.ts"

export interface Place {
  path: string
  url: string
}

/**
 * Headings and blocks of HTML that a reader of this folder wrote: all of it is the document's text, so that nothing
 * of it is judged to be a menu.
 */
export function htmlItems(html: string, { url }: Place): FlowItem[] | LeftOut {
  const nodes = parseDom(html, { selfClosing: false })
  if ("leftOut" in nodes) return nodes
  noteLinkTargets(nodes, (href) => linkTarget(href, url))
  return readFlow(nodes, hiddenElements(nodes))
}

/** `title`: the one that the file gives itself; without a usable one, its first heading, else its name. */
export function toDocument(
  items: FlowItem[],
  place: Place,
  { title: given, format }: { title: unknown; format: DocumentFormat },
): Document | LeftOut {
  const { title, sections } = outline(items, choosePageTitle(usableTitle(given), items) ?? null)
  // A letterhead may stand above the title.
  const highest = items.find((item) => item.kind === "heading" && item.level === 1)
  const heading = highest?.kind === "heading" ? highest.text : undefined
  if (sections.every(({ markdown }) => markdown === "")) return { leftOut: "empty" }
  const { path, url } = place
  return { path, url, title: truncateTitle(title ?? heading ?? fileTitle(place)), sections, format }
}

/** Undefined where the first heading says the same and more. */
function choosePageTitle(own: string | undefined, [first]: FlowItem[]): string | undefined {
  if (own === undefined || first?.kind !== "heading" || isSameText(own, first.text)) return own
  const [one, other] = [own, first.text].map((text) => text.toLowerCase()) as [string, string]
  return one.includes(other) || other.includes(one) ? undefined : own
}

/** `rapport_annuel-2025` → `rapport annuel 2025` */
function fileTitle({ path }: Place): string {
  const name = (path.split("?")[0] as string).split("/").at(-1) ?? ""
  return (
    name
      .replace(/\.(?:pdf|docx|odt)$/i, "")
      .replace(/[-_]+/g, " ")
      .trim() || "Document"
  )
}

/** A title that an office program or a scanner wrote, or none. */
function usableTitle(title: unknown): string | undefined {
  if (typeof title !== "string") return undefined
  const text = title.replace(/\s+/g, " ").trim()
  const isGenerated =
    /^(?:microsoft \w+ - |untitled|sans titre|\(?(?:anonymous|unspecified)\)?$|document ?\d*$|présentation ?(?:power)?point)/i.test(
      text,
    ) || /\.(?:docx?|odt|pdf|indd|tex|rtf|pptx?|html?)$/i.test(text)
  return text.length < 3 || isGenerated || !/\p{L}{2}/u.test(text) ? undefined : text
}
