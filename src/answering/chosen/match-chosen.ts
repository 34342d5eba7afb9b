import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import type { Language, Project } from "../../accounts/project.ts"
import { ownTick } from "../../base/async.ts"
import { secondMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import { changeRows } from "../../db/store.ts"
import type { QuestionVector } from "../../index/embedding/embedder.ts"
import { dependsOnConversation } from "../retrieval/depends-on-conversation.ts"
import { findSources } from "./chosen-sources.ts"
import { type CitedText, citedText } from "./chosen-text.ts"
import { type ComparedQuestion, comparedQuestion, hasSameWords, likeness } from "./same-question.ts"
import { teamAnswerUrl } from "./team-answer-url.ts"

/** Finds the answer that an owner chose for a question. */
export interface ChosenAnswers {
  /** undefined when none is for this question, or none of its sources is in the index. Never rejects for vectors. */
  find(asked: AskedOfChosen, signal: AbortSignal): Promise<FoundChosen | undefined>
  /** Makes the vectors of a project's phrasings, so that the next question finds them. Never rejects. */
  prepare(projectId: string, language: Language): Promise<void>
}

export interface AskedOfChosen {
  project: Pick<Project, "id" | "name">
  language: Language
  question: string
  /** The generation that answers now: its passages alone are cited. */
  generation: number
  /** Whether a page belongs to the edition that is asked: an answer whose sources are all of others is not given. */
  hasPage(url: string): boolean
  /** The embedded model's vector of a text; undefined where there is no model. */
  vectorOf: QuestionEmbedding["vectorOf"] | undefined
}

export interface FoundChosen extends CitedText {
  id: string
  /** The phrasing that it was found by. */
  question: string
  /** 1 for the same words, the cosine otherwise. */
  likeness: number
}

/** The model of the phrasings' vectors: the embedded one, whatever the project's answers are made of. */
export interface QuestionEmbedding {
  name: string
  vectorOf(question: string, signal: AbortSignal): Promise<Pick<QuestionVector, "own"> | undefined>
}

interface Entry {
  id: string
  question: string
  answer: string
  sources: string[]
  place: number
  compared: ComparedQuestion
}

interface Kept {
  version: string
  entries: Entry[]
  /** The making of the vectors that were missing, and when it began. */
  embedded: Promise<void>
  begunMs: number
}

const maxKeptProjects = 100
/** A model that is busy or broken is asked again after this time. */
const embedAgainMs = 10 * secondMs
/** Nearest chosen answers whose sources are looked for. */
const maxTried = 3

/**
 * Reads which answers there are with every question, because another process may change them, and keeps their texts
 * and vectors.
 */
export function openChosenAnswers(
  { db, publicUrl }: { db: Db; publicUrl: string },
  embedding: QuestionEmbedding | undefined,
): ChosenAnswers {
  const cache = new Map<string, Kept>()
  const sources = new Map<string, CitedText | undefined>()

  async function analysedAnswers(projectId: string, language: Language): Promise<Kept | undefined> {
    const { rows } = await chosenVersions(db, { projectId })
    if (rows.length === 0) return undefined
    const version = Bun.hash(rows.map(({ id, changedAt }) => `${id} ${changedAt}`).join()).toString(36)
    const key = `${projectId} ${language}`
    const cached = cache.get(key)
    const isCurrent = cached?.version === version
    if (isCurrent && (isWhole(cached) || performance.now() - cached.begunMs < embedAgainMs)) return cached
    const entries = isCurrent
      ? cached.entries
      : await readEntries(db, projectId, language, embedding?.name, cached)
    const embedded = embedding ? embedMissing(db, entries, embedding).catch(() => {}) : Promise.resolve()
    const next = { version, entries, embedded, begunMs: performance.now() }
    if (cache.size >= maxKeptProjects) cache.clear()
    cache.set(key, next)
    return next
  }

  function isWhole({ entries }: Kept): boolean {
    return !embedding || entries.every(({ compared }) => compared.vector)
  }

  /** A version of an answer and a generation never change. Without sources it cites itself on the team's page. */
  async function cited(
    { project, generation }: AskedOfChosen,
    { first, ...entry }: Entry & { first: string },
  ): Promise<CitedText | undefined> {
    if (entry.sources.length === 0) {
      const url = await teamAnswerUrl(db, publicUrl, { projectId: project.id, id: entry.id })
      return citedText(entry.answer, [{ title: project.name, section: first, url }])
    }
    const key = Bun.hash([project.id, generation, entry.answer, ...entry.sources].join("\n")).toString(36)
    if (!sources.has(key)) {
      if (sources.size >= 1000) sources.clear()
      const foundSources = await findSources(db, project.id, generation, entry.sources)
      sources.set(key, citedText(entry.answer, foundSources))
    }
    return sources.get(key)
  }

  return {
    async find(asked, signal) {
      const all = (await analysedAnswers(asked.project.id, asked.language))?.entries ?? []
      const entries = all.filter(({ sources }) => sources.length === 0 || sources.some(asked.hasPage))
      if (entries.length === 0) return undefined
      await ownTick()
      const words = comparedQuestion(asked.question, asked.language, undefined)
      let near = entries
        .filter(({ compared }) => hasSameWords(words, compared))
        .map((entry) => ({ entry, likeness: 1 }))
      // The conversation holds the subject of « et pour Windows ? »: only its very words may match.
      if (near.length === 0 && asked.vectorOf && !dependsOnConversation(asked.question, asked.language)) {
        const vector = await asked.vectorOf(asked.question, signal)
        await ownTick()
        const compared = { ...words, vector: vector?.own }
        near = entries
          .map((entry) => ({ entry, likeness: likeness(compared, entry.compared) }))
          .filter((each) => each.likeness > 0)
          .sort((one, other) => other.likeness - one.likeness)
      }
      const answers = [...Map.groupBy(near, ({ entry }) => entry.id).values()].slice(0, maxTried)
      for (const [best] of answers) {
        const { entry, likeness } = best as (typeof near)[number]
        const isFirst = ({ id, place }: Entry) => id === entry.id && place === 0
        const first = entries.find(isFirst)?.question ?? entry.question
        const text = await cited(asked, { ...entry, first })
        if (text) return { id: entry.id, question: entry.question, likeness, ...text }
      }
      return undefined
    },

    async prepare(projectId, language) {
      await analysedAnswers(projectId, language)
        .then((known) => known?.embedded)
        .catch(() => {})
    },
  }
}

const chosenVersions = prepared<{ projectId: string }, { id: string; changedAt: number }>((value, db) =>
  db
    .selectFrom("chosen_answer")
    .select(["id", "changed_at as changedAt"])
    .where("project_id", "=", value("projectId"))
    .orderBy("id")
    .compile(),
)

/** Phrasings analysed in one tick of the event loop: of ten times a thousand characters. */
const analysedAtOnce = 10

/** Analyses the phrasings that are not among those `before`: with one change, most stay as they were. */
async function readEntries(
  db: Db,
  projectId: string,
  language: Language,
  model: string | undefined,
  before: Kept | undefined,
): Promise<Entry[]> {
  const rows = await db
    .selectFrom("chosen_question")
    .innerJoin("chosen_answer", "chosen_answer.id", "chosen_id")
    .select(["chosen_answer.id", "answer", "sources", "place", "question", "model", "vector"])
    .where("project_id", "=", projectId)
    .orderBy("chosen_answer.id", "desc")
    .orderBy("place")
    .execute()
  const analysed = new Map(before?.entries.map(({ question, compared }) => [question, compared]))
  const entries: Entry[] = []
  let isNew = 0
  for (const { sources, model: made, vector, ...row } of rows) {
    const cached = analysed.get(row.question)
    if (!cached && ++isNew % analysedAtOnce === 0) await yieldToEventLoop()
    const compared = cached ?? comparedQuestion(row.question, language, undefined)
    const own = vector && made === model ? new Float32Array(vector.slice().buffer) : undefined
    entries.push({ ...row, sources: JSON.parse(sources) as string[], compared: { ...compared, vector: own } })
  }
  return entries
}

/** One after another, so that visitors' questions find the model free. */
async function embedMissing(db: Db, entries: Entry[], { name, vectorOf }: QuestionEmbedding): Promise<void> {
  for (const entry of entries) {
    if (entry.compared.vector) continue
    const vector = await vectorOf(entry.question, new AbortController().signal)
    // The model is busy or broken: it is asked again a little later.
    if (!vector) return
    entry.compared = { ...entry.compared, vector: vector.own }
    const { id, place, question } = entry
    const { buffer, byteOffset, byteLength } = vector.own
    const stored = { model: name, vector: new Uint8Array(buffer, byteOffset, byteLength) }
    await changeRows(db, "chosen_question", { chosen_id: id, place, question }, stored)
  }
}
