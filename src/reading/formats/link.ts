import { maxUrlLength, parsedUrl } from "../../base/text.ts"

/**
 * Links in the Markdown of documents: `[text](https://…)`. Readers write them as `markdownLink` does, and escape
 * any other text that looks like one, so that they can be told apart from it.
 */

/** Longest text of a link: longer ones are paragraphs. */
const maxTextCharacters = 500

/** A link of a passage; neither its text nor its address holds a bracket, and the address holds no blank. */
const link = /\[([^[\]\n]{1,500})(?<!\\)\]\(https:\/\/[^()\s]{1,2048}\)/g

/** The text with its links replaced by their own text: what was indexed, measured and read before they were kept. */
export function withoutLinks(markdown: string): string {
  return markdown.includes("](https://") ? markdown.replace(link, "$1") : markdown
}

const minLinksOfList = 3

/** Whether a text only leads elsewhere, as a list of pages, posts or tags does: most of it stands in links. */
export function isListOfLinks(markdown: string): boolean {
  const own = markdown.replace(link, "").replace(marks, "").length
  const all = withoutLinks(markdown).replace(marks, "").length
  return (markdown.match(link)?.length ?? 0) >= minLinksOfList && all > 3 * own
}

const marks = /[^\p{L}\p{N}]+/gu

/** The Markdown of a link; the text alone when it says nothing or could not stand in brackets. */
export function markdownLink(text: string, target: string): string {
  const words = text.trim()
  const isPlain = words.length <= maxTextCharacters && !/[[\]\n]|^\^|\\$/.test(words)
  if (!isPlain || !/[\p{L}\p{N}]/u.test(words)) return text
  const at = text.length - text.trimStart().length
  return `${text.slice(0, at)}[${words}](${target})${text.slice(at + words.length)}`
}

/**
 * The absolute https address of a link on a page; undefined for any other scheme, for an address with a user
 * name, and for a longer one than `maxUrlLength`.
 */
export function linkTarget(href: string, pageUrl: string): string | undefined {
  if (href.length > maxUrlLength || template.test(href)) return undefined
  const plain = href.replace(/[\t\r\n]/g, "").trim()
  if (plain === "") return undefined
  const isRelative = !/^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(plain)
  const url = isRelative
    ? URL.parse(plain, pageUrl)
    : parsedUrl(/^[/\\]/.test(plain) ? `https:${plain}` : plain)
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return undefined
  const target = url.href.replace(markdownCharacters, encoded)
  return target.length <= maxUrlLength ? target : undefined
}

/** Marks of a template that a generator had to fill in: the address is not known. */
const template = /\{\{|\{%|<%|\$\{|\ufffc|%EF%BF%BC|%7B%7B/i

/** Characters of an address that Markdown, or a marker of a source, could take for its own. */
const markdownCharacters = /[()[\]*|<>"'`\\^{}]/g

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
