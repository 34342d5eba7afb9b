import { Parser } from "htmlparser2"

/** An element with its name as the standards write it, whatever prefix the file gives its namespace: `w:p`. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  children: (XmlElement | string)[]
}

/** Deeper than any text. The parser searches all open elements at each closing tag. */
const maxDepth = 200

/** The usual prefix of each namespace, by the end of its address: the strict form of OOXML has other beginnings. */
const prefixes: [end: string, prefix: string][] = [
  ["/wordprocessingml/main", "w"],
  ["/wordprocessingml/2006/main", "w"],
  ["/officeDocument/2006/relationships", "r"],
  ["/officeDocument/relationships", "r"],
  ["/officeDocument/2006/math", "m"],
  ["/officeDocument/math", "m"],
  ["/markup-compatibility/2006", "mc"],
  ["/drawingml/2006/main", "a"],
  ["/drawingml/main", "a"],
  ["/wordprocessingDrawing", "wp"],
  [":office:1.0", "office"],
  [":text:1.0", "text"],
  [":table:1.0", "table"],
  [":style:1.0", "style"],
  [":drawing:1.0", "draw"],
  [":svg-compatible:1.0", "svg"],
  [":xsl-fo-compatible:1.0", "fo"],
  [":datastyle:1.0", "number"],
  ["/1999/xlink", "xlink"],
  ["/1998/Math/MathML", "math"],
]

/** The root of an XML file, of UTF-8 or UTF-16. Throws where elements are nested by hundreds. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const root: XmlElement = { name: "", attributes: {}, children: [] }
  const open = [root]
  const names = new Map<string, string>()
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > maxDepth) throw new Error(`more than ${maxDepth} elements deep`)
        noteNamespaces(attributes, names)
        const element = { name: canonicalName(name, names), attributes, children: [] }
        for (const own in attributes) {
          const usual = canonicalName(own, names)
          if (usual !== own && own.includes(":")) attributes[usual] ??= attributes[own] as string
        }
        open.at(-1)?.children.push(element)
        open.push(element)
      },
      ontext(text) {
        open.at(-1)?.children.push(text)
      },
      onclosetag() {
        open.pop()
      },
    },
    { xmlMode: true },
  )
  parser.end(decodeXml(bytes))
  return root
}

/** The prefixes that an element declares. One that a file declares twice keeps its last meaning. */
function noteNamespaces(attributes: Record<string, string>, names: Map<string, string>): void {
  for (const name in attributes) {
    if (!name.startsWith("xmlns")) continue
    const address = (attributes[name] as string).slice(0, 200)
    const usual = prefixes.find(([end]) => address.endsWith(end))?.[1]
    if (usual) names.set(name.slice("xmlns:".length), usual)
  }
}

function canonicalName(name: string, names: ReadonlyMap<string, string>): string {
  const colon = name.indexOf(":")
  const usual = names.get(colon === -1 ? "" : name.slice(0, colon))
  return usual === undefined ? name : `${usual}:${name.slice(colon + 1)}`
}

function decodeXml(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe ? "utf-16be" : "utf-8"
  return new TextDecoder(encoding).decode(bytes)
}

export function isElement(node: XmlElement | string): node is XmlElement {
  return typeof node !== "string"
}

/** The first child of this name; the path of several leads further down. */
export function child(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let at = element
  for (const name of path)
    at = at?.children.find((node): node is XmlElement => isElement(node) && node.name === name)
  return at
}

/** The elements of this name at any depth that stand in no other such element, in reading order. */
export function outermost(element: XmlElement, name: string): XmlElement[] {
  return element.children
    .filter(isElement)
    .flatMap((node) => (node.name === name ? [node] : outermost(node, name)))
}

/** All words of an element that it shows, those of its paragraphs apart. */
export function elementText(element: XmlElement | undefined): string {
  const texts = element?.children.map((node) =>
    isElement(node)
      ? unseen.has(node.name)
        ? ""
        : elementText(node) + (apart.has(node.name) ? " " : "")
      : node,
  )
  return texts?.join("") ?? ""
}

const unseen = new Set(["w:instrText", "w:delText"])
const apart = new Set(["w:p", "w:tab", "text:p", "text:h", "text:tab"])
