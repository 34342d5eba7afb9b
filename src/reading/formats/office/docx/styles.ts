import { child, isElement, type XmlElement } from "../xml.ts"

/** Properties of letters that decide what a reader sees; undefined where nothing is said. */
export interface LetterProperties {
  isBold?: boolean
  isItalic?: boolean
  isHidden?: boolean
  /** Points. */
  size?: number
  isWhite?: boolean
  isShaded?: boolean
}

/** A style with what it inherits. */
export interface Style {
  /** In lower case, in English where the program knows the style. */
  name: string
  letters: LetterProperties
  /** 1 for a title or the highest heading; null where an outline level says that it is none. */
  level?: number | null
  numbering?: { id?: string; depth?: number }
}

export interface Styles {
  find(id: string | undefined): Style
  defaults: LetterProperties
  /** The paragraph style without a name of its own. */
  normal: string | undefined
  /** The numbering that a style of lists names. */
  numberingOf(id: string): string | undefined
}

/** Styles based on one another, at most this many. */
const maxChain = 30

/** The styles of `styles.xml`. Names and ids differ by program and language: « Titre 1 » may be an own style. */
export function readStyles(root: XmlElement | undefined): Styles {
  const elements = child(root, "w:styles")?.children.filter(isElement) ?? []
  const byId = new Map<string, XmlElement>()
  for (const element of elements) {
    const id = element.attributes["w:styleId"]
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
  }
  const known = new Map<string, Style>()
  return {
    find: (id) => (id === undefined ? noStyle : find(id, 0)),
    defaults: letterProperties(child(child(root, "w:styles"), "w:docDefaults", "w:rPrDefault", "w:rPr")),
    normal: elements.find(
      ({ attributes }) =>
        attributes["w:type"] === "paragraph" && /^(?:1|true|on)$/.test(attributes["w:default"] ?? ""),
    )?.attributes["w:styleId"],
    numberingOf: (id) => value(child(byId.get(id), "w:pPr", "w:numPr"), "w:numId"),
  }

  function find(id: string, depth: number): Style {
    const seen = known.get(id)
    if (seen) return seen
    const style = readStyle(id, byId.get(id), depth)
    known.set(id, style)
    return style
  }

  function readStyle(id: string, element: XmlElement | undefined, depth: number): Style {
    const base = value(element, "w:basedOn")
    const parent = base === undefined || depth > maxChain ? noStyle : find(base, depth + 1)
    const name = (value(element, "w:name") ?? id).toLowerCase()
    const properties = child(element, "w:pPr")
    const level = outlineLevel(properties) ?? headingLevel(name) ?? parent.level
    const own = child(properties, "w:numPr")
    const [numberingId, listDepth] = [value(own, "w:numId"), value(own, "w:ilvl")]
    const numbering = {
      ...parent.numbering,
      ...(numberingId !== undefined && { id: numberingId }),
      ...(listDepth !== undefined && { depth: Number(listDepth) }),
    }
    const isShaded = hasShade(properties)
    return {
      name,
      letters: {
        ...parent.letters,
        ...(isShaded && { isShaded }),
        ...letterProperties(child(element, "w:rPr")),
      },
      ...(level !== undefined && { level }),
      ...(numbering.id !== undefined && { numbering }),
    }
  }
}

const noStyle: Style = { name: "", letters: {} }

function headingLevel(name: string): number | undefined {
  if (/^(?:title|titre(?: principal| du document)?|heading)$/.test(name)) return 1
  const level = /^(?:heading|titre|überschrift|título|titolo|kop) ?([1-9])$/.exec(name)?.[1]
  return level === undefined ? undefined : Number(level)
}

/** The level of paragraphs that an outline shows; null for body text. */
export function outlineLevel(properties: XmlElement | undefined): number | null | undefined {
  const level = value(properties, "w:outlineLvl")
  if (level === undefined) return undefined
  return Number(level) < 9 ? Number(level) + 1 : null
}

export function letterProperties(element: XmlElement | undefined): LetterProperties {
  if (!element) return {}
  const properties: LetterProperties = {}
  const toggles = { "w:b": "isBold", "w:i": "isItalic", "w:vanish": "isHidden" } as const
  for (const [name, key] of Object.entries(toggles)) {
    if (child(element, name)) properties[key as "isBold"] = isSet(element, name)
  }
  const size = Number(value(element, "w:sz")) / 2
  if (size > 0) properties.size = size
  const color = value(element, "w:color")
  if (color !== undefined) properties.isWhite = /^f{6}$/i.test(color)
  if (hasShade(element)) properties.isShaded = true
  return properties
}

/** Whether letters stand on a colour of their own. */
export function hasShade(properties: XmlElement | undefined): boolean {
  const fill = child(properties, "w:shd")?.attributes["w:fill"]
  return (
    (fill !== undefined && !/^(?:auto|f{6})$/i.test(fill)) || child(properties, "w:highlight") !== undefined
  )
}

/** Bold within bold is plain again: what paragraph and letters say of themselves is turned round, and no more. */
export function withToggles(
  paragraph: LetterProperties,
  letters: LetterProperties,
  direct: LetterProperties,
  defaults: LetterProperties,
): LetterProperties {
  const toggled = (key: "isBold" | "isItalic" | "isHidden") =>
    direct[key] ?? (defaults[key] || (paragraph[key] ?? false) !== (letters[key] ?? false))
  return {
    ...defaults,
    ...paragraph,
    ...letters,
    ...direct,
    isBold: toggled("isBold"),
    isItalic: toggled("isItalic"),
    isHidden: toggled("isHidden"),
  }
}

/** Whether a property that is on or off is on: it is where it has no value. */
export function isSet(properties: XmlElement | undefined, name: string): boolean {
  const property = child(properties, name)
  return property !== undefined && !/^(?:0|false|off)$/.test(property.attributes["w:val"] ?? "")
}

/** The `w:val` of a child. */
export function value(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.attributes["w:val"]
}
