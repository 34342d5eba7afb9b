import type { Passage } from "../../src/reading/formats/document.ts"

/** A passage with an address made from its document, for tests that read no feed. */
export function passage(document: string, title: string, markdown: string, headings: string[] = []): Passage {
  return {
    key: `${document}#${headings.join("/")}`,
    document,
    url: `https://docs.exemple.fr/${document}${headings.length > 0 ? `#${headings.at(-1)}` : ""}`,
    title,
    headings,
    markdown,
  }
}
