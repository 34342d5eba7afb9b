import { type Counters, countOn, formatNumber, restartAt } from "../numbers.ts"
import type { Paragraph } from "../paragraphs.ts"
import type { XmlElement } from "../xml.ts"
import type { Level, Styles } from "./styles.ts"

/** A list that is open where a paragraph is read. */
export interface OpenList {
  style: string | undefined
  counters: Counters
  depth: number
}

/** Follows lists and the numbers of headings through a document. */
export function listReader(styles: Styles) {
  const outline: Counters = []
  const byId = new Map<string, Counters>()
  const byStyle = new Map<string, Counters>()

  return {
    open({ attributes }: XmlElement, outer: OpenList | undefined): OpenList {
      const style = attributes["text:style-name"] ?? outer?.style
      if (outer) return { style, counters: outer.counters, depth: outer.depth + 1 }
      const earlier = byId.get(attributes["text:continue-list"] ?? "")
      const goesOn = attributes["text:continue-numbering"] === "true" ? byStyle.get(style ?? "") : undefined
      const counters = earlier ?? goesOn ?? []
      const id = attributes["xml:id"]
      if (id !== undefined) byId.set(id, counters)
      byStyle.set(style ?? "", counters)
      return { style, counters, depth: 0 }
    },

    /** Counts an item; `start`: the number that it is given. */
    item(
      list: OpenList,
      style: string | undefined,
      start: number | undefined,
    ): Pick<Paragraph, "label" | "list"> {
      const levels = styles.list(list.style ?? style ?? "")
      const level = levels.get(list.depth)
      if (!level) return { list: { depth: list.depth } }
      if (start !== undefined) restartAt(list.counters, list.depth, start)
      return placeOf(level, levels, list.counters, list.depth)
    },

    /** The number of a heading that stands in no list. */
    heading(level: number): Pick<Paragraph, "label"> {
      const found = styles.outline.get(level - 1)
      if (!found || found.format === "none" || found.format === "bullet") return {}
      const { label } = placeOf(found, styles.outline, outline, level - 1)
      return label === undefined ? {} : { label }
    },
  }
}

function placeOf(
  level: Level,
  levels: ReadonlyMap<number, Level>,
  counters: Counters,
  depth: number,
): Pick<Paragraph, "label" | "list"> {
  const { format, prefix, suffix, shown } = level
  if (format === "bullet") return { list: { depth } }
  countOn(counters, depth, (at) => levels.get(at)?.start ?? 1)
  if (format === "none") {
    const label = `${prefix}${suffix}`.trim()
    return label === "" ? {} : { label }
  }
  const numbers: string[] = []
  for (let at = Math.max(0, depth - shown + 1); at <= depth; at++) {
    const own = levels.get(at)?.format ?? "decimal"
    if (own !== "bullet" && own !== "none") numbers.push(formatNumber(counters[at] ?? 1, own))
  }
  const label = `${prefix}${numbers.join(".")}${suffix}`.trim()
  // « Article 3 – » begins a paragraph, « a) » an item.
  if (/\p{L}{3}/u.test(label)) return { label }
  const isPlain = format === "decimal" && numbers.length === 1
  return { label, list: { depth, ...(isPlain && { number: counters[depth] as number }) } }
}
