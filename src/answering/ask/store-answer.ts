import type { Reservation } from "../../accounts/quotas/ask-limits.ts"
import { countAsks } from "../../accounts/quotas/ask-quota.ts"
import { dayMs } from "../../base/clock.ts"
import { newId } from "../../base/ids.ts"
import { fold } from "../../base/text.ts"
import { openBatch, perDatabase, type Settled } from "../../db/batch.ts"
import type { Db } from "../../db/connection.ts"
import { deleteInSteps } from "../../db/delete-in-steps.ts"
import { preparedAhead } from "../../db/prepared.ts"
import type { AnswerResult } from "./answer.ts"
import { type Courtesy, courtesyOf } from "./courtesy.ts"

/** The body of the ask response. */
export interface AskReply extends Omit<AnswerResult, "related" | "reasons" | "confidence" | "chosenId"> {
  id: string
}

export interface NewAnswer {
  projectId: string
  question: string
  page: string | undefined
  generation: number
  /** null: the answer is never reused for an equal question. */
  cacheKey: string | null
  /** Id of the answer that began the conversation; absent for one that follows no other. */
  conversation?: string | null
  /** Asked by `guichet ask`: kept so that `previous` can name it, but counted as no visitor's question. */
  isTrial?: boolean
  /** Set for a program that asked through another door than a page's. */
  via?: "mcp" | undefined
  /** Name of the edition that was asked; absent in a project without any. */
  edition?: string | undefined
  result: AnswerResult
}

interface AnswerToCount {
  newAnswer: NewAnswer
  reservation: Reservation
  nowMs: number
}

/** Stores an answer, counts its question, and gives it its id: durable, both or neither, when it resolves. */
export function storeAndCount(db: Db, answer: AnswerToCount): Promise<AskReply> {
  return storeTogether(db)(answer)
}

/** Questions are worked on in turns, so that answers of a crowd come one by one, and each would wait for the disk. */
const pauseMs = 10

const storeTogether = perDatabase((db: Db) =>
  openBatch<AnswerToCount, AskReply>(
    (answers) =>
      db.transaction().execute(async (transaction) => {
        await countAsks(
          transaction,
          answers.map(({ reservation }) => reservation),
        )
        const replies: Settled<AskReply>[] = []
        for (const { newAnswer, nowMs } of answers)
          replies.push({ result: await storeAnswer(transaction, newAnswer, nowMs) })
        return replies
      }),
    { pauseMs },
  ),
)

/** In UTF-16 units: a row of an index of PostgreSQL takes 2,700 bytes. */
const maxFoldedLength = 500

/** A question as it is searched: without case and accents, and no longer than an index takes. */
export function foldedQuestion(question: string): string {
  return fold(question).slice(0, maxFoldedLength).toWellFormed()
}

/** Stores an answer within the caller's transaction and gives it its id. */
export async function storeAnswer(transaction: Db, newAnswer: NewAnswer, nowMs: number): Promise<AskReply> {
  const {
    result,
    page,
    conversation = null,
    isTrial = false,
    via = null,
    edition = null,
    ...columns
  } = newAnswer
  const { status, answer, sources, related = [], reasons, confidence = null, chosenId = null } = result
  const id = newId("ans", nowMs)
  await insertAnswer(transaction, {
    ...columns,
    id,
    page: page ?? null,
    status,
    answer,
    sources: JSON.stringify(sources),
    related: related.length > 0 ? JSON.stringify(related) : null,
    reasons: reasons === undefined ? null : JSON.stringify(reasons),
    courtesy: isTrial ? "trial" : (courtesyOf(columns.question) ?? null),
    conversation,
    folded: foldedQuestion(columns.question),
    chosenId,
    via,
    edition,
    confidence,
    nowMs,
  })
  return { id, status, answer, sources }
}

const insertAnswer = preparedAhead<
  Omit<NewAnswer, "result" | "page" | "conversation" | "isTrial" | "via" | "edition"> &
    Pick<AnswerResult, "status" | "answer"> & {
      id: string
      page: string | null
      sources: string
      related: string | null
      reasons: string | null
      courtesy: Courtesy | "trial" | null
      conversation: string | null
      folded: string
      chosenId: string | null
      via: "mcp" | null
      edition: string | null
      confidence: number | null
      nowMs: number
    }
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
      reason: null,
      related: value("related"),
      courtesy: value("courtesy"),
      conversation: value("conversation"),
      folded: value("folded"),
      gap: null,
      chosen_id: value("chosenId"),
      opened: null,
      reasons: value("reasons"),
      via: value("via"),
      edition: value("edition"),
      confidence: value("confidence"),
    })
    .compile(),
)

/** Deletes the answers that are older than `retentionDays`. Resolves to the number deleted. */
export async function purgeAnswers(db: Db, retentionDays: number, nowMs: number): Promise<number> {
  const beforeMs = nowMs - retentionDays * dayMs
  const purged = await deleteInSteps(db, "answer", (answer) => answer("created_at", "<=", beforeMs))
  // A mail that still waits may quote some of them.
  await deleteInSteps(db, "mail", ({ and, eb, selectFrom }) =>
    and([eb("created_at", "<=", beforeMs), eb("about", "in", selectFrom("project").select("id"))]),
  )
  return purged
}
