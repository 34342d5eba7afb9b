/**
 * Markdown from the documentation as HTML. The source is not trusted: raw HTML stays text, an image is its
 * description, and links other than https and fragments lead nowhere. The page's content security policy runs
 * no script either.
 */
export function markdownHtml(markdown: string): string {
  return Bun.markdown
    .html(markdown, { tables: true, noHtmlBlocks: true, noHtmlSpans: true })
    .replace(/<img (?:src="[^"]*" )?(?:alt="([^"]*)" )?[^<>]*>/g, "$1")
    .replace(/<a href="([^"]*)"/g, safeLink)
}

function safeLink(link: string, address: string): string {
  if (address.startsWith("#")) return link
  return address.startsWith("https://") ? `${link} rel="noopener noreferrer" target="_blank"` : '<a href="#"'
}

/** An answer as HTML. `[^1]` becomes a link to the element with the id `source-<of>-1`. */
export function answerHtml(answer: string, of: string): string {
  return markdownHtml(answer.replace(/\[\^(\d+)\]/g, `[[$1]](#source-${of}-$1)`))
}

/** The text of Markdown, without its marks, languages of code and pictures. */
export function markdownText(markdown: string): string {
  const block = (text: string) => `${text} `
  const blocks = ["heading", "paragraph", "code", "listItem", "blockquote", "th", "td"]
  const kept = Object.fromEntries(blocks.map((name) => [name, block]))
  return Bun.markdown.render(markdown, { ...kept, image: () => "" }, { tables: true })
}
