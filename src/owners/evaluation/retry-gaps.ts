import type { Project } from "../../accounts/project.ts"
import type { AnswerResult } from "../../answering/ask/answer.ts"
import type { Assistant } from "../../answering/ask/ask.ts"
import { secondMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import type { Gap } from "../gaps/gaps.ts"
import { tryOut } from "./trial.ts"

/** Gaps that are asked again at once: each may cost a call of a model. */
export const maxRetried = 20
/** No further gap is begun after this time. */
const withinMs = 15 * secondMs

/**
 * Asks gaps again, those asked most first, without counting or keeping anything. Resolves to what each came to, by
 * its id; gaps without time or place are left out. Throws Refusal: `not_indexed`, and `unavailable` when there was
 * no place for any.
 */
export async function retryGaps(
  assistant: Assistant,
  project: Project,
  gaps: readonly Pick<Gap, "id" | "question">[],
  signal: AbortSignal,
): Promise<Map<string, AnswerResult>> {
  const results = new Map<string, AnswerResult>()
  const startedMs = performance.now()
  for (const { id, question } of gaps.slice(0, maxRetried)) {
    if (signal.aborted || performance.now() - startedMs > withinMs) break
    try {
      results.set(id, (await tryOut(assistant, project, question, {}, signal)).result)
    } catch (error) {
      if (results.size > 0 && error instanceof Refusal && error.code === "unavailable") break
      throw error
    }
  }
  return results
}
