import type { NumberFormat } from "../numbers.ts"
import type { Look } from "../paragraphs.ts"
import { child, isElement, type XmlElement } from "../xml.ts"

/** A style with what it inherits; undefined where nothing is said. */
export interface Style {
  name: string
  /** By the name or outline level of the style: 1 is the highest. */
  level?: number
  /** The list that its paragraphs belong to. */
  list?: string
  letters: Letters
}

export interface Letters extends Partial<Look> {
  isHidden?: boolean
  isWhite?: boolean
  isShaded?: boolean
}

/** `bullet` where it counts nothing, `none` where it shows nothing. */
export interface Level {
  format: NumberFormat | "bullet" | "none"
  prefix: string
  suffix: string
  /** Levels whose numbers are shown, from this one upwards. */
  shown: number
  start: number
}

export interface Styles {
  paragraph(name: string | undefined): Style
  text(name: string | undefined): Style
  /** Levels of a list by its style, from 0. */
  list(name: string): ReadonlyMap<number, Level>
  /** The levels that number headings outside lists. */
  outline: ReadonlyMap<number, Level>
  /** Names of table rows and columns that are not shown, and of sections. */
  isHidden(family: string, name: string | undefined): boolean
}

const maxChain = 30

/** The styles of `content.xml` and `styles.xml` (OpenDocument 1.3). The first file's come first. */
export function readStyles(roots: XmlElement[]): Styles {
  const holders = roots.flatMap((root) =>
    root.children
      .filter(isElement)
      .flatMap((document) => [child(document, "office:automatic-styles"), child(document, "office:styles")]),
  )
  const elements = holders.flatMap((holder) => holder?.children.filter(isElement) ?? [])
  const byKey = new Map<string, XmlElement>()
  for (const element of elements) {
    const key = keyOf(element.attributes["style:family"] ?? element.name, element.attributes["style:name"])
    if (!byKey.has(key)) byKey.set(key, element)
  }
  const defaults = new Map(
    elements
      .filter(({ name }) => name === "style:default-style")
      .map((element) => [element.attributes["style:family"] ?? "", letters(element)]),
  )
  const known = new Map<string, Style>()
  const lists = new Map<string, ReadonlyMap<number, Level>>()
  const outline = elements.find(({ name }) => name === "text:outline-style")
  return {
    paragraph: (name) => find("paragraph", name, 0),
    text: (name) => find("text", name, 0),
    list(name) {
      const seen = lists.get(name) ?? readLevels(byKey.get(keyOf("text:list-style", name)))
      lists.set(name, seen)
      return seen
    },
    outline: readLevels(outline),
    isHidden: (family, name) =>
      byKey
        .get(keyOf(family, name))
        ?.children.some((node) => isElement(node) && node.attributes["text:display"] === "none") ?? false,
  }

  function find(family: string, name: string | undefined, depth: number): Style {
    if (name === undefined || depth > maxChain)
      return { name: "", letters: family === "paragraph" ? (defaults.get(family) ?? {}) : {} }
    const key = keyOf(family, name)
    const seen = known.get(key)
    if (seen) return seen
    const element = byKey.get(key)
    const attributes = element?.attributes ?? {}
    const parent = find(family, attributes["style:parent-style-name"], depth + 1)
    const shown = attributes["style:display-name"] ?? name.replaceAll("_20_", " ")
    const outlineLevel = Number(attributes["style:default-outline-level"])
    const level = outlineLevel || headingLevel(shown) || parent.level
    const list = attributes["style:list-style-name"] || parent.list
    const style: Style = {
      name: shown,
      ...(level && { level }),
      ...(list && { list }),
      letters: { ...parent.letters, ...(element && letters(element)) },
    }
    known.set(key, style)
    return style
  }
}

function keyOf(family: string, name: string | undefined): string {
  return `${family} ${name}`
}

function headingLevel(name: string): number | undefined {
  if (/^(?:title|titre(?: principal| du document)?)$/i.test(name)) return 1
  const level = /^(?:heading|titre) ?([1-9])$/i.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

function letters(style: XmlElement): Letters {
  const text = child(style, "style:text-properties")?.attributes ?? {}
  const paragraph = child(style, "style:paragraph-properties")?.attributes ?? {}
  const size = sizeInPoints(text["fo:font-size"])
  const background = text["fo:background-color"] ?? paragraph["fo:background-color"]
  return {
    ...(text["text:display"] !== undefined && { isHidden: text["text:display"] === "none" }),
    ...(text["fo:font-weight"] !== undefined && {
      isBold: /^(?:bold|[6-9]00)$/.test(text["fo:font-weight"]),
    }),
    ...(text["fo:font-style"] !== undefined && { isItalic: text["fo:font-style"] === "italic" }),
    ...(text["style:text-line-through-style"] !== undefined && {
      isStruck: text["style:text-line-through-style"] !== "none",
    }),
    ...(text["style:text-position"] !== undefined && {
      isRaised: /^(?:super|[1-9]\d*%)/.test(text["style:text-position"]),
    }),
    ...(size !== undefined && { size }),
    ...(text["fo:color"] !== undefined && { isWhite: /^#f{6}$/i.test(text["fo:color"]) }),
    ...(background !== undefined && { isShaded: !/^(?:transparent|#f{6})$/i.test(background) }),
  }
}

function sizeInPoints(size: string | undefined): number | undefined {
  const points = /^([\d.]{1,10})pt$/.exec(size ?? "")?.[1]
  return points === undefined ? undefined : Number(points)
}

const formats: Record<string, Level["format"]> = {
  "1": "decimal",
  a: "letter",
  A: "LETTER",
  i: "roman",
  I: "ROMAN",
}

/** Office programs have ten. */
const maxLevels = 20

function readLevels(style: XmlElement | undefined): ReadonlyMap<number, Level> {
  return new Map(
    (style?.children ?? []).filter(isElement).flatMap(({ name, attributes }): [number, Level][] => {
      const depth = Number(attributes["text:level"]) - 1
      // The numbers of all levels above are counted.
      if (!Number.isInteger(depth) || depth < 0 || depth >= maxLevels) return []
      const format = formats[attributes["style:num-format"] ?? ""]
      const isNumber = /-number$|outline-level-style$/.test(name)
      return [
        [
          depth,
          {
            format: isNumber ? (format ?? "none") : "bullet",
            prefix: attributes["style:num-prefix"] ?? "",
            suffix: attributes["style:num-suffix"] ?? "",
            shown: Number(attributes["text:display-levels"]) || 1,
            start: Number(attributes["text:start-value"] ?? 1) || 0,
          },
        ],
      ]
    }),
  )
}
