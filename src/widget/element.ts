type Child = Node | string

/** An element with its attributes and content. Strings become text, whatever they hold. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = withAttributes(document.createElement(name), attributes)
  made.append(...children)
  return made
}

/**
 * A drawing of 24 × 24 in the colour of the text around it, without a name: the words beside it say what it
 * means.
 */
export function icon(path: string): SVGElement {
  const line = drawn("path", { d: path })
  const svg = drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" })
  svg.append(line)
  return svg
}

function drawn(name: "svg" | "path", attributes: Record<string, string>): SVGElement {
  return withAttributes(document.createElementNS("http://www.w3.org/2000/svg", name), attributes)
}

function withAttributes<Made extends Element>(made: Made, attributes: Record<string, string>): Made {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

export const icons = {
  ask: "M4 5h16v11H10l-4 4v-4H4zM8 9h8m-8 3h5",
  close: "M6 6l12 12M18 6L6 18",
  send: "M12 19V5m-6 6 6-6 6 6",
}
