import type { Clock } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import { passageEmbedding } from "../../index/embedding/embed-passages.ts"
import { providerModel } from "../../index/embedding/provider-model.ts"
import { checkModels } from "../llm/check-models.ts"
import { toRefusal } from "../llm/failure.ts"
import { type ModelLimits, modelLimits } from "../llm/limits.ts"
import { type OnModelCall, openModelClient } from "../llm/model-client.ts"
import type { Provider } from "../llm/provider.ts"
import { generativeAnswerer } from "./generate.ts"
import { modelUnderstanding } from "./understand.ts"

export type Models = ReturnType<typeof openModels>

/** All that a language model does for the assistant. */
export function openModels(
  provider: Provider,
  { db, clock, log, onCall }: { db: Db; clock: Clock; log: Log; onCall?: OnModelCall },
  limits: Partial<ModelLimits> = {},
) {
  const client = openModelClient(provider, clock, { ...modelLimits, ...limits }, onCall)
  const { embeddingName } = provider
  return {
    answerer: generativeAnswerer(client, provider.name),
    understanding: modelUnderstanding(client, embeddingName, (message, failure) =>
      log.warning(message, { reason: failure.message }),
    ),
    /** Undefined when the provider makes no vectors. */
    embedding:
      embeddingName === undefined
        ? undefined
        : passageEmbedding(
            db,
            providerModel(embeddingName, async (texts, signal, onRequest) => {
              try {
                return await client.embedDocuments(texts, signal, onRequest)
              } catch (error) {
                throw toRefusal(error)
              }
            }),
          ),
    counts: client.counts,
    /** Tries the key and each model with one small call. Never rejects. */
    check: (signal: AbortSignal) => checkModels(provider, client, signal),
  }
}
