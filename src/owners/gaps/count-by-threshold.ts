import type { AnswerThreshold } from "../../accounts/project.ts"
import { answerThresholds } from "../../accounts/projects/record.ts"
import { thresholds } from "../../answering/retrieval/thresholds.ts"
import type { Db } from "../../db/connection.ts"
import { latestAnswers } from "./asked-questions.ts"

export interface ThresholdCounts {
  /** Of the last hundred questions of visitors, those whose answer was judged. */
  judged: number
  /** How many of these each threshold answers. */
  answered: Record<AnswerThreshold, number>
}

const lastQuestions = 100

/** Counts how many of the last questions each threshold answers, by the confidence that was stored with each. */
export async function countByThreshold(db: Db, projectId: string): Promise<ThresholdCounts> {
  const rows = await latestAnswers(db, projectId, { sinceMs: 0, atMost: lastQuestions }, (answers) =>
    answers.select("confidence").where("courtesy", "is", null),
  )
  const confidences = rows.flatMap(({ confidence }) => confidence ?? [])
  const countFrom = (least: number) => confidences.filter((confidence) => confidence >= least).length
  const counts = answerThresholds.map((name) => [name, countFrom(thresholds[name])] as const)
  return {
    judged: confidences.length,
    answered: Object.fromEntries(counts) as Record<AnswerThreshold, number>,
  }
}
