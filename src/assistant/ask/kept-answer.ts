import { dayMs, hourMs } from "../../base/clock.ts"
import { sha256 } from "../../base/hash.ts"
import { newId } from "../../base/ids.ts"
import { prepared } from "../../db/prepared.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Asked } from "../answerer.ts"
import { type Source, withoutMarkers } from "./answer.ts"

/** What a question came to (specification, part 2 A2), before it has an id. */
export interface Outcome {
  status: "answered" | "no_answer"
  answer: string
  sources: Source[]
}

/** The ask response. */
export interface AskReply extends Outcome {
  id: string
}

interface NewAnswer {
  projectId: string
  question: string
  page: string | undefined
  generation: number
  /** null: not to be given again to the same question. */
  cacheKey: string | null
  outcome: Outcome
}

/** Specification, part 4 A: only answers dated less than two hours ago give context. */
const contextMs = 2 * hourMs
/** Of each: longer than answers are. A model reads it with every further question. */
const contextCharacters = 4_000

/** Within the caller's transaction. */
export async function keepAnswer(transaction: Db, kept: NewAnswer, nowMs: number): Promise<AskReply> {
  const { status, answer, sources } = kept.outcome
  const id = newId("ans", nowMs)
  await insert(transaction, {
    id,
    ...kept,
    page: kept.page ?? null,
    status,
    answer,
    sources: JSON.stringify(sources),
    nowMs,
  })
  return { id, status, answer, sources }
}

const insert = prepared<
  Omit<NewAnswer, "outcome" | "page"> &
    Omit<Outcome, "sources"> & { id: string; page: string | null; sources: string; nowMs: number }
>((value, db) =>
  db
    .insertInto("answer")
    .values({
      id: value("id"),
      project_id: value("projectId"),
      question: value("question"),
      page: value("page"),
      status: value("status"),
      answer: value("answer"),
      sources: value("sources"),
      generation: value("generation"),
      cache_key: value("cacheKey"),
      created_at: value("nowMs"),
      useful: null,
    })
    .compile(),
)

/**
 * The conversation that some ids name, oldest first. Unknown, foreign, unanswered and old ones are left out
 * in silence.
 */
export async function conversation(
  db: Db,
  projectId: string,
  ids: readonly string[],
  nowMs: number,
): Promise<Asked["previous"]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom("answer")
    .select(({ fn, val }) => [
      "question",
      fn<string>("substr", ["answer", val(1), val(contextCharacters)]).as("answer"),
    ])
    .where("id", "in", ids)
    .where("project_id", "=", projectId)
    .where("status", "=", "answered")
    .where("created_at", ">", nowMs - contextMs)
    .orderBy("id")
    .execute()
  return rows.map(({ question, answer }) => ({ question, answer: withoutMarkers(answer) }))
}

/**
 * Equal for the same question on the same page, from the same index by the same answerer in the same
 * language. The letter that a question begins with says nothing, but the case of every other does:
 * `getUserName` is found by its parts, and a name by its capital.
 */
export function cacheKeyOf(asked: {
  question: string
  page: string | null
  generation: number
  answerer: string
  language: string
}): string {
  const question = asked.question
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/^\p{Lu}(?=[\p{Ll}\s'’])/u, (letter) => letter.toLowerCase())
  return sha256(JSON.stringify([question, asked.page, asked.generation, asked.answerer, asked.language]))
}

export async function cachedOutcome(
  db: Db,
  projectId: string,
  cacheKey: string,
): Promise<Outcome | undefined> {
  const [row] = (await lastOfKey(db, { projectId, cacheKey })).rows
  return row && { ...row, sources: JSON.parse(row.sources) as Source[] }
}

const lastOfKey = prepared<
  { projectId: string; cacheKey: string },
  Omit<Outcome, "sources"> & { sources: string }
>((value, db) =>
  db
    .selectFrom("answer")
    .select(["status", "answer", "sources"])
    .where("project_id", "=", value("projectId"))
    .where("cache_key", "=", value("cacheKey"))
    .orderBy("id", "desc")
    .limit(1)
    .compile(),
)

/** The project an answer was given by. */
/** The project of an answer, and what was said of it; null when nothing was. */
export async function feedbackOf(
  db: Db,
  id: string,
): Promise<{ projectId: string; useful: boolean | null } | undefined> {
  const row = await db
    .selectFrom("answer")
    .select(["project_id", "useful"])
    .where("id", "=", id)
    .executeTakeFirst()
  return row && { projectId: row.project_id, useful: row.useful === null ? null : row.useful === 1 }
}

export async function recordUseful(db: Db, id: string, useful: boolean): Promise<void> {
  await db
    .updateTable("answer")
    .set({ useful: useful ? 1 : 0 })
    .where("id", "=", id)
    .execute()
}

/**
 * Deletes the answers that have been kept long enough, a few at a time so that nobody waits. Resolves to how
 * many.
 */
export async function purgeAnswers(db: Db, retentionDays: number, nowMs: number): Promise<number> {
  let purged = 0
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom("answer")
      .where("id", "in", (query) =>
        query
          .selectFrom("answer")
          .select("id")
          .where("created_at", "<=", nowMs - retentionDays * dayMs)
          .limit(purgeBatch),
      )
      .executeTakeFirstOrThrow()
    purged += Number(numDeletedRows)
    if (numDeletedRows < purgeBatch) return purged
  }
}

const purgeBatch = 500
