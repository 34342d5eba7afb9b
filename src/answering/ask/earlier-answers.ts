import { sql } from "kysely"
import type { Project } from "../../accounts/project.ts"
import { dayMs, hourMs } from "../../base/clock.ts"
import { sha256 } from "../../base/hash.ts"
import { openBatch, perDatabase } from "../../db/batch.ts"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import { engineOf } from "../../db/words.ts"
import type { QuestionWithPassages } from "../answerer.ts"
import { storedReasons } from "../retrieval/reasons.ts"
import { normalisedPath } from "../retrieval/retrieve.ts"
import type { AnswerResult } from "./answer.ts"
import { type Source, withoutMarkers } from "./citations.ts"
import { storedRelated } from "./related.ts"

/** Specification, part 4 A: only answers dated less than two hours ago give context. */
const contextMs = 2 * hourMs
/** Longer than usual answers. The bound exists because a model reads each one with every further question. */
const maxContextCharacters = 4_000

/**
 * Loads the conversation that `previous` names, oldest first. Ids that are unknown, of another project,
 * unanswered or too old are ignored. Of another edition, only what was asked goes on: what was answered does not hold.
 */
export async function loadConversation(
  db: Db,
  projectId: string,
  ids: readonly string[],
  nowMs: number,
  edition?: string,
): Promise<QuestionWithPassages["previous"]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom("answer")
    .select(({ fn, val }) => [
      "question",
      "edition",
      fn<string>("substr", ["answer", val(1), val(maxContextCharacters)]).as("answer"),
    ])
    .where("id", "in", ids)
    .where("project_id", "=", projectId)
    .where("status", "=", "answered")
    .where("created_at", ">", nowMs - contextMs)
    .orderBy("id")
    .execute()
  return rows.map(({ question, answer, edition: of }) => ({
    question,
    answer: of === (edition ?? null) ? withoutMarkers(answer) : "",
  }))
}

/**
 * Id of the answer that began the conversation which a question goes on with; null when it begins one. Unanswered
 * questions give no context, but belong to it.
 */
export async function conversationId(db: Db, projectId: string, ids: readonly string[], nowMs: number) {
  if (ids.length === 0) return null
  const last = await db
    .selectFrom("answer")
    .select(["id", "conversation"])
    .where("id", "in", ids)
    .where("project_id", "=", projectId)
    .where("created_at", ">", nowMs - contextMs)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
  return last ? (last.conversation ?? last.id) : null
}

/** A visitor may read an answer, look around, and write the next morning. */
const recentMs = dayMs

/**
 * The id, if it is the one of an answer that this project gave in the last day; null otherwise. An id comes with a
 * form post, and anybody may send any.
 */
export async function recentAnswerId(db: Db, projectId: string, id: string | undefined, nowMs: number) {
  if (id === undefined || !/^ans_[0-9a-f]{32}$/.test(id)) return null
  const row = await db
    .selectFrom("answer")
    .select("id")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .where("created_at", ">", nowMs - recentMs)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Changes whenever the same question may be refused otherwise, or with other pages. */
const refusalVersion = 4

/**
 * Equal for the same question on the same page, with the same index, answerer, language, threshold and
 * synonyms. The case of a question's first letter is ignored. Other capitals count: `getUserName` is found by its
 * parts, and a name by its capital.
 */
export function answerCacheKey(asked: {
  question: string
  page: string | undefined
  generation: number
  answerer: string
  language: string
  /** The number, not its word: what a word means may change with a version. */
  threshold: number | undefined
  /** Version of the project's synonyms; undefined without any. */
  synonyms: string | undefined
  /** Name of the edition asked, and the rules that say what belongs to it; undefined in a project without editions. */
  edition?: (Pick<Project, "editions" | "editionFallback"> & { asked: string }) | undefined
}): string {
  const question = asked.question
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/^\p{Lu}(?=[\p{Ll}\s'’])/u, (letter) => letter.toLowerCase())
  const page = asked.page === undefined ? null : normalisedPath(asked.page)
  const { generation, answerer, language, threshold, synonyms, edition } = asked
  return sha256(
    JSON.stringify([
      question,
      page,
      generation,
      answerer,
      language,
      refusalVersion,
      threshold,
      ...(synonyms === undefined ? [] : [synonyms]),
      ...(edition === undefined ? [] : [edition.asked, edition.editionFallback, edition.editions]),
    ]),
  )
}

export async function findCachedAnswer(
  db: Db,
  projectId: string,
  cacheKey: string,
): Promise<AnswerResult | undefined> {
  const row = await latestCached(db)({ projectId, cacheKey })
  return (
    row && {
      ...row,
      sources: JSON.parse(row.sources) as Source[],
      related: storedRelated(row.related),
      reasons: storedReasons(row.reasons),
      confidence: row.confidence ?? undefined,
    }
  )
}

interface AskedAgain {
  projectId: string
  cacheKey: string
}

type CachedRow = Pick<AnswerResult, "status" | "answer"> & {
  sources: string
  confidence: number | null
} & Record<"related" | "reasons", string | null>

const latestCached = perDatabase((db: Db) =>
  engineOf(db) === "sqlite"
    ? async (asked: AskedAgain) => (await latestByCacheKey(db, asked)).rows[0]
    : openBatch<AskedAgain, CachedRow | undefined>(async (asked) => {
        const { rows } = await latestByCacheKeys(db, { asked: JSON.stringify(asked) })
        const byKey = new Map(rows.map(({ projectId, cacheKey, ...row }) => [projectId + cacheKey, row]))
        return asked.map(({ projectId, cacheKey }) => ({ result: byKey.get(projectId + cacheKey) }))
      }),
)

const latestByCacheKey = prepared<AskedAgain, CachedRow>((value, db) =>
  db
    .selectFrom("answer")
    .select(["status", "answer", "sources", "related", "reasons", "confidence"])
    .where("project_id", "=", value("projectId"))
    .where("cache_key", "=", value("cacheKey"))
    .orderBy("id", "desc")
    .limit(1)
    .compile(),
)

const latestByCacheKeys = prepared<{ asked: string }, CachedRow & AskedAgain>((value, db) =>
  sql<CachedRow & AskedAgain>`
    SELECT "projectId", "cacheKey", latest.*
    FROM json_to_recordset((${value("asked")}::text)::json) AS asked ("projectId" text, "cacheKey" text)
    CROSS JOIN LATERAL (
      SELECT status, answer, sources, related, reasons, confidence FROM answer
      WHERE project_id = "projectId" AND cache_key = "cacheKey" ORDER BY id DESC LIMIT 1) latest`.compile(db),
)
