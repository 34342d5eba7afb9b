import { Database } from "bun:sqlite"
import { join } from "node:path"
import { retrieve } from "../../src/answering/retrieval/retrieve.ts"
import type { EmbeddedPassage, Embedder, QuestionVector } from "../../src/index/embedding/embedder.ts"
import { localEmbeddingName } from "../../src/index/embedding/embeddings.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/index/lance/lance.ts"
import { analyse } from "../../src/index/text/analyse.ts"
import type { Passage } from "../../src/reading/formats/document.ts"
import { miniSearchOf, termFields } from "./minisearch.ts"
import { requirePackage } from "./packages.ts"
import { syntheticPassages, vectorsAround } from "./synthetic.ts"

requirePackage("@orama/orama")
const { create, insertMultiple, search } = await import("@orama/orama")

export interface AskedQuestion {
  question: string
  /** Undefined where no engine searches by meaning. */
  vector: QuestionVector | undefined
}

/** What synthetic documentations are drawn from. */
export interface RealDocumentation {
  passages: Passage[]
  questions: AskedQuestion[]
  embedded: EmbeddedPassage[]
}

export interface EngineSetup {
  real: RealDocumentation
  /** Number of passages. */
  size: number
  folder: string
}

/** Finds the ten best passages, with their text, for a question. */
export type Search = (asked: AskedQuestion) => Promise<unknown> | unknown
/** Builds an index in a folder, and opens it in another process. */
export interface Engine {
  /** Resolves to false for an engine that keeps nothing on the disk. */
  build(setup: EngineSetup): Promise<boolean>
  open(setup: EngineSetup): Promise<Search>
}

export type EngineName = keyof typeof engines

const top = 10
const language = "fr"

export const engines = {
  guichet: {
    build: (setup) => buildGuichet(setup),
    async open({ folder }) {
      const index = (await openIndex(folder, "bench_1")) as PassageIndex
      return ({ question }) => index.search([{ terms: termsOf(question), weight: 1 }], top)
    },
  },
  "guichet, with the decision": {
    build: (setup) => buildGuichet(setup),
    async open({ folder }) {
      const index = (await openIndex(folder, "bench_1")) as PassageIndex
      return ({ question }) => retrieve(index, { question, previous: [], page: undefined }, top)
    },
  },
  "guichet, with meaning": {
    build: (setup) =>
      buildGuichet(setup, { name: localEmbeddingName, vectorsOf: vectorsAround(setup.real.embedded) }),
    async open({ folder }) {
      const index = (await openIndex(folder, "bench_1")) as PassageIndex
      return (asked) => retrieve(index, { ...asked, previous: [], page: undefined }, top)
    },
  },
  "SQLite FTS5": {
    async build({ real, size, folder }) {
      using database = new Database(join(folder, "fts.db"))
      database.run(
        `CREATE VIRTUAL TABLE passage USING fts5(head, body, markdown UNINDEXED, tokenize="unicode61 remove_diacritics 0 tokenchars '-@$._+#'")`,
      )
      const insert = database.query("INSERT INTO passage VALUES (?, ?, ?)")
      database.transaction(() => {
        for (const passage of syntheticPassages(real.passages, size)) {
          const { head, body } = termFields(passage, language)
          insert.run(head, body, passage.markdown)
        }
      })()
      return true
    },
    async open({ folder }) {
      const database = new Database(join(folder, "fts.db"), { readonly: true })
      const query = database.query(
        "SELECT markdown, bm25(passage) AS score FROM passage WHERE passage MATCH ? ORDER BY score LIMIT ?",
      )
      return ({ question }) =>
        query.all(
          termsOf(question)
            .map((term) => `"${term}"`)
            .join(" OR "),
          top,
        )
    },
  },
  MiniSearch: {
    build: async () => false,
    async open({ real, size }) {
      const find = miniSearchOf([...syntheticPassages(real.passages, size)], language)
      return ({ question }) => find(question).slice(0, top)
    },
  },
  Orama: {
    build: async () => false,
    async open({ real, size }) {
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
      const documents = Array.from(syntheticPassages(real.passages, size), (passage) => ({
        ...termFields(passage, language),
        markdown: passage.markdown,
      }))
      await insertMultiple(orama, documents, 1000)
      return ({ question }) => search(orama, { term: termsOf(question).join(" "), limit: top })
    },
  },
} as const satisfies Record<string, Engine>

async function buildGuichet({ real, size, folder }: EngineSetup, embedder?: Embedder): Promise<boolean> {
  await buildIndex(folder, "bench_1", language, syntheticPassages(real.passages, size), embedder)
  return true
}

function termsOf(question: string): string[] {
  return [...new Set(analyse(question, language))]
}
