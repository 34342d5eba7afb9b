import type { Clock } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Answerer } from "../answerer.ts"
import type { Understanding } from "../ask/understanding.ts"
import { type PassageEmbedding, passageEmbedding } from "../embedding/embed-passages.ts"
import { type ModelCounts, openCalls } from "../llm/calls.ts"
import { type CheckedModel, checkModels } from "../llm/check.ts"
import { type ModelLimits, modelLimits } from "../llm/limits.ts"
import type { Provider } from "../llm/provider.ts"
import { refusalOf } from "../llm/refusal.ts"
import { understandingBy } from "./understand.ts"
import { written } from "./written.ts"

/** What a language model does for the assistant. */
export interface Models {
  answerer: Answerer
  understanding: Understanding
  /** undefined: the provider makes no vectors. */
  embedding: PassageEmbedding | undefined
  counts(): ModelCounts
  /** Tries the key and each model with one small call. Never rejects. */
  check(signal: AbortSignal): Promise<CheckedModel[]>
}

export function openModels(
  provider: Provider,
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  limits: Partial<ModelLimits> = {},
): Models {
  const calls = openCalls(provider, clock, { ...modelLimits, ...limits })
  const { embeddingName } = provider
  return {
    answerer: written(calls, provider.name),
    understanding: understandingBy(calls, embeddingName, (what, failure) =>
      log.warning(what, { reason: failure.message }),
    ),
    embedding:
      embeddingName === undefined
        ? undefined
        : passageEmbedding(db, embeddingName, async (texts, signal, onRequest) => {
            try {
              return await calls.embedPatiently(texts, signal, onRequest)
            } catch (error) {
              throw refusalOf(error)
            }
          }),
    counts: calls.counts,
    check: (signal) => checkModels(provider, calls, signal),
  }
}
