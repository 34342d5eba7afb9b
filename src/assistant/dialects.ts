/**
 * What generators add to Markdown, taken back to Markdown: containers, admonitions, tabs, imports of MDX, shortcodes.
 * Code is left as it stands.
 */
export function plainMarkdown(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split("\n")) {
    const ticks = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence) {
      if (ticks?.startsWith(fence) && line.trim() === ticks) fence = undefined
      lines.push(line)
    } else if (ticks) {
      fence = ticks
      lines.push(line)
    } else lines.push(...plainLine(line))
  }
  return lines.join("\n")
}

function plainLine(line: string): string[] {
  const container = /^(\s*):{3,}\s*(?:([\w-]+)\s*(?:\[(.*)\]|(.*?))(?:\{.*\})?\s*)?$/.exec(line)
  if (container) {
    const [, indent = "", , inBrackets, title] = container
    const said = (inBrackets ?? title ?? "").trim()
    return said ? ["", `${indent}**${said}**`, ""] : [""]
  }
  return [withoutMdxComments(line)]
}

/** A heading's `{/*id*​/}` is the same as `{#id}`; in a paragraph such a comment is nothing. */
function withoutMdxComments(line: string): string {
  if (!line.includes("{/*")) return line
  return line
    .replace(/^(\s*#{1,6}\s.*?)\{\/\*\s*#?([^\s*]+)\s*\*\/\}\s*$/, "$1{#$2}")
    .replace(/\{\/\*.*?\*\/\}/g, "")
}
