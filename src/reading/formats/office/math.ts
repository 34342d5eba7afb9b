import { child, elementText, isElement, type XmlElement } from "./xml.ts"

/** A formula of Word in one line, as one would type it: `P = R/12`. */
export function formulaText(element: XmlElement | undefined): string {
  return element?.children.map((node) => (isElement(node) ? formulaPart(node) : "")).join("") ?? ""
}

function formulaPart(element: XmlElement): string {
  const part = (name: string) => formulaText(child(element, name))
  const raised = (text: string) => (text === "" ? "" : `^${grouped(text)}`)
  const lowered = (text: string) => (text === "" ? "" : `_${grouped(text)}`)
  switch (element.name) {
    case "m:r":
      return elementText({ ...element, children: element.children.filter(isText) })
    case "m:f":
      return `${grouped(part("m:num"))}/${grouped(part("m:den"))}`
    case "m:sSup":
      return grouped(part("m:e")) + raised(part("m:sup"))
    case "m:sSub":
      return grouped(part("m:e")) + lowered(part("m:sub"))
    case "m:sSubSup":
      return grouped(part("m:e")) + lowered(part("m:sub")) + raised(part("m:sup"))
    case "m:rad":
      return `√${grouped(part("m:e"))}`
    case "m:nary": {
      const sign = child(element, "m:naryPr", "m:chr")?.attributes["m:val"] ?? "∫"
      return `${sign}${lowered(part("m:sub"))}${raised(part("m:sup"))} ${part("m:e")}`
    }
    case "m:d": {
      const properties = child(element, "m:dPr")
      const side = (name: string, usual: string) => child(properties, name)?.attributes["m:val"] ?? usual
      const parts = element.children.filter(isElement).filter(({ name }) => name === "m:e")
      return side("m:begChr", "(") + parts.map(formulaText).join("; ") + side("m:endChr", ")")
    }
    case "m:mr":
      return `${element.children.filter(isElement).map(formulaText).join(", ")}; `
    default:
      return formulaText(element)
  }
}

function isText(node: XmlElement | string): boolean {
  return isElement(node) && node.name === "m:t"
}

/** The same of MathML. */
export function mathText(element: XmlElement | string): string {
  if (!isElement(element)) return element.replace(/\s+/g, " ")
  const parts = element.children.filter(isElement).map(mathText)
  const [first = "", second = "", third = ""] = parts
  switch (element.name) {
    case "math:annotation":
      return ""
    case "math:mfrac":
      return `${grouped(first)}/${grouped(second)}`
    case "math:msup":
      return `${grouped(first)}^${grouped(second)}`
    case "math:msub":
      return `${grouped(first)}_${grouped(second)}`
    case "math:msubsup":
      return `${grouped(first)}_${grouped(second)}^${grouped(third)}`
    case "math:msqrt":
      return `√${grouped(parts.join(""))}`
    default:
      return element.children.map(mathText).join("").trim()
  }
}

/** A part of a formula, in brackets where it is more than one number or name. */
function grouped(text: string): string {
  return /^[\p{L}\p{N},.]*$/u.test(text) ? text : `(${text})`
}
