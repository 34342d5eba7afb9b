/** The text of the main part of a page, on one line, without its drawings. */
export const textOf = (html: string) =>
  html
    .slice(html.indexOf("<main"))
    .replace(/<svg.*?<\/svg>/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
