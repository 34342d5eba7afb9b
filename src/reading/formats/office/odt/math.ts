import { grouped } from "../grouped.ts"
import { isElement, type XmlElement } from "../xml.ts"

/** A formula of MathML in one line, as one would type it: `P = R/12`. */
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
