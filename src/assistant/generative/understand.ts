import type { Understanding } from "../ask/retrieve.ts"
import { questionVector } from "../embedding/question-vector.ts"
import { ModelFailure } from "../llm/failure.ts"
import type { ModelClient } from "../llm/model-client.ts"
import { parseStandalone, standalonePrompt } from "./standalone.ts"

/** Understands questions with a model. A failure is reported to `onFailure`, and its result is undefined. */
export function modelUnderstanding(
  client: ModelClient,
  embeddingName: string | undefined,
  onFailure: (message: string, failure: ModelFailure) => void,
): Understanding {
  async function orUndefined<Result>(
    message: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      onFailure(message, error)
      return undefined
    }
  }

  return {
    embeddingName,
    standalone: (question, signal) =>
      orUndefined("the follow-up was not made standalone", async () =>
        parseStandalone(await client.writeShort(standalonePrompt(question), signal)),
      ),
    vectorOf: (question, signal) =>
      orUndefined("the question has no vector: words alone found passages", () =>
        client.embedQuery(question, signal).then((vector) => questionVector(vector, undefined)),
      ),
  }
}
