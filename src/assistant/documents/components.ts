/**
 * A component's tag at the start of a line: `<Tabs>`, `</Tabs>`, `<Card title="…" />`, over as many lines as
 * its attributes take.
 */
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
/** Nobody writes so many tags that never end: from then on they end on their own line, or are none. */
const maxEndless = 100

/** Finds the component's tag that begins on a line of `source`, if one does. One finder reads one page. */
export function componentFinder(source: string[]): (at: number) => ComponentTag | undefined {
  let endless = 0
  return (at) => {
    const start = /^\s*<(\/?)([A-Za-z][\w.:-]*)/.exec(source[at] as string)
    if (!start) return undefined
    const end = endOfTag(source, at, start[0].length, endless < maxEndless ? maxLines : 1)
    if (end === undefined) {
      endless++
      return undefined
    }
    const { attributes, lastLine, rest } = end
    return {
      name: start[2] as string,
      kind: start[1] ? "close" : attributes.endsWith("/") ? "alone" : "open",
      label: labelOf(attributes),
      lastLine,
      rest,
    }
  }
}

/** Attributes may hold braces, quotes and `>` (JSX), which no Markdown parser takes for a tag. */
function endOfTag(source: string[], first: number, from: number, lines: number) {
  const attributes: string[] = []
  let braces = 0
  let quote: string | undefined
  for (let line = first; line < Math.min(first + lines, source.length); line++) {
    const text = source[line] as string
    const start = line === first ? from : 0
    for (let at = start; at < text.length; at++) {
      const character = text[at] as string
      if (quote !== undefined) {
        if (character === quote) quote = undefined
      } else if (character === '"' || character === "'" || character === "`") quote = character
      else if (character === "{") braces++
      else if (character === "}") braces--
      else if (character === ">" && braces <= 0 && text[at - 1] !== "=") {
        attributes.push(text.slice(start, at))
        return { attributes: attributes.join("\n"), lastLine: line, rest: text.slice(at + 1) }
      }
    }
    attributes.push(text.slice(start))
  }
  return undefined
}

function labelOf(attributes: string): string | undefined {
  const label = /(?:^|\s)(?:label|title|header|summary)=(?:"([^"]*)"|'([^']*)')/.exec(attributes)
  return (label?.[1] ?? label?.[2])?.replaceAll("*", "").trim() || undefined
}
