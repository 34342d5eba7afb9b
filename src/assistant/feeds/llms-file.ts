import { Marked, type Token, type Tokens } from "marked"

const marked = new Marked({ gfm: true })

/** Addresses that the lists of an `llms.txt` (llmstxt.org) link to, as written; none in a text that is documentation itself. */
export function linksOf(text: string): string[] {
  const links = new Set<string>()
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === "list_item")
      for (const address of linksWithin((token as Tokens.ListItem).tokens)) links.add(address)
  })
  return [...links]
}

/** One page of a text that holds several. */
export interface TextPart {
  text: string
  /** Where the page itself stands, when the text says so. */
  url: string | undefined
}

/**
 * Cuts a full text (`llms-full.txt`) at the pages it was put together from, where it names their addresses as generators do:
 * `Source: <address>` under a heading. A text that does not is one part.
 */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [{ text: "", url: undefined }]
  const tokens = marked.lexer(text).filter(({ type }) => type !== "space")
  for (const [index, token] of tokens.entries()) {
    const url = token.type === "heading" ? sourceIn(tokens[index + 1]) : undefined
    if (url) parts.push({ text: "", url })
    const part = parts.at(-1) as TextPart
    const isSource = part.url !== undefined && sourceIn(token) === part.url
    part.text += `${isSource ? token.raw.replace(sourceLine, "") : token.raw}\n\n`
  }
  return parts.filter((part) => part.text.trim() !== "")
}

const sourceLine = /^(?:source|url)\s*:\s*<?(https?:\/\/[^\s>]+)>?[ \t]*(?:\n|$)/i

function sourceIn(token: Token | undefined): string | undefined {
  return token?.type === "paragraph" ? sourceLine.exec(token.raw)?.[1] : undefined
}

/** Of a list item itself: what further lists below it link to is found with their own items. */
function linksWithin(tokens: Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === "link") return [(token as Tokens.Link).href]
    if (token.type === "list" || !("tokens" in token)) return []
    return linksWithin(token.tokens ?? [])
  })
}
