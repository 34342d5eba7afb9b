import { replaceOutsideCode } from "./code-spans.ts"
import { keyNames, maxSentenceCharacters, namedParameter } from "./inline-markup.ts"

/**
 * A component's tag at the start of a line: `<Tabs>`, `</Tabs>`, `<Card title="…" />`. Its attributes may run
 * over several lines.
 */
export interface ComponentTag {
  name: string
  kind: "open" | "close" | "self-closing"
  /** The text shown above its content: a tab's label, a card's title. */
  label: string | undefined
  /** The sentence that it shows below its label. */
  text: string | undefined
  /** The items of its lists, each as lines of Markdown. */
  items: string[]
  lastLine: number
  /** The text after the tag on its last line. */
  rest: string
}

/**
 * The end of a tag is searched for over this many lines, so that an unclosed tag does not cost a whole page.
 */
const maxLines = 60
/** After this many unclosed tags on a page, a tag has to end on its first line. */
const maxUnclosed = 100

/**
 * Finds the component's tag that begins on a given line of `source`, if one does. A finder reads one page.
 */
export function componentFinder(source: string[]): (at: number) => ComponentTag | undefined {
  let unclosed = 0
  return (at) => {
    const start = /^\s*<(\/?)([A-Za-z][\w.:-]*)/.exec(source[at] as string)
    if (!start) return undefined
    const end = endOfTag(source, at, start[0].length, unclosed < maxUnclosed ? maxLines : 1)
    if (end === undefined) {
      unclosed++
      return undefined
    }
    const { lastLine, rest } = end
    const attributes = plainProps(end.attributes)
    const name = start[2] as string
    return {
      name,
      kind: start[1] ? "close" : end.attributes.endsWith("/") ? "self-closing" : "open",
      label: namedParameter(attributes, labels)?.replaceAll("*", "").trim() || undefined,
      text: namedParameter(attributes, texts),
      // The names of tabs stand at the tabs themselves.
      items: /tabs?$/i.test(name) ? [] : listedItems(attributes),
      lastLine,
      rest,
    }
  }
}

const labels = ["label", "title", "header", "summary", "heading", "headline", "question"]
const texts = ["description", "text", "content", "answer", "body", "subtitle", "details", "message", "desc"]

/** Props with fragments and template literals as texts: `title={<>Le <b>prix</b></>}` → `title="Le prix"`. */
function plainProps(attributes: string): string {
  if (!attributes.includes("{")) return attributes
  return attributes
    .replace(/(?<==)\{\s*(<[^{}]*>)\s*\}/g, (_, jsx: string) => quoted(jsx.replace(/<[^<>]*>/g, "")))
    .replace(/`([^`$]{0,2000})`/g, (_, text: string) => quoted(text))
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', "”").replace(/\s+/g, " ").trim()}"`
}

/** Items of one component that are read. */
const maxItems = 100

/** Texts in arrays of texts and of objects in the props: `items={["Un"]}`, `items={[{ title: "Un", text: "…" }]}`. */
function listedItems(attributes: string): string[] {
  const items: string[] = []
  for (const [, array = ""] of attributes.matchAll(/[\w-]=\{\s*\[([^[\]]*)\]\s*\}/g)) {
    const objects = array.match(/\{[^{}]*\}/g)
    for (const object of objects ?? []) {
      const fields = object.replace(/(?<=[\w"'])["']?\s*:\s*(?=["'])/g, "=").replace(/["']([\w-]+)=/g, "$1=")
      const [label, text] = [namedParameter(fields, labels), namedParameter(fields, texts)]
      const said = label && text ? `**${label.replaceAll("*", "")}**\n\n  ${text}` : (label ?? text)
      if (said) items.push(said)
    }
    if (!objects)
      for (const [, double, single] of array.matchAll(/"([^"]*)"|'([^']*)'/g))
        items.push(double ?? single ?? "")
  }
  return items.filter((item) => /\p{L}/u.test(item)).slice(0, maxItems)
}

/** The line with the components around some words of its sentence as these words; alone on a line they are blocks. */
export function withInlineComponents(line: string): string {
  if (/^\s*<\/?>\s*$/.test(line)) return ""
  if (!line.includes("</") || line.length > maxSentenceCharacters) return line
  if (line.includes("</>") && !/\{\s*<>/.test(line)) return replaceOutsideCode(line, /`+|<\/?>/g, () => "")
  const others = line.replace(aroundWords, "").replace(/<[^<>]*>/g, "")
  if (!/\p{L}/u.test(others)) return line
  return replaceOutsideCode(line, aroundWords, (_, [, name = "", words = ""]) =>
    keyNames.test(name) ? `<kbd>${words}</kbd>` : words,
  )
}

const aroundWords = /`+|<([A-Z][\w.]*)(?:\s[^<>]*)?>([^<>]+)<\/[A-Z][\w.]*>/g

/** Attributes of JSX may hold braces, quotes and `>`; no Markdown parser reads that as a tag. */
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
