import type { Project } from "../../accounts/project.ts"
import type { RelatedPage } from "../../answering/ask/next-pages.ts"
import { storedRelated } from "../../answering/ask/related.ts"
import { detail, required } from "../../base/errors.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { inStepsOver } from "../../db/steps.ts"
import { changeRows } from "../../db/store.ts"
import { latestAnswers } from "./asked-questions.ts"
import { groupQuestionsOnce, type QuestionGroup } from "./group-questions.ts"

/** The owner's verdict on questions that the documentation does not answer. */
export type GapMark = "treated" | "off_topic"
/** `open`: no operator has marked it, or it was asked again after it had been treated. */
export type GapState = "open" | GapMark
export const gapStates = ["open", "treated", "off_topic"] as const satisfies GapState[]

/** Questions without an answer that ask for the same thing. */
export interface Gap extends QuestionGroup<UnansweredQuestion> {
  /** Id of the latest of these answers, by which others name the gap. */
  id: string
  state: GapState
  /** When it was asked again after it had been treated. */
  isBack: boolean
  /** The pages that came nearest when it was asked last; none for what the documentation is not about. */
  nearest: RelatedPage[]
  /** The latest generation that did not answer. */
  generation: number
}

interface UnansweredQuestion {
  id: string
  question: string
  askedAt: number
  gap: GapMark | null
  related: string | null
  generation: number
}

/** Latest unanswered questions that are grouped. Earlier ones rarely ask for anything else. */
const maxGroupedQuestions = 2000

/** Groups similar questions that the documentation has not answered since `sinceMs`, largest group first. */
export async function listGaps(
  db: Db,
  { id, language }: Pick<Project, "id" | "language">,
  sinceMs: number,
): Promise<Gap[]> {
  const unanswered = await latestAnswers(db, id, { sinceMs, atMost: maxGroupedQuestions }, (answers) =>
    answers
      .select(["id", "question", "created_at as askedAt", "gap", "related", "generation"])
      .where("status", "=", "no_answer")
      .where("courtesy", "is", null),
  )
  return (await groupQuestionsOnce(db, unanswered, language)).map(toGap)
}

function toGap(group: QuestionGroup<UnansweredQuestion>): Gap {
  const newestFirst = group.asked.toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const latest = newestFirst[0] as UnansweredQuestion
  const withRelated = newestFirst.find(({ related }) => related !== null)
  return {
    ...group,
    id: latest.id,
    ...gapState(newestFirst),
    nearest: storedRelated(withRelated?.related ?? null),
    generation: Math.max(...group.asked.map(({ generation }) => generation)),
  }
}

/** A gap that is off topic stays so; a treated one is open again once a visitor asks for it and gets no answer. */
function gapState(newestFirst: readonly UnansweredQuestion[]): Pick<Gap, "state" | "isBack"> {
  if (newestFirst.some(({ gap }) => gap === "off_topic")) return { state: "off_topic", isBack: false }
  const isTreated = newestFirst.every(({ gap }) => gap === "treated")
  if (isTreated) return { state: "treated", isBack: false }
  return { state: "open", isBack: newestFirst.some(({ gap }) => gap === "treated") }
}

/** The gaps of the period that hold one of these answers. */
export async function findGaps(
  db: Db,
  project: Pick<Project, "id" | "language">,
  { ids, sinceMs }: NamedGaps,
): Promise<Gap[]> {
  const gaps = await listGaps(db, project, sinceMs)
  return gaps.filter(({ asked }) => asked.some(({ id }) => ids.includes(id)))
}

export interface NamedGaps {
  ids: readonly string[]
  sinceMs: number
}

/** Throws Refusal `not_found` for gaps without a question in the period. */
export async function requireGaps(db: Db, project: Pick<Project, "id" | "language">, named: NamedGaps) {
  const gaps = await findGaps(db, project, named)
  required(gaps[0], detail("assistant.answerNotFound"))
  return gaps
}

/** Marks every question of a gap, or takes the marks away. */
export async function applyGapMark(db: Db, projectId: string, { asked }: Gap, mark: GapMark | null) {
  await inStepsOver(db, idsOf(asked), answerBytes, (transaction, ids) =>
    changeRows(transaction, "answer", { project_id: projectId, id: ids }, { gap: mark }),
  )
}

/** An answer that is rewritten, with its question and its sources. */
const answerBytes = 20_000
