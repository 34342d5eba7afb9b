import type { Project } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import { answerPortions, answersIn, latestAnswers, maxLookedAt } from "./asked-questions.ts"
import { groupQuestionsOnce, type QuestionGroup } from "./group-questions.ts"

/** Different texts that are grouped, those asked most. */
const maxTexts = 300

interface FrequentText {
  /** Id of the latest of these answers. */
  id: string
  question: string
  askedAt: number
  times: number
}

/** The questions asked most since `sinceMs`, whether answered or not, grouped by what they ask for. */
export async function frequentQuestions(
  db: Db,
  { id, language }: Pick<Project, "id" | "language">,
  { sinceMs, page, atMost }: { sinceMs: number; page?: string | undefined; atMost: number },
): Promise<QuestionGroup<FrequentText>[]> {
  const texts = new Map<string, { latest: string; times: number }>()
  for await (const portion of answerPortions(db, id, sinceMs, { mostRows: maxLookedAt })) {
    const rows = await answersIn(db, id, sinceMs, portion)
      .select(({ fn }) => ["folded", fn.max("id").as("latest"), fn.countAll<number>().as("times")])
      .where("folded", "is not", null)
      .$if(page !== undefined, (query) => query.where("page", "=", page as string))
      // Two indexes are read, and no row: that of the texts does not know what counts as a question.
      .where(
        "id",
        "not in",
        answersIn(db, id, sinceMs, portion).select("id").where("courtesy", "is not", null),
      )
      .groupBy("folded")
      .execute()
    // The newest portion comes first, and with it the latest of each text.
    for (const { folded, latest, times } of rows) {
      const entry = texts.get(folded as string)
      if (entry) entry.times += times
      else texts.set(folded as string, { latest, times })
    }
  }
  const asksMost = [...texts.values()]
    .sort((one, other) => other.times - one.times || (one.latest < other.latest ? 1 : -1))
    .slice(0, maxTexts)
  const times = new Map(asksMost.map((text) => [text.latest, text.times]))
  if (times.size === 0) return []
  const rows = await db
    .selectFrom("answer")
    .select(["id", "question", "created_at as askedAt"])
    .where("id", "in", [...times.keys()])
    .orderBy("id", "desc")
    .execute()
  const questions = rows.map((row) => ({ ...row, times: times.get(row.id) ?? 1 }))
  return (await groupQuestionsOnce(db, questions, language)).filter(({ times }) => times > 1).slice(0, atMost)
}

/** Latest questions that are grouped: what is asked most is among them. */
const maxGroupedQuestions = 2000
/** A question that one visitor asked may say something about that visitor. */
const leastTimes = 2

/** The questions with an answer that were asked most often since `sinceMs`, at most `most`. */
export async function frequentAnswered(
  db: Db,
  { id, language }: Pick<Project, "id" | "language">,
  sinceMs: number,
  most: number,
): Promise<string[]> {
  const helped = await latestAnswers(db, id, { sinceMs, atMost: maxGroupedQuestions }, (answers) =>
    answers
      .select(["question", "created_at as askedAt"])
      .where("status", "=", "answered")
      .where("courtesy", "is", null)
      .where(({ or, eb }) => or([eb("useful", "is", null), eb("useful", "=", 1)])),
  )
  const groups = await groupQuestionsOnce(db, helped, language)
  return groups
    .filter(({ times }) => times >= leastTimes)
    .slice(0, most)
    .map(({ question }) => question)
}
