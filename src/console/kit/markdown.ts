/**
 * Markdown from the documentation as HTML. The source is not trusted: raw HTML stays text, and links other
 * than http, https and fragments become `#`. The page's content security policy runs no script either.
 */
export function markdownHtml(markdown: string): string {
  return Bun.markdown
    .html(markdown, { tables: true, noHtmlBlocks: true, noHtmlSpans: true })
    .replace(/(href|src)="(?!https?:|#)[^"]*"/gi, '$1="#"')
}

/** An answer as HTML. `[^1]` becomes a link to the element with the id `source-<of>-1`. */
export function answerHtml(answer: string, of: string): string {
  return markdownHtml(answer.replace(/\[\^(\d+)\]/g, `[[$1]](#source-${of}-$1)`))
}
