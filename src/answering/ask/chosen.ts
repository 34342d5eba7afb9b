import type { Project } from "../../accounts/project.ts"
import type { LiveIndex } from "../../indexing/live-index.ts"
import type { FoundChosen } from "../chosen/match-chosen.ts"
import { type AskedEdition, askedEdition, type Place } from "../editions/edition-index.ts"
import { nothingDecided } from "../retrieval/decide-whether-answered.ts"
import {
  type AnswerDeps,
  type AnsweredQuestion,
  type AnswerRequest,
  type AnswerResult,
  answerQuestion,
} from "./answer.ts"
import type { CitedPiece } from "./citations.ts"
import { courtesyOf } from "./courtesy.ts"
import { type NoAnswer, withRefusalText } from "./no-answer.ts"
import type { AskQueue } from "./queue.ts"

/** The answer that the owner of a project wrote for this question, if any. */
export async function findChosen(
  { chosen, localUnderstanding }: Pick<AnswerDeps, "chosen" | "localUnderstanding">,
  { id, name }: Pick<Project, "id" | "name">,
  { generation }: Pick<LiveIndex, "generation">,
  { hasPage }: Pick<AskedEdition, "hasPage">,
  { question, language }: Pick<AnswerRequest, "question" | "language">,
  signal: AbortSignal,
): Promise<FoundChosen | undefined> {
  if (!chosen || courtesyOf(question) !== undefined) return undefined
  const vectorOf = localUnderstanding?.vectorOf
  return chosen.find({ project: { id, name }, language, question, generation, hasPage, vectorOf }, signal)
}

/** A chosen answer as the reply to a visitor; `onPiece` receives it whole. */
export function chosenResult(
  { id: chosenId, answer, sources }: FoundChosen,
  onPiece: (piece: CitedPiece) => void = () => {},
): AnswerResult {
  onPiece({ text: answer, sources })
  return { status: "answered", answer, sources, chosenId }
}

/**
 * Answers a question as a visitor's, in turn with those of visitors: the owner's own answer comes before what the
 * documentation gives. Throws Refusal `unavailable`, also when the queue is full.
 */
export async function answerAsVisitor(
  deps: AnswerDeps & { queue: AskQueue; noAnswer: NoAnswer },
  project: Project,
  live: LiveIndex,
  place: Place,
  request: AnswerRequest,
  signal: AbortSignal,
): Promise<AnsweredQuestion> {
  const leave = deps.queue.enter() ?? (await deps.queue.wait(project.id, signal))
  try {
    const edition = await askedEdition(live.index, project, place)
    const chosen = await findChosen(deps, project, live, edition, request, signal)
    if (!chosen) {
      const answered = await answerQuestion(deps, edition, request, signal, undefined, leave)
      return { ...answered, result: withRefusalText(deps.noAnswer, project, request, answered.result) }
    }
    return { result: chosenResult(chosen), retrieval: nothingDecided, isFallback: false, chosen }
  } finally {
    leave()
  }
}
