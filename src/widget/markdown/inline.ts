import { element } from "../element.ts"

/** Undefined for a number without source; then the marker `[^n]` stays text. */
export type Cite = (n: number) => Node | undefined

interface Open {
  mark: string
  node: HTMLElement
}

const special = /[\\`*_[!]/g
const tags: Record<string, "strong" | "em"> = { "**": "strong", __: "strong", "*": "em", _: "em" }

/**
 * Appends the nodes of inline Markdown: emphasis, code, text, markers of sources, https links. Any other link
 * and an image keep their words and lose their address; HTML stays text. Scans any input once from left to right.
 */
export function appendInline(parent: HTMLElement, text: string, cite: Cite): void {
  const open: Open[] = []
  const closing = closingTicks(text)
  let at = 0

  while (at < text.length) {
    special.lastIndex = at
    const next = special.exec(text)?.index ?? text.length
    if (next > at) inside().append(text.slice(at, next))
    at = next < text.length ? next + consume(next) : next
  }
  while (open.length > 0) unwrapLast()

  function inside(): HTMLElement {
    return open.at(-1)?.node ?? parent
  }

  /** Handles the special character at `here`. Returns how many characters of the text it consumed. */
  function consume(here: number): number {
    const character = text[here] as string
    if (character === "\\") return escaped(here)
    if (character === "`") return code(here)
    if (character === "[" || character === "!") return bracket(here)
    const mark = text[here + 1] === character ? character + character : character
    if (!tags[mark]) return literal(mark)
    return emphasis(here, mark)
  }

  function literal(words: string): number {
    inside().append(words)
    return words.length
  }

  function escaped(here: number): number {
    const after = text[here + 1] as string
    if (!/[!-/:-@[-`{-~]/.test(after)) return literal("\\")
    literal(after)
    return 2
  }

  function code(here: number): number {
    const { length } = runOfTicks(text, here)
    const end = closing(here + length, length)
    if (end === undefined) return literal("`".repeat(length))
    const words = text.slice(here + length, end).replace(/\n/g, " ")
    inside().append(element("code", {}, words.replace(/^ (.+) $/, "$1")))
    return end + length - here
  }

  function bracket(here: number): number {
    const [marker, n] = match(/\[\^(\d{1,3})\]/y, here)
    const link = n && cite(Number(n))
    if (link) {
      inside().append(link)
      return (marker as string).length
    }
    const [whole, words, address] = match(
      /!?\[([^[\]\n]{0,500})\]\(([^()\s]{0,2048})(?: "[^"\n]{0,500}")?\)/y,
      here,
    )
    if (whole === undefined) return literal(text[here] as string)
    appendInline(linkTo(whole.startsWith("!") ? "" : (address as string)), words as string, () => undefined)
    return whole.length
  }

  /** The node that takes the words of a link. In a new tab, the conversation stays where it is. */
  function linkTo(address: string): HTMLElement {
    if (!/^https:\/\//i.test(address)) return inside()
    const link = element("a", { href: address, rel: "noopener", target: "_blank" })
    inside().append(link)
    return link
  }

  function emphasis(here: number, mark: string): number {
    const before = text[here - 1] ?? " "
    const after = text[here + mark.length] ?? " "
    const inWord = mark.startsWith("_") && isWord(before) && isWord(after)
    const opened = open.findLastIndex((one) => one.mark === mark)
    if (opened !== -1 && !/\s/.test(before) && !inWord) {
      while (open.length - 1 > opened) unwrapLast()
      open.pop()
    } else if (opened === -1 && !/\s/.test(after) && !inWord) {
      const node = element(tags[mark] as "em")
      inside().append(node)
      open.push({ mark, node })
    } else literal(mark)
    return mark.length
  }

  /** Turns a mark that was opened and never closed back into text. */
  function unwrapLast(): void {
    const { mark, node } = open.pop() as Open
    node.replaceWith(mark, ...node.childNodes)
  }

  function match(pattern: RegExp, here: number): string[] {
    pattern.lastIndex = here
    return pattern.exec(text) ?? []
  }
}

function isWord(character: string): boolean {
  return /[\p{L}\p{N}_]/u.test(character)
}

function runOfTicks(text: string, from: number): string {
  let end = from
  while (text[end] === "`") end++
  return text.slice(from, end)
}

/**
 * Returns a function that finds the next run of exactly `length` backticks at or after `from`. A length that
 * was looked for in vain is not looked for again, so the text is gone through once for each such length.
 */
function closingTicks(text: string): (from: number, length: number) => number | undefined {
  const missing = new Set<number>()
  return (from, length) => {
    for (let at = from; !missing.has(length); ) {
      at = text.indexOf("`", at)
      if (at < 0) missing.add(length)
      else {
        const run = runOfTicks(text, at).length
        if (run === length) return at
        at += run
      }
    }
    return undefined
  }
}
