/**
 * Markdown of a documentation as HTML. It was written by others: raw HTML stays text, and links that are no
 * web address lead nowhere (the page's policy runs no script either).
 */
export function markdownHtml(markdown: string): string {
  return Bun.markdown
    .html(markdown, { tables: true, noHtmlBlocks: true, noHtmlSpans: true })
    .replace(/(href|src)="(?!https?:|#)[^"]*"/gi, '$1="#"')
}

/** An answer: `[^1]` becomes a link to its source in the list below it, which has the id `source-<of>-1`. */
export function answerHtml(answer: string, of: string): string {
  return markdownHtml(answer.replace(/\[\^(\d+)\]/g, `[[$1]](#source-${of}-$1)`))
}
