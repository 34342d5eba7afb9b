import { type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import { type ElementTest, isHeading, words } from "./dom.ts"
import type { Panels } from "./panels.ts"

type Item = { kind: "heading"; level: number; anchor: string | null } | { kind: "block"; markdown: string }

const cardTags = words("article section li div a header")
/** A date, a category or a place above a title, alone and in one of several cards. */
const maxAboveTitle = { alone: 120, amongOthers: 600 }
/** Tabs that are looked at together, with the blanks between them. */
const maxNodes = 60

/**
 * Text above the only heading of a card belongs to it: the date of an event is often set above its title. Moves
 * that heading before it, among the items from `start` on, which are those of `element`.
 */
export function liftTitle<Each extends Item>(items: Each[], start: number, element: Element): void {
  if (!cardTags.has(element.name)) return
  let characters = 0
  let at = start
  for (; items[at]?.kind === "block" && characters <= maxAboveTitle.amongOthers; at++)
    characters += (items[at] as { markdown: string }).markdown.length
  const title = items[at]
  if (at === start || title?.kind !== "heading" || characters > maxAboveTitle.amongOthers) return
  const isOnly = !items.some(
    (item, index) => index > at && item.kind === "heading" && item.level <= title.level,
  )
  const { markdown } = items[at - 1] as { markdown: string }
  const isNamed = element.name !== "div" || element.attribs["class"] !== undefined
  const isLine = isNamed && characters <= maxAboveTitle.alone && !/[.!?:]$/.test(markdown)
  if (!isOnly || !(isLine || isAmongCards(element, title.level))) return
  items.splice(at, 1)
  items.splice(start, 0, { ...title, anchor: title.anchor ?? element.attribs["id"] ?? null })
}

/** Whether an element beside it is of the same kind and has a heading of that level too. */
function isAmongCards({ name, attribs, parent, prev, next }: Element, level: number): boolean {
  if (!parent) return false
  return [prev, prev?.prev, next, next?.next].some(
    (other) =>
      other &&
      isTag(other) &&
      other.name === name &&
      other.attribs["class"] === attribs["class"] &&
      DomUtils.findOne((child) => child.name === `h${level}`, other.children) !== null,
  )
}

/**
 * Whether each item of a list has a title: its items are read one by one, as the cards of any other element. Those of a
 * numbered list are steps, unless each title leads to a page.
 */
export function isListOfCards({ name, children }: Element, isSkipped: ElementTest): boolean {
  const items = children.filter((child): child is Element => isTag(child) && !isSkipped(child))
  const isCard = (item: Element) =>
    name === "ol" ? titleLinks(item) : DomUtils.findOne(isHeading, item.children) !== null
  return items.length > 1 && items.every(isCard)
}

/** Whether the title of an entry is, or stands in, a link to a page. */
export function titleLinks(entry: Element): boolean {
  const heading = DomUtils.findOne(isHeading, entry.children)
  if (!heading) return false
  const { parent } = heading
  return (
    DomUtils.findOne(isPageLink, heading.children) !== null ||
    (parent !== null && isTag(parent) && isPageLink(parent))
  )
}

export function isPageLink({ name, attribs }: Element): boolean {
  return name === "a" && /^[^#]/.test(attribs["href"] ?? "")
}

/** The level of the names of tabs, which are headings for all of a list of tabs or for none. */
export function tabLevels({ labelOf }: Panels): (panel: Element) => number | undefined {
  const levels = new Map<Element["parent"], number>()
  return (panel) => {
    const { parent } = panel
    const level =
      levels.get(parent) ??
      Math.min(
        ...(parent?.children.slice(0, maxNodes) ?? [panel])
          .filter((one): one is Element => isTag(one) && labelOf(one) !== undefined)
          .map(({ children }) => Number(DomUtils.findOne(isHeading, children)?.name[1] ?? 7)),
      )
    levels.set(parent, level)
    return level < 7 ? level - 0.5 : undefined
  }
}
