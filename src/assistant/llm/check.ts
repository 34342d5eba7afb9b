import type { ModelCalls } from "./calls.ts"
import type { Provider } from "./provider.ts"

/** One model that was tried. */
export interface CheckedModel {
  /** `gemini gemini-flash-latest` */
  model: string
  ok: boolean
  /** What is wrong and what to do about it; empty when nothing is. */
  problem: string
}

/** Tries both models of a provider, and with them the address and the key. */
export async function checkModels(
  provider: Provider,
  calls: ModelCalls,
  signal: AbortSignal,
): Promise<CheckedModel[]> {
  const tried = [attempt(provider.name, () => write(calls, signal))]
  const { embeddingName } = provider
  if (embeddingName !== undefined)
    tried.push(attempt(embeddingName, () => calls.embedSoon("Guichet", signal)))
  return Promise.all(tried)
}

async function write(calls: ModelCalls, signal: AbortSignal): Promise<void> {
  const prompt = {
    system: "Say whether you are ready.",
    user: "Are you ready?",
    schema: { type: "object", properties: { ready: { type: "boolean" } } },
  } as const
  for await (const _ of calls.write(prompt, signal)) {
    // What it says does not matter.
  }
}

async function attempt(model: string, work: () => Promise<unknown>): Promise<CheckedModel> {
  try {
    await work()
    return { model, ok: true, problem: "" }
  } catch (error) {
    return { model, ok: false, problem: (error as Error).message }
  }
}
