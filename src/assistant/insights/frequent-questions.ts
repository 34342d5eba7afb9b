import type { Project } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import { answersSince } from "./asked-questions.ts"
import { groupQuestions, type QuestionGroup } from "./group-questions.ts"

/** Different texts that are grouped, those asked most. */
const maxTexts = 300

interface FrequentText {
  /** Of the latest of these answers. */
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
  const texts = await answersSince(db, id, sinceMs, page)
    .select(({ fn }) => [fn.max("id").as("latest"), fn.countAll<number>().as("times")])
    .where("folded", "is not", null)
    // Two indexes are read, and no row: that of the texts does not know what counts as a question.
    .where("id", "not in", answersSince(db, id, sinceMs).select("id").where("courtesy", "is not", null))
    .groupBy("folded")
    .orderBy("times", "desc")
    .orderBy("latest", "desc")
    .limit(maxTexts)
    .execute()
  const times = new Map(texts.map((text) => [text.latest, text.times]))
  if (times.size === 0) return []
  const rows = await db
    .selectFrom("answer")
    .select(["id", "question", "created_at as askedAt"])
    .where("id", "in", [...times.keys()])
    .orderBy("id", "desc")
    .execute()
  const asked = rows.map((row) => ({ ...row, times: times.get(row.id) ?? 1 }))
  return (await groupQuestions(asked, language)).filter(({ times }) => times > 1).slice(0, atMost)
}
