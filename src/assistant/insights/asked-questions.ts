import type { ExpressionBuilder, Selectable } from "kysely"
import { minuteMs } from "../../base/clock.ts"
import { firstIdAt } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import type { AssistantTables } from "../../db/tables/assistant.ts"
import { maxAnswerCharacters, type Source } from "../ask/citations.ts"
import type { Courtesy } from "../ask/courtesy.ts"
import type { FeedbackReason } from "../ask/feedback.ts"
import { type RelatedPage, storedRelated } from "../ask/related.ts"

/** A stored question with its answer. */
export interface AskedQuestion {
  id: string
  question: string
  page: string | null
  status: "answered" | "no_answer"
  answer: string
  sources: Source[]
  /** Pages that were offered because the documentation does not answer. */
  related: RelatedPage[]
  /** The visitor's feedback; null without one. */
  useful: boolean | null
  /** Why it did not help, if the visitor said so. */
  reason: FeedbackReason | null
  /** Only a greeting or thanks; null for a question. */
  courtesy: Courtesy | null
  askedAt: number
}

export interface AskedQuestionFilter {
  sinceMs: number
  status?: "answered" | "no_answer" | undefined
  useful?: boolean | undefined
  /** Leaves out greetings and thanks. */
  questionsOnly?: boolean
}

/** Resolves to false when the project has no such question. */
export async function removeAskedQuestion(db: Db, projectId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("answer")
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function findAskedQuestion(
  db: Db,
  projectId: string,
  id: string,
): Promise<AskedQuestion | undefined> {
  const row = await db
    .selectFrom("answer")
    .select(shownColumns)
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst()
  return row && questionOf(row)
}

/** The texts of these questions that the project still has, by id. */
export async function questionsOf(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom("answer")
    .select(["id", "question"])
    .where("id", "in", ids)
    .where("project_id", "=", projectId)
    .execute()
  return new Map(rows.map(({ id, question }) => [id, question]))
}

/** Newest first: those older than the question with id `after`. */
export async function listAskedQuestions(
  db: Db,
  projectId: string,
  filter: AskedQuestionFilter,
  { after, atMost }: { after: string | undefined; atMost: number },
): Promise<AskedQuestion[]> {
  const rows = await answersSince(db, projectId, filter.sinceMs)
    .select(shownColumns)
    .$if(filter.status !== undefined, (query) => query.where("status", "=", filter.status as "answered"))
    .$if(filter.questionsOnly === true, (query) => query.where("courtesy", "is", null))
    .$if(filter.useful !== undefined, (query) => query.where("useful", "=", filter.useful ? 1 : 0))
    .$if(after !== undefined, (query) => query.where("id", "<", after as string))
    .orderBy("id", "desc")
    .limit(atMost)
    .execute()
  return rows.map(questionOf)
}

/** Newest first. Greetings and thanks are no questions. */
export function listUnanswered(
  db: Db,
  projectId: string,
  sinceMs: number,
  atMost: number,
): Promise<Pick<AskedQuestion, "question" | "askedAt">[]> {
  return answersSince(db, projectId, sinceMs)
    .select(["question", "created_at as askedAt"])
    .where("status", "=", "no_answer")
    .where("courtesy", "is", null)
    .orderBy("id", "desc")
    .limit(atMost)
    .execute()
}

/** Truncates answers, because those stored before `maxAnswerCharacters` existed may have megabytes. */
function shownColumns({ fn, val }: ExpressionBuilder<AssistantTables, "answer">) {
  const answer = fn<string>("substr", ["answer", val(1), val(maxAnswerCharacters)]).as("answer")
  return [
    "id",
    "question",
    "page",
    "status",
    answer,
    "sources",
    "related",
    "useful",
    "reason",
    "courtesy",
    "created_at",
  ] as const
}

type ShownRow = Omit<Selectable<AssistantTables["answer"]>, "project_id" | "generation" | "cache_key">

function questionOf(row: ShownRow): AskedQuestion {
  return {
    id: row.id,
    question: row.question,
    page: row.page,
    status: row.status,
    answer: row.answer,
    sources: JSON.parse(row.sources) as Source[],
    related: storedRelated(row.related),
    useful: row.useful === null ? null : row.useful === 1,
    reason: row.reason,
    courtesy: row.courtesy,
    askedAt: row.created_at,
  }
}

/** Numbers of questions in a quarter of an hour. */
export interface QuestionCounts {
  /** Start of the quarter. */
  at: number
  asked: number
  answered: number
  useful: number
  useless: number
}

const quarterMs = 15 * minuteMs

/**
 * Counts by quarters of an hour, because the days of every time zone consist of whole quarters. Leaves out
 * greetings and thanks, and quarters without a question.
 */
export async function countAskedQuestions(
  db: Db,
  projectId: string,
  sinceMs: number,
): Promise<QuestionCounts[]> {
  const rows = await answersSince(db, projectId, sinceMs)
    .select((row) => [
      row("created_at", "/", quarterMs).as("quarter"),
      row.fn.countAll<number>().as("asked"),
      row.fn.count<number>("id").filterWhere("status", "=", "answered").as("answered"),
      row.fn.count<number>("id").filterWhere("useful", "=", 1).as("useful"),
      row.fn.count<number>("id").filterWhere("useful", "=", 0).as("useless"),
    ])
    .where("courtesy", "is", null)
    .groupBy("quarter")
    .orderBy("quarter")
    .execute()
  return rows.map(({ quarter, ...counts }) => ({ at: Number(quarter) * quarterMs, ...counts }))
}

function answersSince(db: Db, projectId: string, sinceMs: number) {
  return db
    .selectFrom("answer")
    .where("project_id", "=", projectId)
    .where("id", ">=", firstIdAt("ans", sinceMs))
}
