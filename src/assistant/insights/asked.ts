import type { ExpressionBuilder, Selectable } from "kysely"
import { minuteMs } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { AssistantTables } from "../../db/tables/assistant.ts"
import { maxAnswerCharacters, type Source } from "../ask/answer.ts"

/** A question that was asked, with what was answered. */
export interface AskedQuestion {
  id: string
  question: string
  page: string | null
  status: "answered" | "no_answer"
  answer: string
  sources: Source[]
  /** What the visitor said of the answer, if anything. */
  useful: boolean | null
  askedAt: number
}

export interface AskedFilter {
  sinceMs: number
  status?: "answered" | "no_answer" | undefined
  useful?: boolean | undefined
}

/** False when the project has no such answer. */
export async function removeAsked(db: Db, projectId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("answer")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findAsked(db: Db, projectId: string, id: string): Promise<AskedQuestion | undefined> {
  const row = await db
    .selectFrom("answer")
    .select(shownColumns)
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst()
  return row && askedQuestion(row)
}

/** Newest first; `after`: an id. */
export async function listAsked(
  db: Db,
  projectId: string,
  filter: AskedFilter,
  { after, atMost }: { after: string | undefined; atMost: number },
): Promise<AskedQuestion[]> {
  const rows = await answers(db, projectId, filter.sinceMs)
    .select(shownColumns)
    .$if(filter.status !== undefined, (query) => query.where("status", "=", filter.status as "answered"))
    .$if(filter.useful !== undefined, (query) => query.where("useful", "=", filter.useful ? 1 : 0))
    .$if(after !== undefined, (query) => query.where("id", "<", after as string))
    .orderBy("id", "desc")
    .limit(atMost)
    .execute()
  return rows.map(askedQuestion)
}

/** Only the questions, newest first. */
export function listUnanswered(
  db: Db,
  projectId: string,
  sinceMs: number,
  atMost: number,
): Promise<Pick<AskedQuestion, "question" | "askedAt">[]> {
  return answers(db, projectId, sinceMs)
    .select(["question", "created_at as askedAt"])
    .where("status", "=", "no_answer")
    .orderBy("id", "desc")
    .limit(atMost)
    .execute()
}

/** Answers that were stored before there was a bound may have megabytes. */
function shownColumns({ fn, val }: ExpressionBuilder<AssistantTables, "answer">) {
  const answer = fn<string>("substr", ["answer", val(1), val(maxAnswerCharacters)]).as("answer")
  return ["id", "question", "page", "status", answer, "sources", "useful", "created_at"] as const
}

type ShownRow = Omit<Selectable<AssistantTables["answer"]>, "project_id" | "generation" | "cache_key">

function askedQuestion(row: ShownRow): AskedQuestion {
  return {
    id: row.id,
    question: row.question,
    page: row.page,
    status: row.status,
    answer: row.answer,
    sources: JSON.parse(row.sources) as Source[],
    useful: row.useful === null ? null : row.useful === 1,
    askedAt: row.created_at,
  }
}

/** Questions of a quarter of an hour, in numbers. */
export interface AskedCount {
  /** When the quarter began. */
  at: number
  asked: number
  answered: number
  useful: number
  useless: number
}

const quarterMs = 15 * minuteMs

/**
 * By quarters of an hour, which the days of every time zone are made of; those without a question are left
 * out.
 */
export async function countAsked(db: Db, projectId: string, sinceMs: number): Promise<AskedCount[]> {
  const rows = await answers(db, projectId, sinceMs)
    .select((row) => [
      row("created_at", "/", quarterMs).as("quarter"),
      row.fn.countAll<number>().as("asked"),
      row.fn.count<number>("id").filterWhere("status", "=", "answered").as("answered"),
      row.fn.count<number>("id").filterWhere("useful", "=", 1).as("useful"),
      row.fn.count<number>("id").filterWhere("useful", "=", 0).as("useless"),
    ])
    .groupBy("quarter")
    .orderBy("quarter")
    .execute()
  return rows.map(({ quarter, ...counts }) => ({ at: Number(quarter) * quarterMs, ...counts }))
}

function answers(db: Db, projectId: string, sinceMs: number) {
  return db
    .selectFrom("answer")
    .where("project_id", "=", projectId)
    .where("id", ">=", firstIdAt("ans", sinceMs))
}
