export interface AssistantTables {
  feed: Feed
  document: Document
  left_out_page: LeftOutPage
  indexing_run: IndexingRun
  asked_indexing: AskedIndexing
  unfinished_reading: UnfinishedReading
  unfinished_page: UnfinishedPage
  generation: Generation
  archive: Archive
  archive_part: ArchivePart
  passage_vector: PassageVector
  answer: Answer
  synonym_group: SynonymGroup
  chosen_answer: ChosenAnswer
  chosen_question: ChosenQuestion
  gap_mail: GapMail
  evaluation_question: EvaluationQuestion
  evaluation_run: EvaluationRun
}

/** Place that documents are read from: a folder, a sitemap or an llms.txt. */
interface Feed {
  id: string
  project_id: string
  kind: "dir" | "sitemap" | "llms"
  /** Absolute folder, or the address of the sitemap or llms.txt. */
  address: string
  /** Folders only: the address under which the pages stand, and how file names become paths. */
  base_url: string | null
  url_style: "auto" | "clean" | "html" | "slash" | null
  /** Folders only: the site generator that is set, and the one whose rules the last reading followed. */
  generator: GeneratorName | null
  generator_found: GeneratorName | null
  /** JSON `{"include": [], "exclude": []}`: the pages that are wanted; null when all are. */
  patterns: string | null
  /** JSON: text that its HTML pages have in common (`Repeated` of assistant/documents/repeated.ts). */
  repeated: string | null
  created_at: number
  last_read_at: number | null
}

type GeneratorName =
  | "gitbook"
  | "grav"
  | "docusaurus"
  | "vitepress"
  | "mkdocs"
  | "jekyll"
  | "hugo"
  | "eleventy"
  | "starlight"
  | "mdbook"
  | "sphinx"
  | "nuxt"

/**
 * One version of a page, from which the index is built. A generation holds the versions with `since` ≤ its
 * number < `until`. A reading can thus be stored in many short transactions that nobody sees, until one row
 * makes its generation live.
 */
interface Document {
  id: string
  project_id: string
  feed_id: string
  /** Name in the feed: a file, or the listed address. */
  page: string
  /** Path relative to the feed, without extension: `guide/install`. */
  path: string
  url: string
  title: string
  /** JSON: the page's sections in reading order (`Section[]` of assistant/documents/document.ts). */
  sections: string
  /** JSON: `HtmlNotes` of assistant/documents/document.ts; null for a page that was no HTML. */
  html: string | null
  /** SHA-256 of url, title and sections. An unchanged document keeps its version. */
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
  /** Words of another program, or a sentence that a version before the codes stored. */
  detail: string | null
  /** The particulars as a `Detail` of base/errors.ts: its code, and its params as JSON. */
  detail_code: string | null
  detail_params: string | null
}

/** A requested indexing of a project that is not done yet. */
interface AskedIndexing {
  project_id: string
  /** JSON: `IndexingRequest` of assistant/indexing/child-runs.ts. */
  request: string
  /** The node that carries it out. Once that node is gone, another one does. */
  node_id: string | null
}

/** A reading of a project that takes several turns, and the generation that it builds. */
interface UnfinishedReading {
  project_id: string
  generation: number
  begun_at: number
  /** Time of its last progress. A reading without progress for long is not resumed. */
  touched_at: number
}

/** A page of an unfinished reading that has been tried, so that it is not fetched again. */
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
  detail_code: string | null
  detail_params: string | null
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
  /** JSON: result of the run (`RunOutcome` of assistant/indexing/indexing-run.ts). */
  outcome: string | null
}

/** One index of a project. At most one is live; one that is neither live nor replaced is being built. */
interface Generation {
  project_id: string
  number: number
  /** Index format: analyser and embedding model it was built with. Another value means a rebuild. */
  recipe: string
  documents: number
  passages: number
  /** Checksum of its files. Files with another checksum are damaged. Empty until it is built. */
  seal: string
  /** Time of completion; until then `Building.since`, about the time of its start. */
  built_at: number
  live: 0 | 1
  /**
   * Time when another one replaced it, or when it was abandoned. Its files are deleted a little later, when nobody
   * reads them any more.
   */
  replaced_at: number | null
  /** Key of its archive. null: other nodes cannot fetch it, or none has to. */
  archive: string | null
}

/**
 * An archive that stands in the store, or may: the row is written before the first byte, and deleted after the
 * last one is removed. It outlives the project.
 */
interface Archive {
  key: string
  project_id: string
  /** The generation that is packed in it. */
  number: number
  bytes: number
  /** Size of its files on the disk. */
  index_bytes: number
  begun_at: number
}

/** One piece of an archive, where the database is the store. */
interface ArchivePart {
  key: string
  /** From 0 on. */
  number: number
  bytes: Uint8Array
}

/** Cached vector of a passage's text: the next generation embeds only new texts. */
interface PassageVector {
  project_id: string
  /** Name of the embedding model. */
  model: string
  /** SHA-256 of the text. */
  hash: string
  /** The last generation that used it. */
  generation: number
  /** 32-bit floats, length 1. */
  vector: Uint8Array
  /** Packed vectors of the passage's units; empty when the model gives none. */
  pieces: Uint8Array
}

/** A question and the reply. Kept for a configured time, then purged. */
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
  /** Why it did not help, as the visitor said; null unless `useful` is 0. */
  reason: "wrong" | "incomplete" | "outdated" | "other" | null
  /** JSON: pages that may help (`RelatedPage[]` of assistant/ask/related.ts); null when there is none. */
  related: string | null
  /**
   * Why it counts as no visitor's question, in statistics, gaps and lists of what is asked most: only a greeting or
   * thanks, which no documentation has to answer, or a trial by `guichet ask`. null: it counts.
   */
  courtesy: "greeting" | "thanks" | "trial" | null
  /** Id of the answer that began the conversation; null for one that follows no other. */
  conversation: string | null
  /** The question as it is searched (`foldedQuestion`); null as long as an older row has none. */
  folded: string | null
  /** The owner's mark on a question without an answer. */
  gap: "treated" | "off_topic" | null
  /** The owner's answer that was given. It may have been removed since. */
  chosen_id: string | null
}

/** Words that an owner declares to mean the same in the questions of a project. Never changed, only removed. */
interface SynonymGroup {
  id: string
  project_id: string
  /** JSON: the words as typed (`string[]`). */
  words: string
  created_at: number
}

/** An answer that the owner wrote. */
interface ChosenAnswer {
  id: string
  project_id: string
  /** Markdown with a marker `[^n]` for the n-th of the sources. */
  answer: string
  /** JSON: addresses of its sources (`string[]`). Titles and sections come from the live index. */
  sources: string
  created_at: number
  /** Grows with each change. */
  changed_at: number
  /** The generation in which its sources were last looked for. */
  checked_generation: number | null
  /** Number of its sources that were not there. */
  missing: number
  /** Since when none of its sources is in the index; null while it is given. */
  set_aside_at: number | null
}

/** A phrasing of the question that a chosen answer is for. */
interface ChosenQuestion {
  chosen_id: string
  place: number
  question: string
  /** Name of the model of the vector; null without one. */
  model: string | null
  /** 32-bit floats, length 1. */
  vector: Uint8Array | null
}

/** An operator who is mailed about a project's questions. */
interface GapMail {
  project_id: string
  operator_id: string
  /** The last mail told of everything before. */
  since: number
}

/** A question that a project is tried with after each reading. */
interface EvaluationQuestion {
  id: string
  project_id: string
  question: string
  /** Path of the page that its answer has to cite; null when any may be. */
  page: string | null
  /** Text that its answer has to hold; null when any may be. */
  text: string | null
  created_at: number
}

/** A run of all of them. */
interface EvaluationRun {
  id: string
  project_id: string
  generation: number
  started_at: number
  /** null: it goes on, or its process died. */
  ended_at: number | null
  total: number
  passed: number
  /** JSON: what each question came to (`QuestionResult[]` of assistant/evaluation/set-run.ts). */
  results: string
  /** Questions that passed in the run it is compared with, and no longer do. */
  lost: number
  /** The owner has seen what was lost, and agrees. */
  is_accepted: 0 | 1
}
