import type { ModelClient } from "./model-client.ts"
import type { Provider } from "./provider.ts"

/** The result of trying one model. */
export interface CheckedModel {
  /** Provider and model, such as `gemini gemini-flash-latest`. */
  model: string
  ok: boolean
  /** The failure and what to do about it; empty when the model works. */
  problem: string
}

/** Tries both models of a provider, and with them its address and key. */
export async function checkModels(provider: Provider, client: ModelClient, signal: AbortSignal) {
  const checks = [tryModel(provider.name, () => tryWriting(client, signal))]
  const { embeddingName } = provider
  if (embeddingName !== undefined)
    checks.push(tryModel(embeddingName, () => client.embedQuery("Guichet", signal)))
  return Promise.all(checks)
}

async function tryWriting(client: ModelClient, signal: AbortSignal): Promise<void> {
  const prompt = {
    system: "Say whether you are ready.",
    user: "Are you ready?",
    schema: { type: "object", properties: { ready: { type: "boolean" } } },
  } as const
  for await (const _ of client.write(prompt, signal)) {
    // Only the failure matters, not the text.
  }
}

async function tryModel(model: string, call: () => Promise<unknown>): Promise<CheckedModel> {
  try {
    await call()
    return { model, ok: true, problem: "" }
  } catch (error) {
    return { model, ok: false, problem: (error as Error).message }
  }
}
