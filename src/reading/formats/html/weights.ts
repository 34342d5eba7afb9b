import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { type ElementTest, isHeading } from "./dom.ts"

/** How much text an element holds, by which menus and boxes are told from text. */
export interface Weight {
  /** Characters outside links and buttons, without blanks. */
  prose: number
  /** Characters of links that lead to another page. */
  linked: number
  links: number
  /** Links to other places of this page. */
  fragments: number
  /** Fields and buttons. */
  controls: number
  headings: number
}

export interface Weights {
  of(element: Element): Weight
  total: Weight
}

const controlTags = new Set(["button", "input", "select", "textarea", "iframe"])
const silentTags = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "math",
  "head",
  "option",
  "title",
])

/** `isLeftOut`: elements that weigh nothing for those around them. */
export function weighElements(nodes: ChildNode[], isLeftOut: ElementTest): Weights {
  const measured = new Map<Element, Weight>()
  const visit = (children: ChildNode[], place: "text" | "link" | "control"): Weight => {
    const sum = { prose: 0, linked: 0, links: 0, fragments: 0, controls: 0, headings: 0 }
    for (const node of children) {
      if (isText(node)) {
        const characters = place === "control" ? 0 : node.data.replace(/\s+/g, "").length
        if (place === "text") sum.prose += characters
        else sum.linked += characters
        continue
      }
      if (!isTag(node) || silentTags.has(node.name)) continue
      const isLink = place === "text" && leadsElsewhere(node)
      const isControl = controlTags.has(node.name)
      const inside = visit(node.children, isControl ? "control" : isLink ? "link" : place)
      if (isLink) inside.links++
      if (isLink && node.attribs["href"]?.startsWith("#")) inside.fragments++
      if (isControl) inside.controls++
      if (isHeading(node)) inside.headings++
      measured.set(node, inside)
      if (!isLeftOut(node)) for (const key of keys) sum[key] += inside[key]
      else if (isControl) sum.controls++
    }
    return sum
  }
  const total = visit(nodes, "text")
  const none = { prose: 0, linked: 0, links: 0, fragments: 0, controls: 0, headings: 0 }
  return { of: (element) => measured.get(element) ?? none, total }
}

const keys = ["prose", "linked", "links", "fragments", "controls", "headings"] as const

export function isMostlyLinks({ prose, linked, links }: Weight): boolean {
  return links > 0 && linked > prose
}

/** A link to another page, or to another place of this one; not an address to write to, a telephone or a file. */
function leadsElsewhere({ name, attribs }: Element): boolean {
  const href = attribs["href"]
  return name === "a" && href !== undefined && !/^\s*(?:mailto|tel|sms):/i.test(href) && !isFile(href)
}

function isFile(href: string): boolean {
  return /\.(?:pdf|docx?|odt|xlsx?|ods|csv|zip|pptx?|odp)$/i.test(href.slice(-300).replace(/[?#][^?#]*$/, ""))
}
