import {
  belongsTo,
  bytes,
  flag,
  integer,
  integerOf,
  orNull,
  real,
  table,
  text,
  textOf,
  withDefault,
} from "./table.ts"

export const assistantTables = {
  /** Where documents are read from: a folder, a repository, a site, a list of pages, named pages, or uploads. */
  feed: table({
    id: text,
    project_id: belongsTo("project"),
    /** A name in reading/kinds/table.ts. */
    kind: text,
    /** Absolute folder; address of site, sitemap, llms.txt or repository; where uploads stand, or `uploads`. */
    address: text,
    /** Folders and repositories: the site generator whose rules the last reading followed. */
    generator_found: orNull(text),
    /** JSON: text that its HTML pages have in common (`Repeated` of reading/formats/repeated.ts). */
    repeated: orNull(text),
    created_at: integer,
    last_read_at: orNull(integer),
    /** JSON: names and sealed values of the headers that its host asks for (http/record/own-headers.ts). */
    headers: orNull(text),
    /** JSON: the settings that its kind declares in reading/kinds. */
    settings: withDefault(text, "{}"),
  }).with({ unique: [["project_id", "kind", "address"]], hasRowId: true }),

  /**
   * One version of a page, from which the index is built. A generation holds the versions with `since` ≤ its number
   * < `until`. A reading can thus be stored in many short transactions that stay invisible until one row makes its
   * generation live.
   */
  document: table({
    id: text,
    project_id: belongsTo("project"),
    feed_id: belongsTo("feed"),
    /** Name in the feed: a file, or the listed address. */
    page: text,
    /** Path relative to the feed, without extension: `guide/install`. */
    path: text,
    url: text,
    title: text,
    /** JSON: the page's sections in reading order (`Section[]` of reading/formats/document.ts). */
    sections: text,
    /** SHA-256 of url, title and sections. An unchanged document keeps its version. */
    hash: text,
    read_at: integer,
    /** The first generation that holds this version. */
    since: integer,
    /** The first generation that no longer does; null: none yet. */
    until: orNull(integer),
    /** JSON: `HtmlNotes` of reading/formats/document.ts; null for a page that was no HTML. */
    html: orNull(text),
    /** The day on which it was published as news; null for any other page. */
    published: orNull(text),
    /** `PageKind` of reading/formats/document.ts, as it was read; null for any other page. */
    kind: orNull(textOf<"news" | "legal" | "reference">()),
    /** Set for a document that is no page. */
    format: orNull(textOf<"pdf" | "docx" | "odt" | "openapi">()),
  }).with({
    unique: [["feed_id", "page", "since"]],
    indexes: {
      document_by_project: { on: ["project_id", "id"] },
      document_by_until: { on: ["project_id", "until"], where: "until IS NOT NULL" },
      document_by_since: { on: ["project_id", "since"] },
      document_by_url: { on: ["project_id", "url"] },
    },
    hasRowId: true,
  }),

  /** A page of the last reading that is not documentation, or could not be read, with the reason. */
  left_out_page: table({
    feed_id: belongsTo("feed"),
    page: text,
    /** `LeftOutReason` of reading/formats/document.ts, or `failed`. */
    reason: text,
    /** Words of another program, or a sentence that a version before the codes stored. */
    detail: orNull(text),
    /** The particulars as a `Detail` of base/errors.ts: its code, and its params as JSON. */
    detail_code: orNull(text),
    detail_params: orNull(text),
  }).with({ key: ["feed_id", "page"] }),

  /** The last indexing of a project, or the one going on, by whichever process. */
  indexing_run: table({
    project_id: belongsTo("project"),
    started_at: integer,
    /** When its process last said that it lives. */
    beat_at: integer,
    ended_at: orNull(integer),
    phase: textOf<"reading" | "building" | "embedding">(),
    done: integer,
    total: orNull(integer),
    /** JSON: result of the run (`RunOutcome` of indexing/indexing-run.ts). */
    outcome: orNull(text),
    /** Whether the owner's applications were told that it fails (indexing/new-failures.ts). */
    failure_told: withDefault(flag, 0),
  }),

  /** A requested indexing of a project that is not done yet. */
  indexing_request: table({
    project_id: belongsTo("project"),
    /** JSON: `IndexingRequest` of indexing/child-runs.ts. */
    request: text,
    /** The node that carries it out. Once that node is gone, another one does. */
    node_id: orNull(text),
  }).with({ key: ["project_id", "request"] }),

  /** A reading of a project that takes several turns, and the generation that it builds. */
  unfinished_reading: table({
    project_id: belongsTo("project"),
    generation: integer,
    begun_at: integer,
    /** Time of its last progress. A reading without progress for long is not resumed. */
    touched_at: integer,
  }),

  /** A page of an unfinished reading that has been tried, so that it is not fetched again. */
  unfinished_page: table({
    feed_id: belongsTo("feed"),
    page: text,
    outcome: textOf<"changed" | "unchanged" | "failed" | "left_out">(),
    /** Path of the document that was made of it. */
    path: orNull(text),
    url: orNull(text),
    /** Why it gave no document: as in `left_out_page`. */
    reason: orNull(text),
    detail: orNull(text),
    detail_code: orNull(text),
    detail_params: orNull(text),
  }).with({ key: ["feed_id", "page"] }),

  /** A page of a feed that follows links, as it was read last: it is asked for only if it has changed since. */
  visited_page: table({
    feed_id: belongsTo("feed"),
    page: text,
    /** Hash of the document made from it; empty without one. */
    hash: text,
    etag: orNull(text),
    last_modified: orNull(text),
    /** JSON: the addresses that it leads to. */
    links: text,
    read_at: integer,
    changed_at: integer,
  }).with({
    key: ["feed_id", "page"],
    indexes: { visited_page_by_change: { on: ["feed_id", "changed_at"] } },
  }),

  /** One index of a project. At most one is live; one that is neither live nor replaced is being built. */
  generation: table({
    project_id: belongsTo("project"),
    number: integer,
    /** Index format: analyser and embedding model it was built with. Another value means a rebuild. */
    index_format: text,
    documents: integer,
    passages: integer,
    /** Checksum of its files. Files with another checksum are damaged. Empty until it is built. */
    checksum: text,
    /** Time of completion; until then `Building.since`, about the time of its start. */
    built_at: integer,
    live: flag,
    /**
     * Time when another one replaced it, or when it was abandoned. Its files are deleted a little later, when no
     * process reads them any more.
     */
    replaced_at: orNull(integer),
    /** Key of its archive. null: other nodes cannot fetch it, or none has to. */
    archive: orNull(text),
  }).with({
    key: ["project_id", "number"],
    indexes: { generation_live: { on: ["project_id"], isUnique: true, where: "live = 1" } },
  }),

  /**
   * An archive that stands in the store, or may: the row is written before the first byte, and deleted after the
   * last one is removed. It outlives the project.
   */
  archive: table({
    key: text,
    project_id: text,
    /** The generation that is packed in it. */
    number: integer,
    bytes: integer,
    /** Size of its files on the disk. */
    index_bytes: integer,
    begun_at: integer,
  }),

  /** One piece of an archive, where the database is the store. */
  archive_part: table({
    key: text,
    /** From 0 on. */
    number: integer,
    bytes: bytes,
  }).with({
    key: ["key", "number"],
    hasRowId: true,
    postgres: "ALTER COLUMN bytes SET STORAGE EXTERNAL",
  }),

  /** Cached vector of a passage's text: the next generation embeds only new texts. */
  passage_vector: table({
    project_id: belongsTo("project"),
    /** Name of the embedding model. */
    model: text,
    /** SHA-256 of the text. */
    hash: text,
    /** The last generation that used it. */
    generation: integer,
    /** 32-bit floats, length 1. */
    vector: bytes,
    /** Packed vectors of the passage's units; empty when the model gives none. */
    pieces: withDefault(bytes, ""),
  }).with({ key: ["project_id", "model", "hash"], hasRowId: true }),

  /** A question and the reply. Kept for a configured time, then purged. */
  answer: table({
    id: text,
    project_id: belongsTo("project"),
    question: text,
    page: orNull(text),
    status: textOf<"answered" | "no_answer">(),
    answer: text,
    /** JSON: the sources as returned (`Source[]`). */
    sources: text,
    /** Index generation and cache key it was answered from; a cached reply copies both. */
    generation: integer,
    cache_key: orNull(text),
    created_at: integer,
    useful: orNull(flag),
    /** Why it did not help, as the visitor said; null unless `useful` is 0. */
    reason: orNull(textOf<"wrong" | "incomplete" | "outdated" | "other">()),
    /**
     * JSON: pages that may help in place of an answer, or beside one (`RelatedPage[]` of answering/ask/next-pages.ts);
     * null without any.
     */
    related: orNull(text),
    /**
     * Why it counts as no visitor's question, in statistics, gaps and lists of what is asked most: only a greeting or
     * thanks, which no documentation has to answer, or a trial by `guichet ask`. null: it counts.
     */
    courtesy: orNull(textOf<"greeting" | "thanks" | "trial">()),
    /** Id of the answer that began the conversation; null for one that follows no other. */
    conversation: orNull(text),
    /** The question as it is searched (`foldedQuestion`); null as long as an older row has none. */
    folded: orNull(text),
    /** The owner's mark on a question without an answer. */
    gap: orNull(textOf<"treated" | "off_topic">()),
    /** The owner's answer that was given. It may have been removed since. */
    chosen_id: orNull(text),
    /** The offered passages that the visitor opened: the sum of 1 for the first, 2 for the second, 4 for the third. */
    opened: orNull(integerOf<1 | 2 | 3 | 4 | 5 | 6 | 7>()),
    /** JSON: why it was answered or not (`Reason[]` of answering/retrieval/reasons.ts); null for a row from before. */
    reasons: orNull(text),
    /** How it was asked; null: on a page, or by `guichet ask`. */
    via: orNull(textOf<"mcp">()),
    /** Name of the edition that was asked; null in a project without any. */
    edition: orNull(text),
    /** Estimated probability that what was found answers, 0 to 1; null where nothing was judged. */
    confidence: orNull(real),
  }).with({
    indexes: {
      answer_by_age: { on: ["created_at"] },
      answer_by_cache_key: { on: ["project_id", "cache_key", "id"], where: "cache_key IS NOT NULL" },
      answer_overview: {
        on: ["project_id", "id", "created_at", "status", "useful", "courtesy", "page", "opened"],
      },
      answer_search: { on: ["project_id", "id", "folded"] },
      answer_by_conversation: {
        on: ["project_id", "conversation", "id"],
        where: "conversation IS NOT NULL",
      },
      answer_by_opened: { on: ["project_id", "folded", "id"], where: "opened IS NOT NULL" },
      answer_by_chosen: { on: ["project_id", "chosen_id", "id"], where: "chosen_id IS NOT NULL" },
      answer_offered: {
        on: ["project_id", "id"],
        where: "status = 'no_answer' AND related IS NOT NULL",
      },
      answer_unfolded: { on: ["id"], where: "folded IS NULL" },
      answer_open_gap: {
        on: ["id", "project_id"],
        where: "status = 'no_answer' AND courtesy IS NULL AND gap IS NULL",
      },
      answer_open_gap_of_project: {
        on: ["project_id", "id"],
        where: "status = 'no_answer' AND courtesy IS NULL AND gap IS NULL",
      },
      answer_off_topic: {
        on: ["id", "project_id"],
        where: "status = 'no_answer' AND courtesy IS NULL AND gap = 'off_topic'",
      },
    },
    hasRowId: true,
  }),

  /** Words that an owner declares to mean the same in the questions of a project. Never changed, only removed. */
  synonym_group: table({
    id: text,
    project_id: belongsTo("project"),
    /** JSON: the words as typed (`string[]`). */
    words: text,
    created_at: integer,
  }).with({
    indexes: { synonym_group_of_project: { on: ["project_id", "id"] } },
  }),

  /** An answer that the owner wrote. */
  chosen_answer: table({
    id: text,
    project_id: belongsTo("project"),
    /** Markdown with a marker `[^n]` for the n-th of the sources. */
    answer: text,
    /** JSON: addresses of its sources (`string[]`). Titles and sections come from the live index. */
    sources: text,
    created_at: integer,
    /** Grows with each change. */
    changed_at: integer,
    /** The generation in which its sources were last looked for. */
    checked_generation: orNull(integer),
    /** Number of its sources that were not there. */
    missing: withDefault(integer, 0),
    /** Since when none of its sources is in the index; null while it is given. */
    set_aside_at: orNull(integer),
  }).with({
    indexes: { chosen_answer_of_project: { on: ["project_id", "id", "changed_at"] } },
  }),

  /** A phrasing of the question that a chosen answer is for. */
  chosen_question: table({
    chosen_id: belongsTo("chosen_answer"),
    place: integer,
    question: text,
    /** Name of the model of the vector; null without one. */
    model: orNull(text),
    /** 32-bit floats, length 1. */
    vector: orNull(bytes),
  }).with({ key: ["chosen_id", "place"] }),

  /** An operator who is mailed about a project's questions. */
  gap_mail: table({
    project_id: belongsTo("project"),
    operator_id: belongsTo("operator"),
    /** The last mail told of everything before. */
    since: integer,
  }).with({ key: ["project_id", "operator_id"] }),

  /** A question that a project is tried with after each reading. */
  evaluation_question: table({
    id: text,
    project_id: belongsTo("project"),
    question: text,
    /** Path of the page that its answer has to cite; null when any may be. */
    page: orNull(text),
    /** Text that its answer has to hold; null when any may be. */
    text: orNull(text),
    created_at: integer,
  }).with({
    indexes: { evaluation_question_of_project: { on: ["project_id", "id"] } },
  }),

  /** A run of all of them. */
  evaluation_run: table({
    id: text,
    project_id: belongsTo("project"),
    generation: integer,
    started_at: integer,
    /** null: it goes on, or its process died. */
    ended_at: orNull(integer),
    total: integer,
    passed: integer,
    /** JSON: what each question came to (`QuestionResult[]` of owners/evaluation/set-run.ts). */
    results: text,
    /** Questions that passed in the run it is compared with, and no longer do. */
    lost: integer,
    /** The owner has seen what was lost, and agrees. */
    is_accepted: flag,
  }).with({
    indexes: { evaluation_run_of_project: { on: ["project_id", "id"] } },
  }),
}
