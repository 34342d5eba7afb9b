export interface AssistantTables {
  feed: Feed
  document: Document
  left_out_page: LeftOutPage
  generation: Generation
  answer: Answer
}

/** Where documents are read from: a folder, a sitemap or an llms.txt. */
interface Feed {
  id: string
  project_id: string
  kind: "dir" | "sitemap" | "llms"
  /** Absolute folder, or the address of the sitemap or llms.txt. */
  address: string
  /** Folders only: the address under which the pages stand, and how file names become paths. */
  base_url: string | null
  url_style: "clean" | "html" | "slash" | null
  created_at: number
  last_read_at: number | null
}

/** One page as last read: the truth that the index is built from. */
interface Document {
  id: string
  project_id: string
  feed_id: string
  /** Path relative to the feed, without extension: `guide/install`. */
  path: string
  url: string
  title: string
  /** JSON: the page's sections in reading order (`Section[]` of assistant/document.ts). */
  sections: string
  /** SHA-256 of url, title and sections: what did not change is not read into the index again. */
  hash: string
  read_at: number
}

/** A page of the last reading that is not documentation, with the reason. */
interface LeftOutPage {
  feed_id: string
  page: string
  reason: string
}

/** One built index of a project; exactly one per project is live. */
interface Generation {
  project_id: string
  number: number
  /** What it was built with: analyser and embedding model; another value means a rebuild. */
  recipe: string
  documents: number
  passages: number
  built_at: number
  live: 0 | 1
}

/** What was asked and what we returned. Kept for a configured time, then purged. */
interface Answer {
  id: string
  project_id: string
  question: string
  page: string | null
  status: "answered" | "no_answer"
  answer: string
  /** JSON: the sources as returned (`Source[]`). */
  sources: string
  /** Index generation and cache key it was answered from; a cached reply copies both. */
  generation: number
  cache_key: string | null
  created_at: number
  useful: 0 | 1 | null
}
