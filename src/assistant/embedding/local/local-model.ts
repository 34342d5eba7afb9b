import { type Clock, minuteMs } from "../../../base/clock.ts"
import type { LimitedWorker } from "../../../host/limited-worker.ts"
import type { PassageText } from "./e5.ts"
import type { ModelAnswer, ModelCall } from "./model-process.ts"

/**
 * The embedded model, in a process of its own: its inference blocks a thread, and what breaks it, a processor that
 * lacks an instruction included, ends that process alone.
 */
export interface LocalModel extends AsyncDisposable {
  /** Vector of a question; undefined when the model is busy, broken or called off: words alone answer then. */
  embedQuestion(question: string, signal: AbortSignal): Promise<Float32Array | undefined>
  /** Packed vectors of each passage. Throws an Error that says in English why there are none. */
  embedPassages(passages: readonly PassageText[]): Promise<Uint8Array[]>
  state(): LocalModelState
}

export interface LocalModelState {
  /** `starting`: not asked yet. */
  state: "starting" | "ready" | "broken"
  /** Why it is broken, in English. */
  reason: string | undefined
  /** Questions that got no vector because too many others waited or it took too long. */
  busy: number
}

interface LocalModelDeps {
  clock: Clock
  /** Why the model cannot run on this machine at all. */
  trouble: string | undefined
  openWorker(): LimitedWorker
  /** Told when the model breaks, and when it works again. */
  onChange(state: LocalModelState): void
}

/** At 7 ms each, the last of them waits a tenth of a second. */
const maxWaiting = 16
/** A question that waits longer is answered by words. The first one after a start pays for opening the model. */
const maxWaitMs = 500
/** A model that broke is not tried at every question. */
const restMs = minuteMs

export function openLocalModel({ clock, trouble, openWorker, onChange }: LocalModelDeps): LocalModel {
  let worker: LimitedWorker | undefined
  let waiting = 0
  let state: LocalModelState = trouble
    ? { state: "broken", reason: trouble, busy: 0 }
    : { state: "starting", reason: undefined, busy: 0 }
  let brokenAt = Number.NEGATIVE_INFINITY

  function become(next: Omit<LocalModelState, "busy">): void {
    const changed = next.state !== state.state || next.reason !== state.reason
    state = { ...state, ...next }
    if (changed) onChange(state)
  }

  async function call(asked: ModelCall): Promise<Exclude<ModelAnswer, { failed: string }>> {
    if (trouble) throw new Error(trouble)
    worker ??= openWorker()
    let answer: ModelAnswer
    try {
      const worked = await worker.ask(asked)
      answer = "exceeded" in worked ? { failed: worked.exceeded } : (worked.answer as ModelAnswer)
    } catch (error) {
      answer = { failed: (error as Error).message }
    }
    if ("failed" in answer) {
      brokenAt = clock.now()
      become({ state: "broken", reason: answer.failed })
      throw new Error(answer.failed)
    }
    become({ state: "ready", reason: undefined })
    return answer
  }

  return {
    async embedQuestion(question, signal) {
      if (trouble || (state.state === "broken" && clock.now() - brokenAt < restMs)) return undefined
      if (waiting >= maxWaiting) {
        state = { ...state, busy: state.busy + 1 }
        return undefined
      }
      waiting++
      const answered = call({ question })
        .then((answer) => ("vector" in answer ? answer.vector : undefined))
        .catch(() => undefined)
        .finally(() => waiting--)
      const { promise: tooLate, resolve } = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => {
        state = { ...state, busy: state.busy + 1 }
        resolve(undefined)
      }, maxWaitMs)
      const calledOff = () => resolve(undefined)
      signal.addEventListener("abort", calledOff, { once: true })
      try {
        return await Promise.race([answered, tooLate])
      } finally {
        clearTimeout(timer)
        signal.removeEventListener("abort", calledOff)
      }
    },

    async embedPassages(passages) {
      const answer = await call({ passages: [...passages] })
      return "packed" in answer ? answer.packed : []
    },

    state: () => state,

    async [Symbol.asyncDispose]() {
      await worker?.[Symbol.asyncDispose]()
    },
  }
}
