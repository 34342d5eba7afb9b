import { gemini } from "./gemini.ts"
import type { ModelNetwork } from "./model-http.ts"
import { openai } from "./openai.ts"
import type { Provider } from "./provider.ts"

type Settings =
  | { provider: "extractive" }
  | { provider: "gemini"; model: string; embeddingModel: string; baseUrl: string | undefined }
  | { provider: "openai"; model: string; embeddingModel: string | undefined; baseUrl: string }

/** The provider that the settings name; undefined for extractive answers, which need no model. */
export function chooseProvider(
  settings: Settings,
  /** They may change. */
  keys: { geminiKey: string | undefined; openaiKey: string | undefined },
  network: ModelNetwork,
): Provider | undefined {
  if (settings.provider === "gemini") return gemini({ ...settings, key: () => keys.geminiKey ?? "" }, network)
  if (settings.provider === "openai") return openai({ ...settings, key: () => keys.openaiKey }, network)
  return undefined
}
