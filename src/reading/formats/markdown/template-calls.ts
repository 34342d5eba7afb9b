import { unread } from "./inline-markup.ts"

/** A call may run over this many lines and characters. */
const most = { lines: 60, characters: 5000 }

/** Parameters of calls that are shown as words of the page. */
const shownParameters =
  /(?<![\w-])["']?(?:titleText|title|titre|heading|headingText|label|summaryText|text|texte|content|caption|description|message|body|html)["']?\s?[:=]\s?(?:"([^"]{1,2000})"|'([^']{1,2000})'|`([^`$]{1,2000})`)/gi

/** After this many calls without an end on a page, a call has to end on its first line. */
const maxUnclosed = 50

/**
 * Reads the template's call that begins on a line and ends on it or further down, where it spans lines or holds braces:
 * `{{ component({ text: "…" }) }}` of Nunjucks becomes the words that it is given, `{% set x = {…} %}` a tag of one
 * line. Writes it to the line on which the call ends, with what stands around it, and returns the index of that line;
 * undefined where no such call begins. A reader reads one page.
 */
export function callReader(source: string[]): (at: number) => number | undefined {
  let unclosed = 0
  return (at) => {
    const line = source[at] as string
    const start = beginning(line)
    if (start === undefined) return undefined
    const lines = unclosed < maxUnclosed ? source.slice(at, at + most.lines) : [line]
    const text = lines.join("\n").slice(start, start + most.characters)
    const end = endOf(text, line[start + 1] as string)
    if (end === undefined) {
      unclosed++
      return undefined
    }
    const call = text.slice(0, end)
    const last = at + call.split("\n").length - 1
    if (last === at && !/^-?\s*[\w.]+\(|\{/.test(call.slice(2, -2))) return undefined
    const before = line.slice(0, start)
    const after = text.slice(end).split("\n", 1)[0] as string
    source[last] = before + said(call, before.trim() === "" && after.trim() === "") + after
    return last
  }
}

/** Where the first `{{` or `{%` outside code begins. */
function beginning(line: string): number | undefined {
  const at = line.search(/\{[{%]/)
  if (at < 0 || line.slice(0, at).includes("`") || /^(?: {4}|\t)/.test(line)) return undefined
  return at
}

/** The offset behind the end of a call; quotes and braces within it end nothing. */
function endOf(text: string, mark: string): number | undefined {
  let open = 0
  let quote: string | undefined
  for (let at = 2; at < text.length; at++) {
    const character = text[at] as string
    if (quote !== undefined) {
      if (character === quote) quote = undefined
    } else if ((character === '"' || character === "'") && !/\p{L}/u.test(text[at - 1] as string))
      quote = character
    else if (mark === "%" ? text.startsWith("%}", at) : open === 0 && text.startsWith("}}", at)) return at + 2
    else if (character === "{") open++
    else if (character === "}") open--
  }
  return undefined
}

/** Text that is left of a call in the text. */
function said(call: string, isAlone: boolean): string {
  if (call.startsWith("{%")) return `{% ${/[\w-]+/.exec(call)?.[0] ?? ""} %}`
  if (/^\{\{[<%]/.test(call)) return call.replace(/\s+/g, (blank) => (blank.includes("\n") ? " " : blank))
  const words = [...call.matchAll(shownParameters)].map(([, double, single, other]) =>
    (double ?? single ?? other ?? "")
      .replace(/<[^<>]*>|[{}]/g, "")
      .replace(/\s+/g, " ")
      .trim(),
  )
  if (words.length > 0) return words.join(isAlone ? ". " : " ")
  return isAlone ? "" : unread
}
