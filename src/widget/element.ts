import { ownDocument } from "./own.ts"

type Child = Node | string

/** An element with its attributes and content. Strings become text nodes, whatever they hold. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const created = withAttributes(ownDocument.createElement(name), attributes)
  created.append(...children)
  return created
}

/** In the colour of the text around it. Hidden from screen readers: the words beside it say the same. */
export function icon(path: string): SVGElement {
  const svg = svgElement("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" })
  svg.append(svgElement("path", { d: path }))
  return svg
}

function svgElement(name: "svg" | "path", attributes: Record<string, string>): SVGElement {
  return withAttributes(ownDocument.createElementNS("http://www.w3.org/2000/svg", name), attributes)
}

function withAttributes<Created extends Element>(created: Created, attributes: Record<string, string>) {
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value)
  return created
}

export const icons = {
  ask: "M4 5h16v11H10l-4 4v-4H4zM8 9h8m-8 3h5",
  close: "M6 6l12 12M18 6L6 18",
  renew: "M4 20v-4L16 4l4 4L8 20z",
  send: "M12 19V5m-6 6 6-6 6 6",
}
