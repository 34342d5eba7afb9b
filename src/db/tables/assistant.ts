export interface AssistantTables {
  feed: Feed
  document: Document
  left_out_page: LeftOutPage
  indexing_run: IndexingRun
  asked_indexing: AskedIndexing
  unfinished_reading: UnfinishedReading
  unfinished_page: UnfinishedPage
  generation: Generation
  passage_vector: PassageVector
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

/**
 * One version of a page as read: the truth that the index is built from. A generation holds the versions with
 * `since` ≤ its number < `until`, so that a reading can be stored in many short transactions that nobody sees, and
 * come into force by the one row that makes its generation live.
 */
interface Document {
  id: string
  project_id: string
  feed_id: string
  /** What the feed calls it: a file, or the address that was listed. */
  page: string
  /** Path relative to the feed, without extension: `guide/install`. */
  path: string
  url: string
  title: string
  /** JSON: the page's sections in reading order (`Section[]` of assistant/documents/document.ts). */
  sections: string
  /** SHA-256 of url, title and sections: what did not change is not read into the index again. */
  hash: string
  read_at: number
  /** The first generation that holds this version. */
  since: number
  /** The first generation that no longer does; null: none yet. */
  until: number | null
}

/** A page of the last reading that is not documentation, or could not be read, with the reason. */
interface LeftOutPage {
  feed_id: string
  page: string
  /** `LeftOutReason` of assistant/documents/document.ts, or `failed`. */
  reason: string
  detail: string | null
}

/** What somebody asked of the index of a project and is not done yet. */
interface AskedIndexing {
  project_id: string
  /** JSON: the command of this program that does it, as its arguments. */
  command: string
}

/** A reading of a project that takes several turns, and the generation that is being built by it. */
interface UnfinishedReading {
  project_id: string
  generation: number
  begun_at: number
  /** When it last got further: what is old is not gone on with. */
  touched_at: number
}

/** A page of an unfinished reading that was read, or could not be: it is not asked for again. */
interface UnfinishedPage {
  feed_id: string
  page: string
  outcome: "changed" | "unchanged" | "failed" | "left_out"
  /** Of the document that was made of it. */
  path: string | null
  url: string | null
  /** Why there is none: as in `left_out_page`. */
  reason: string | null
  detail: string | null
}

/** The last indexing of a project, or the one going on, by whichever process. */
interface IndexingRun {
  project_id: string
  started_at: number
  /** When its process last said that it lives. */
  beat_at: number
  ended_at: number | null
  phase: "reading" | "building" | "embedding"
  done: number
  total: number | null
  /** JSON: what came of it (`RunOutcome` of assistant/indexing/indexing-run.ts). */
  outcome: string | null
}

/**
 * One index of a project. At most one per project is live; one that is neither live nor replaced is being
 * built.
 */
interface Generation {
  project_id: string
  number: number
  /** What it was built with: analyser and embedding model; another value means a rebuild. */
  recipe: string
  documents: number
  passages: number
  /** Hash of the files it was built as: other files are damaged ones. */
  seal: string
  /** When it was finished; until then, when it was begun. */
  built_at: number
  live: 0 | 1
  /** When another one took its place: its table goes a little later, when nobody reads it any more. */
  replaced_at: number | null
}

/**
 * The vector of a passage's text, paid for once: building the next generation sends only texts that are new.
 */
interface PassageVector {
  project_id: string
  /** Name of what made it. */
  model: string
  /** SHA-256 of the text. */
  hash: string
  /** The last generation that was built with it. */
  generation: number
  /** 32-bit floats, length 1. */
  vector: Uint8Array
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
