import type { Project } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import { answerPortions, answersIn } from "./asked-questions.ts"
import { type DatedQuestion, groupQuestionsOnce } from "./group-questions.ts"

/** Latest questions that are grouped: what is asked most is among them. */
const maxGroupedQuestions = 2000
/** And so many questions are looked at for them. */
const maxLookedAt = 100_000
/** A question that one visitor asked may say something about that visitor. */
const leastTimes = 2

/** The questions with an answer that were asked most often since `sinceMs`, at most `most`. */
export async function frequentAnswered(
  db: Db,
  { id, language }: Pick<Project, "id" | "language">,
  sinceMs: number,
  most: number,
): Promise<string[]> {
  const helped: DatedQuestion[] = []
  for await (const portion of answerPortions(db, id, sinceMs, { mostRows: maxLookedAt })) {
    const rows = await answersIn(db, id, sinceMs, portion)
      .select(["question", "created_at as askedAt"])
      .where("status", "=", "answered")
      .where("courtesy", "is", null)
      .where(({ or, eb }) => or([eb("useful", "is", null), eb("useful", "=", 1)]))
      .orderBy("id", "desc")
      .limit(maxGroupedQuestions - helped.length)
      .execute()
    helped.push(...rows)
    if (helped.length >= maxGroupedQuestions) break
  }
  const groups = await groupQuestionsOnce(db, helped, language)
  return groups
    .filter(({ times }) => times >= leastTimes)
    .slice(0, most)
    .map(({ question }) => question)
}
