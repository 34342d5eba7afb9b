import type { Understanding } from "../ask/understanding.ts"
import type { ModelCalls } from "../llm/calls.ts"
import { ModelFailure } from "../llm/failure.ts"
import { standaloneOf, standalonePrompt } from "./standalone.ts"

/** What a model makes of questions. What it fails to make is told to `onFailure`, and missed. */
export function understandingBy(
  calls: ModelCalls,
  embeddingName: string | undefined,
  onFailure: (what: string, failure: ModelFailure) => void,
): Understanding {
  async function had<Result>(what: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      onFailure(what, error)
      return undefined
    }
  }

  return {
    embeddingName,
    standalone: (asked, signal) =>
      had("the follow-up was not made standalone", async () =>
        standaloneOf(await calls.writeSoon(standalonePrompt(asked), signal)),
      ),
    vectorOf: (question, signal) =>
      had("the question has no vector: words alone found passages", () => calls.embedSoon(question, signal)),
  }
}
