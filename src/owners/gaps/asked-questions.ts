import type { ExpressionBuilder, SelectQueryBuilder } from "kysely"
import { maxAnswerCharacters, type Source } from "../../answering/ask/citations.ts"
import type { Courtesy } from "../../answering/ask/courtesy.ts"
import type { FeedbackReason } from "../../answering/ask/feedback.ts"
import type { RelatedPage } from "../../answering/ask/next-pages.ts"
import { placesOpened } from "../../answering/ask/opened.ts"
import { storedRelated } from "../../answering/ask/related.ts"
import { foldedQuestion } from "../../answering/ask/store-answer.ts"
import { type Reason, storedReasons } from "../../answering/retrieval/reasons.ts"
import { firstIdAt, idsOf } from "../../base/ids.ts"
import { camelNames } from "../../base/names.ts"
import type { Db } from "../../db/connection.ts"
import { inPortions, type Portion } from "../../db/portions.ts"
import type { Row, Schema } from "../../db/schema.ts"
import { deleteRows } from "../../db/store.ts"
import { contains } from "../../db/words.ts"
import { forgetMails } from "../../mail/outbox.ts"

/** A stored question with its answer. */
export interface AskedQuestion {
  id: string
  question: string
  page: string | null
  status: "answered" | "no_answer"
  answer: string
  sources: Source[]
  /** Pages that were offered in place of the answer, or beside it. */
  related: RelatedPage[]
  /** The visitor's feedback; null without one. */
  useful: boolean | null
  /** Why it did not help, if the visitor said so. */
  reason: FeedbackReason | null
  /** Numbers of the pages beside the answer that the visitor opened, from 1 on. */
  opened: number[]
  /** Why it was answered or not; undefined where that was not stored. */
  reasons: Reason[] | undefined
  /** Only a greeting or thanks, or a trial by `guichet ask`; null for a question of a visitor. */
  courtesy: Courtesy | "trial" | null
  /** Id of the answer that began the conversation; null for one that follows no other. */
  conversation: string | null
  /** Id of the owner's answer that was given; null for any other. */
  chosenId: string | null
  /** How a program asked it; null for one asked on a page. */
  via: "mcp" | null
  /** Estimated probability that what was found answers, 0 to 1; null where nothing was judged. */
  confidence: number | null
  askedAt: number
}

export interface AskedQuestionFilter {
  sinceMs: number
  status?: "answered" | "no_answer" | undefined
  useful?: boolean | undefined
  /** Whether passages were offered in place of an answer. */
  offered?: true | undefined
  /** Whether the visitor opened a page beside the answer. */
  opened?: boolean | undefined
  /** Leaves out greetings, thanks and trials. */
  questionsOnly?: boolean
  /** Words that the question holds, in whatever order, case and accents. */
  text?: string | undefined
  /** Path of the page that it was asked on. */
  page?: string | undefined
}

/** Resolves to false when the project has no such question. */
export async function removeAskedQuestion(db: Db, projectId: string, id: string): Promise<boolean> {
  const [removed] = await deleteRows(db, "answer", { id, project_id: projectId })
  if (!removed) return false
  // A mail about the project's gaps may quote it.
  await forgetMails(db, projectId)
  return true
}

export async function findAskedQuestion(db: Db, projectId: string, id: string) {
  const row = await db
    .selectFrom("answer")
    .select(shownColumns)
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .executeTakeFirst()
  return row && toAskedQuestion(row)
}

/** The texts of these questions that the project still has, by id. */
export async function questionTexts(
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

/** Part of a list, and where the next part begins. */
export interface FoundQuestions {
  asked: AskedQuestion[]
  /** Id after which the list goes on; null at its end. */
  next: string | null
  /** The scan limit was reached before the page was full. */
  isCutShort: boolean
}

/** Questions that are looked at to find those of a kind; a search then leaves it to its reader to go on. */
export const maxLookedAt = 100_000
/** Words of one search: people type fewer. */
const maxSoughtWords = 8
const maxSoughtLength = 200

/** Newest first: those older than the question with id `after`. `mostRows`: questions that are looked at. */
export async function listAskedQuestions(
  db: Db,
  projectId: string,
  filter: AskedQuestionFilter,
  { after, atMost }: { after: string | undefined; atMost: number },
  mostRows: number = maxLookedAt,
): Promise<FoundQuestions> {
  const ids: string[] = []
  let next: string | null = null
  for await (const portion of answerPortions(db, projectId, filter.sinceMs, { after, mostRows })) {
    const rows = await matching(db, answersIn(db, projectId, filter.sinceMs, portion), filter)
      .select("id")
      .orderBy("id", "desc")
      .limit(atMost + 1 - ids.length)
      .execute()
    ids.push(...idsOf(rows))
    next = portion.last ?? null
    if (ids.length > atMost) break
  }
  const isFull = ids.length > atMost
  const shown = ids.slice(0, atMost)
  return {
    asked: await questionsWith(db, shown),
    next: isFull ? (shown.at(-1) ?? null) : next,
    isCutShort: !isFull && next !== null,
  }
}

type Answers = ReturnType<typeof answersIn>

/** All of it is asked of indexes that hold it: no answer is read. */
function matching(
  db: Db,
  answers: Answers,
  { status, useful, offered, opened, questionsOnly, text, page }: AskedQuestionFilter,
): Answers {
  return answers
    .$if(page !== undefined, (query) => query.where("page", "=", page as string))
    .$if(status !== undefined, (query) => query.where("status", "=", status as "answered"))
    .$if(offered === true, (query) =>
      query.where("status", "=", "no_answer").where("related", "is not", null),
    )
    .$if(questionsOnly === true, (query) => query.where("courtesy", "is", null))
    .$if(useful !== undefined, (query) => query.where("useful", "=", useful ? 1 : 0))
    .$if(opened !== undefined, (query) => query.where("opened", opened ? "is not" : "is", null))
    .$call((query) =>
      wordsIn(text ?? "").reduce((narrowed, word) => narrowed.where(contains(db, "folded", word)), query),
    )
}

function wordsIn(text: string): string[] {
  const words = foldedQuestion(text.slice(0, maxSoughtLength)).split(/\s+/).filter(Boolean)
  return [...new Set(words)].slice(0, maxSoughtWords)
}

async function questionsWith(db: Db, ids: readonly string[]): Promise<AskedQuestion[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom("answer").select(shownColumns).where("id", "in", ids).execute()
  return rows.map(toAskedQuestion).sort((one, other) => (one.id < other.id ? 1 : -1))
}

/** Truncates answers, because those stored before `maxAnswerCharacters` existed may have megabytes. */
export function shownColumns({ fn, val }: ExpressionBuilder<Schema, "answer">) {
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
    "conversation",
    "chosen_id",
    "opened",
    "reasons",
    "via",
    "confidence",
    "created_at",
  ] as const
}

export type ShownRow = Omit<
  Row<"answer">,
  "project_id" | "generation" | "cache_key" | "folded" | "gap" | "edition"
>

export function toAskedQuestion({ created_at: askedAt, ...row }: ShownRow): AskedQuestion {
  return {
    ...camelNames(row),
    sources: JSON.parse(row.sources) as Source[],
    related: storedRelated(row.related),
    useful: row.useful === null ? null : row.useful === 1,
    opened: placesOpened(row.opened),
    reasons: storedReasons(row.reasons),
    askedAt,
  }
}

/** Those of one portion. With one bound at each end: of two, SQLite seeks by the first and walks to the second. */
export function answersIn(db: Db, projectId: string, sinceMs: number, { after, last }: Portion) {
  return db
    .selectFrom("answer")
    .where("project_id", "=", projectId)
    .where("id", ">=", last ?? firstIdAt("ans", sinceMs))
    .$if(after !== undefined, (query) => query.where("id", "<", after as string))
}

/** The questions of a project since `sinceMs`, newest first, in portions of about 20 ms. */
export function answerPortions(
  db: Db,
  projectId: string,
  sinceMs: number,
  reading: Parameters<typeof inPortions>[2] = {},
) {
  return inPortions(
    db,
    async (after, offset) => {
      const row = await answersIn(db, projectId, sinceMs, { after, last: undefined })
        .select("id")
        .orderBy("id", "desc")
        .offset(offset)
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },
    reading,
  )
}

/** At most `atMost` answers since `sinceMs` that `narrow` leaves, newest first. */
export async function latestAnswers<Found>(
  db: Db,
  projectId: string,
  { sinceMs, atMost }: { sinceMs: number; atMost: number },
  narrow: (answers: Answers) => SelectQueryBuilder<Schema, "answer", Found>,
): Promise<Found[]> {
  const hits: Found[] = []
  for await (const portion of answerPortions(db, projectId, sinceMs, { mostRows: maxLookedAt })) {
    const rows = await narrow(answersIn(db, projectId, sinceMs, portion))
      .orderBy("id", "desc")
      .limit(atMost - hits.length)
      .execute()
    hits.push(...rows)
    if (hits.length >= atMost) break
  }
  return hits
}

/** How often each value of a column stands in the questions since `sinceMs`. */
export async function countByColumn(
  db: Db,
  projectId: string,
  sinceMs: number,
  column: "chosen_id" | "page",
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for await (const portion of answerPortions(db, projectId, sinceMs)) {
    const rows = await answersIn(db, projectId, sinceMs, portion)
      .select(({ fn, ref }) => [ref(column).as("value"), fn.countAll<number>().as("count")])
      .where(column, "is not", null)
      .where("courtesy", "is", null)
      .groupBy(column)
      .execute()
    for (const { value, count } of rows)
      counts.set(value as string, (counts.get(value as string) ?? 0) + count)
  }
  return counts
}

/** For each question as it is searched, how many who asked it opened a page beside their answer. */
export async function countOpened(
  db: Db,
  projectId: string,
  folded: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (folded.length === 0) return new Map()
  const rows = await db
    .selectFrom("answer")
    .select(({ fn }) => ["folded", fn.countAll<number>().as("count")])
    .where("project_id", "=", projectId)
    .where("folded", "in", folded)
    .where("opened", "is not", null)
    .groupBy("folded")
    .execute()
  return new Map(rows.map((row) => [row.folded as string, Number(row.count)]))
}

/** Changes with each question that is asked; undefined before the first one. */
export async function newestAnswerId(db: Db, projectId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("answer")
    .select("id")
    .where("project_id", "=", projectId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
