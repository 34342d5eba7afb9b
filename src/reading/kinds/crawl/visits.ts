import type { Document } from "../../formats/document.ts"

/** How far links are followed. */
export interface CrawlSettings {
  /** Links from the first page on. */
  depth: number
  pages: number
  /** Those of query strings that tell one page from another; all others are dropped. */
  parameters: string[]
}

export const usualCrawl: CrawlSettings = { depth: 10, pages: 2000, parameters: [] }

/** The highest values of the settings; then what one page may lead to. */
export const crawlLimits = {
  depth: 20,
  pages: 20_000,
  parameters: 10,
  links: 500,
  linkCharacters: 30_000,
  validatorCharacters: 300,
}

/** As a page told when it was read. */
export interface Visit {
  etag: string | null
  lastModified: string | null
  /** The addresses that it leads to. */
  links: readonly string[]
}

/** Memory of the pages of a feed, from earlier readings. */
export interface Visits {
  /** `url`: address of its document, if that is still as it was made then; the page may be asked whether it changed. */
  of(page: string): Promise<(Visit & { url: string | undefined }) | undefined>
  /** The document of a page that did not change, or that this reading has read before: other pages may repeat it. */
  documentOf(page: string): Promise<KnownDocument | undefined>
  /** Pages that changed lately: they are read before others. */
  lately: ReadonlySet<string>
  /** Pages that repeated others at the last reading: they are read after these, which so stay the ones read. */
  repeating: ReadonlySet<string>
}

export type KnownDocument = Pick<Document, "title" | "url" | "sections">

export const noVisits: Visits = {
  of: async () => undefined,
  documentOf: async () => undefined,
  lately: new Set(),
  repeating: new Set(),
}

/** The headers by which a site is asked for a page only if it has changed. */
export function changeConditions({ etag, lastModified }: Visit): Record<string, string> {
  return {
    ...(etag !== null && { "if-none-match": etag }),
    ...(lastModified !== null && { "if-modified-since": lastModified }),
  }
}

export function newVisit(headers: Headers, links: readonly string[]): Visit {
  return {
    etag: bounded(headers.get("etag")),
    lastModified: bounded(headers.get("last-modified")),
    links,
  }
}

function bounded(value: string | null): string | null {
  return value !== null && value.length <= crawlLimits.validatorCharacters ? value : null
}
