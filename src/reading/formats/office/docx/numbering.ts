import { type Counters, countOn, formatNumber, type NumberFormat, restartAt } from "../numbers.ts"
import { child, isElement, type XmlElement } from "../xml.ts"
import { isSet, type Styles, value } from "./styles.ts"

interface Level {
  start: number
  /** `none` shows its text alone. */
  format: NumberFormat | "bullet" | "none"
  /** `%1.%2` and what stands around it. */
  text: string
  /** Whether the numbers of the levels above are shown as decimal ones. */
  isLegal: boolean
  /** The style whose paragraphs have this level. */
  style: string | undefined
}

interface List {
  /** Lists of one abstract numbering go on counting together. */
  counters: Counters
  levels: Map<number, Level>
  /** First numbers that hold from the list's own first paragraph on. */
  restarts: Map<number, number>
}

/** The mark before a paragraph: a bullet where it has no text. `number`: a plain decimal one. */
export interface Mark {
  text?: string
  number?: number
  /** The bullet is a blank: the paragraph goes on in the item above, as Pandoc writes it. */
  goesOn?: true
}

export interface Numbering {
  /** Counts a paragraph and returns its mark; undefined where the list gives none. */
  mark(id: string, depth: number): Mark | undefined
  /** The depth that the list gives to paragraphs of a style. */
  depthOfStyle(id: string, style: string): number | undefined
}

const maxDepth = 8

export function readNumbering(root: XmlElement | undefined, styles: Styles): Numbering {
  const elements = child(root, "w:numbering")?.children.filter(isElement) ?? []
  const abstracts = byId(elements, "w:abstractNum", "w:abstractNumId")
  const numberings = byId(elements, "w:num", "w:numId")
  const lists = new Map<string, List | undefined>()
  const counters = new Map<string, Counters>()
  const abstractLevels = new Map<string, ReadonlyMap<number, Level>>()

  return {
    mark(id, wanted) {
      const list = listOf(id)
      const depth = Math.min(Math.max(0, wanted), maxDepth)
      const level = list?.levels.get(depth)
      if (!list || !level) return undefined
      const restart = list.restarts.get(depth)
      if (restart !== undefined) restartAt(list.counters, depth, restart)
      list.restarts.delete(depth)
      countOn(list.counters, depth, (at) => list.levels.get(at)?.start ?? 1)
      return markOf(list, level, depth)
    },
    depthOfStyle: (id, style) =>
      [...(listOf(id)?.levels ?? [])].find(([, level]) => level.style === style)?.[0],
  }

  function listOf(id: string): List | undefined {
    if (!lists.has(id)) lists.set(id, readList(id))
    return lists.get(id)
  }

  function readList(id: string): List | undefined {
    const numbering = numberings.get(id)
    const abstractId = value(numbering, "w:abstractNumId")
    if (!numbering || abstractId === undefined) return undefined
    const levels = new Map(levelsOf(abstractId))
    const restarts = new Map<number, number>()
    for (const override of elementsNamed(numbering, "w:lvlOverride")) {
      const depth = Number(override.attributes["w:ilvl"])
      for (const [at, level] of readLevels(override)) levels.set(at, level)
      const start = value(override, "w:startOverride")
      if (start !== undefined) restarts.set(depth, Number(start) || 0)
    }
    return { counters: counters.getOrInsert(abstractId, []), levels, restarts }
  }

  /** Many lists may share one abstract numbering. */
  function levelsOf(abstractId: string): ReadonlyMap<number, Level> {
    return abstractLevels.getOrInsertComputed(abstractId, () => {
      const abstract = abstracts.get(abstractId)
      const link = value(abstract, "w:numStyleLink")
      const linked = link === undefined ? undefined : abstracts.get(abstractIdOf(styles.numberingOf(link)))
      return readLevels(linked ?? abstract)
    })
  }

  function abstractIdOf(id: string | undefined): string {
    return (id !== undefined && value(numberings.get(id), "w:abstractNumId")) || ""
  }
}

function byId(elements: XmlElement[], name: string, attribute: string): Map<string, XmlElement> {
  const named = elements.filter((element) => element.name === name)
  return new Map(named.map((element) => [element.attributes[attribute] ?? "", element]))
}

function elementsNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter(isElement).filter((node) => node.name === name)
}

function readLevels(element: XmlElement | undefined): Map<number, Level> {
  if (!element) return new Map()
  return new Map(
    elementsNamed(element, "w:lvl")
      .slice(0, maxDepth + 1)
      .map((level) => [
        Number(level.attributes["w:ilvl"] ?? 0),
        {
          start: Number(value(level, "w:start") ?? 1) || 0,
          format: formats[value(level, "w:numFmt") ?? "decimal"] ?? "decimal",
          text: (value(level, "w:lvlText") ?? "").slice(0, maxLabelCharacters),
          isLegal: isSet(level, "w:isLgl"),
          style: value(level, "w:pStyle"),
        },
      ]),
  )
}

const maxLabelCharacters = 100

const formats: Record<string, Level["format"]> = {
  bullet: "bullet",
  none: "none",
  decimalZero: "zero",
  lowerLetter: "letter",
  upperLetter: "LETTER",
  lowerRoman: "roman",
  upperRoman: "ROMAN",
  ordinal: "ordinal",
}

function markOf({ levels, counters }: List, level: Level, depth: number): Mark | undefined {
  if (level.format === "bullet") return /^\s+$/.test(level.text) ? { goesOn: true } : {}
  const text = level.text.replace(/%([1-9])/g, (_, place: string) => {
    const at = Number(place) - 1
    const format = levels.get(at)?.format ?? "decimal"
    if (format === "none" || format === "bullet") return ""
    return formatNumber(counters[at] ?? 1, level.isLegal ? "decimal" : format)
  })
  if (text.trim() === "") return undefined
  const isPlain = level.format === "decimal" && /^\(?%\d[.)]?$/.test(level.text)
  return { text: text.trim(), ...(isPlain && { number: counters[depth] as number }) }
}
