/** A component's tag at the start of a line: `<Tabs>`, `</Tabs>`, `<Card title="…" />`, over as many lines as its attributes take. */
export interface ComponentTag {
  name: string
  kind: "open" | "close" | "alone"
  /** What it shows above what it holds: a tab's label, a card's title. */
  label: string | undefined
  lastLine: number
  /** What follows it on its last line. */
  rest: string
}

/** No tag takes more lines; without an end, each would be looked for to the end of the page. */
const maxLines = 60

/** Attributes may hold braces, quotes and `>` (JSX), which no Markdown parser takes for a tag. */
export function scanComponent(source: string[], at: number): ComponentTag | undefined {
  const text = source.slice(at, at + maxLines).join("\n")
  const start = /^\s*<(\/?)([A-Za-z][\w.:-]*)/.exec(text)
  if (!start) return undefined
  const end = endOfTag(text, start[0].length)
  if (end === undefined) return undefined
  const attributes = text.slice(start[0].length, end)
  const lines = text.slice(0, end).split("\n").length
  return {
    name: start[2] as string,
    kind: start[1] ? "close" : attributes.endsWith("/") ? "alone" : "open",
    label: labelOf(attributes),
    lastLine: at + lines - 1,
    rest: text.slice(end + 1).split("\n")[0] as string,
  }
}

function endOfTag(text: string, from: number): number | undefined {
  let braces = 0
  let quote: string | undefined
  for (let at = from; at < text.length; at++) {
    const character = text[at] as string
    if (quote !== undefined) {
      if (character === quote) quote = undefined
    } else if (character === '"' || character === "'" || character === "`") quote = character
    else if (character === "{") braces++
    else if (character === "}") braces--
    else if (character === ">" && braces <= 0 && text[at - 1] !== "=") return at
  }
  return undefined
}

function labelOf(attributes: string): string | undefined {
  const label = /(?:^|\s)(?:label|title|header|summary)=(?:"([^"]*)"|'([^']*)')/.exec(attributes)
  return (label?.[1] ?? label?.[2])?.replaceAll("*", "").trim() || undefined
}
