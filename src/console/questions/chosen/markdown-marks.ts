export type Mark = "bold" | "list" | "link"

/** A text for a part of another, and the part that is selected afterwards. */
export interface Change {
  from: number
  to: number
  text: string
  selected: [from: number, to: number]
}

const bold = "**"
const usualAddress = "https://"

/** Marks the selected part of a Markdown text: bold or not, lines as a list, or words as a link. */
export function marked(value: string, from: number, to: number, mark: Mark): Change {
  const selected = value.slice(from, to)
  if (mark === "list") return asList(value, from, to)
  if (mark === "link") {
    const at = from + selected.length + 3
    const end = at + usualAddress.length
    // The address is what is typed next; without words, those are.
    const next: Change["selected"] = selected === "" ? [from + 1, from + 1] : [at, end]
    return { from, to, text: `[${selected}](${usualAddress})`, selected: next }
  }
  const isBold = value.slice(from - 2, from) === bold && value.slice(to, to + 2) === bold
  if (isBold)
    return { from: from - 2, to: to + 2, text: selected, selected: [from - 2, from - 2 + selected.length] }
  return { from, to, text: `${bold}${selected}${bold}`, selected: [from + 2, to + 2] }
}

/** The lines that are touched; lines of a list become lines again. */
function asList(value: string, from: number, to: number): Change {
  const start = value.lastIndexOf("\n", from - 1) + 1
  const next = value.indexOf("\n", to)
  const end = next === -1 ? value.length : next
  const lines = value.slice(start, end).split("\n")
  const isList = lines.every((line) => /^- /.test(line))
  const text = lines.map((line) => (isList ? line.slice(2) : `- ${line}`)).join("\n")
  // A list begins after an empty line.
  const isApart = start === 0 || value.slice(0, start).endsWith("\n\n")
  const before = isList || isApart ? "" : "\n"
  const whole = before + text
  return { from: start, to: end, text: whole, selected: [start + whole.length, start + whole.length] }
}
