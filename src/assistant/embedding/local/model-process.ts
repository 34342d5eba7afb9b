import { packVectors } from "../packed-vectors.ts"
import type { E5, PassageText } from "./e5.ts"

/** One call of the model, as its process gets it. */
export type ModelCall = { question: string } | { passages: PassageText[] }

/** A question's vector, or the packed vectors of each passage; `failed`: why there is none, in English. */
export type ModelAnswer = { vector: Float32Array } | { packed: Uint8Array[] } | { failed: string }

/** Answers calls in the process that was started for them; the model is opened at the first one. */
export function openModelProcess(open: () => Promise<E5>): (call: ModelCall) => Promise<ModelAnswer> {
  let opened: Promise<E5> | undefined
  return async (call) => {
    try {
      opened ??= open()
      const e5 = await opened
      if ("question" in call) return { vector: e5.question(call.question) }
      const packed = call.passages.map((text) => {
        const { passage, pieces } = e5.passage(text)
        return packVectors(passage, pieces)
      })
      return { packed }
    } catch (error) {
      opened = undefined
      return { failed: (error as Error).message }
    }
  }
}

/**
 * Why this processor cannot run the model in useful time, in English; undefined when it can. `cpuinfo`: the text of
 * /proc/cpuinfo, empty where the system has none.
 */
export function processorTrouble(architecture: string, cpuinfo: string): string | undefined {
  if (architecture !== "x64" || cpuinfo === "") return undefined
  return /^flags\s*:.*\bavx2\b/m.test(cpuinfo) ? undefined : "the processor has no AVX2"
}
