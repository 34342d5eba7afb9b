import { releaseMemory } from "../../host/release-memory.ts"
import { openE5 } from "../../index/embedding/local/e5.ts"
import { type ModelCall, modelAnswerer } from "../../index/embedding/local/model-process.ts"

/**
 * Runs in a process of ours that makes vectors for another, which alone starts it: no command for people. Ends with
 * its parent only. `folder`: where the built program unpacks the runtime.
 */
export function answerParent(folder: string | undefined): Promise<never> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
  const answer = modelAnswerer(async () => {
    const e5 = await openE5(folder ?? "/tmp")
    // Half of what opening took is garbage by now, and this process may live as long as the service.
    releaseMemory()
    return e5
  })
  process.on("message", async (call: ModelCall) => process.send?.(await answer(call)))
  process.on("disconnect", () => process.exit())
  return new Promise(() => {})
}
