import type { Language, Project } from "../../accounts/project.ts"
import type { AnswerResult } from "./answer.ts"
import { type Courtesy, courtesyOf } from "./courtesy.ts"

/** The reply to a visitor when the documentation does not answer (specification, part 2 A2), in a project's words. */
export type NoAnswer = (
  project: Pick<Project, "kindWord" | "noAnswerMore" | "language">,
  language: Language,
  to: "question" | Courtesy,
) => string

/**
 * The result with the text of its refusal, if it is one: that text is the project's of today, also where the rest was
 * found before.
 */
export function withRefusalText(
  noAnswer: NoAnswer,
  project: Parameters<NoAnswer>[0],
  { question, language }: { question: string; language: Language },
  result: AnswerResult,
): AnswerResult {
  if (result.status === "answered") return result
  return { ...result, answer: noAnswer(project, language, courtesyOf(question) ?? "question") }
}
