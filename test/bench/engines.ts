import { Database } from "bun:sqlite"
import { join } from "node:path"
import { create, insertMultiple, search } from "@orama/orama"
import type { Passage } from "../../src/assistant/documents/document.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/assistant/index/lance.ts"
import { retrieve } from "../../src/assistant/retrieval/retrieve.ts"
import { analyse } from "../../src/assistant/text/analyse.ts"
import { miniSearchOf, termFields } from "./minisearch.ts"

/** Finds the ten best passages, with their text, for a question. */
export type Search = (question: string) => Promise<unknown> | unknown
/** Builds an index in a folder, and opens it in another process. */
export interface Engine {
  build(passages: Iterable<Passage>, folder: string): Promise<void>
  open(passages: () => Iterable<Passage>, folder: string): Promise<Search>
}

const top = 10
const language = "fr"

export const engines: Record<string, Engine> = {
  guichet: {
    async build(passages, folder) {
      await buildIndex(folder, "bench_1", language, passages)
    },
    async open(_, folder) {
      const index = (await openIndex(folder, "bench_1")) as PassageIndex
      return (question) => index.search([{ terms: termsOf(question), weight: 1 }], top)
    },
  },
  "guichet, with the decision": {
    async build(passages, folder) {
      await buildIndex(folder, "bench_1", language, passages)
    },
    async open(_, folder) {
      const index = (await openIndex(folder, "bench_1")) as PassageIndex
      return (question) => retrieve(index, { question, previous: [], page: undefined }, top)
    },
  },
  "SQLite FTS5": {
    async build(passages, folder) {
      using database = new Database(join(folder, "fts.db"))
      database.run(
        `CREATE VIRTUAL TABLE passage USING fts5(head, body, markdown UNINDEXED, tokenize="unicode61 remove_diacritics 0 tokenchars '-@$._+#'")`,
      )
      const insert = database.query("INSERT INTO passage VALUES (?, ?, ?)")
      database.transaction(() => {
        for (const passage of passages) {
          const { head, body } = termFields(passage, language)
          insert.run(head, body, passage.markdown)
        }
      })()
    },
    async open(_, folder) {
      const database = new Database(join(folder, "fts.db"), { readonly: true })
      const query = database.query(
        "SELECT markdown, bm25(passage) AS score FROM passage WHERE passage MATCH ? ORDER BY score LIMIT ?",
      )
      return (question) =>
        query.all(
          termsOf(question)
            .map((term) => `"${term}"`)
            .join(" OR "),
          top,
        )
    },
  },
  MiniSearch: {
    async build() {},
    async open(passages) {
      const find = miniSearchOf([...passages()], language)
      return (question) => find(question).slice(0, top)
    },
  },
  Orama: {
    async build() {},
    async open(passages) {
      const orama = create({
        schema: { head: "string", body: "string" } as const,
        components: {
          tokenizer: {
            language: "french",
            normalizationCache: new Map(),
            tokenize: (text: string) => text.split(" ").filter(Boolean),
          },
        },
      })
      const documents = Array.from(passages(), (passage) => ({
        ...termFields(passage, language),
        markdown: passage.markdown,
      }))
      await insertMultiple(orama, documents, 1000)
      return (question) => search(orama, { term: termsOf(question).join(" "), limit: top })
    },
  },
}

function termsOf(question: string): string[] {
  return [...new Set(analyse(question, language))]
}
