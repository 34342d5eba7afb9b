import type { FlowItem } from "./flow.ts"
import { escapeBlockStarts } from "./inline.ts"

/** A heading of so many words is a sentence, and one with a figure says a time, a price or a number. */
const sentence = /^(?:\S+\s+){5}\S|\d/

/**
 * Some makers set texts as headings, for the size of their letters. A heading that nothing stands below, neither text
 * nor a lower heading, becomes text where it says something by itself, or where the page has no other text.
 */
export function withLoneHeadings(items: FlowItem[]): FlowItem[] {
  const hasText = items.some(({ kind }) => kind === "block")
  return items.map((item, at) => {
    const next = items[at + 1]
    const isLone = !next || (next.kind === "heading" && item.kind === "heading" && next.level <= item.level)
    if (item.kind !== "heading" || at === 0 || !isLone || item.text.endsWith("?")) return item
    if (hasText && !sentence.test(item.text)) return item
    return { kind: "block", markdown: escapeBlockStarts(item.text) }
  })
}
