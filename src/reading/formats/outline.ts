import type { Document, Section } from "./document.ts"
import type { FlowItem } from "./html/flow.ts"

export interface Outline {
  /** The page's first heading when it is of level 1 and comes before any other heading and any text, else null. */
  title: string | null
  sections: Section[]
}

/**
 * Turns headings and blocks in reading order into sections with their heading path. The page's own title
 * opens no section: the text below it belongs to the page. It does open one when `title` is known and
 * differs, because its words would be lost otherwise.
 */
export function outline(items: FlowItem[], title: string | null): Outline {
  const sections: Section[] = []
  const path: { level: number; text: string; anchor: string | null }[] = []
  let pageTitle = title
  let current: Section = { headings: [], anchor: null, markdown: "" }
  let hasHeading = false

  for (const item of items) {
    if (item.kind === "block") {
      standAt(item.anchor)
      current.markdown += (current.markdown === "" ? "" : "\n\n") + item.markdown
      continue
    }
    const isTitle =
      !hasHeading &&
      item.level === 1 &&
      (pageTitle === null ? current.markdown === "" : isSameText(pageTitle, item.text))
    hasHeading = true
    if (isTitle) {
      pageTitle ??= item.text
      continue
    }
    closeSection()
    while (path.length > 0 && (path.at(-1)?.level ?? 0) >= item.level) path.pop()
    // A heading without an anchor of its own is reached by the anchor of the heading above it.
    if (item.text !== "") path.push({ ...item, anchor: item.anchor ?? path.at(-1)?.anchor ?? null })
    current = { headings: path.map(({ text }) => text), anchor: path.at(-1)?.anchor ?? null, markdown: "" }
  }
  closeSection()
  return { title: pageTitle, sections }

  /** A section may go on at another place, such as the next page. */
  function standAt(anchor: string | undefined): void {
    if (anchor === undefined || anchor === (current.places?.at(-1)?.anchor ?? current.anchor)) return
    if (current.markdown === "") current.anchor = anchor
    else current.places = [...(current.places ?? []), { from: current.markdown.length + 2, anchor }]
  }

  function closeSection(): void {
    if (current.markdown !== "" || current.headings.length > 0) sections.push(current)
  }
}

export function isSameText(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: "base" }) === 0
}

/** A page as Markdown, with its title and its sections' headings, each at its level. */
export function pageMarkdown({ title, sections }: Pick<Document, "title" | "sections">): string {
  const parts = sections.map(({ headings, markdown }) => {
    const heading = headings.at(-1)
    return heading === undefined
      ? markdown
      : `${"#".repeat(Math.min(headings.length + 1, 6))} ${heading}\n\n${markdown}`
  })
  return [`# ${title}`, ...parts].map((part) => part.trim()).join("\n\n")
}
