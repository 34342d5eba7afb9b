import type { ModelSettings } from "../../config/config.ts"
import { gemini } from "./gemini.ts"
import type { ModelNetwork } from "./model-http.ts"
import { openai } from "./openai.ts"
import type { Provider } from "./provider.ts"

/** The provider that the settings name; undefined for extractive answers, which need no model. */
export function chooseProvider(
  settings: ModelSettings,
  /** They may change. */
  keys: { geminiKey: string | undefined; openaiKey: string | undefined },
  network: ModelNetwork,
): Provider | undefined {
  if (settings.provider === "gemini") return gemini({ ...settings, key: () => keys.geminiKey ?? "" }, network)
  if (settings.provider === "openai") return openai({ ...settings, key: () => keys.openaiKey }, network)
  return undefined
}
