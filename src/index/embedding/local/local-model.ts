import { readFileSync } from "node:fs"
import { mean } from "../../../../data/model/mean-question.json"
import { type Clock, minuteMs, secondMs } from "../../../base/clock.ts"
import { type Detail, detail, type Explanation } from "../../../base/errors.ts"
import type { LimitedWorker, WorkerLimits } from "../../../host/limited-worker.ts"
import { type QuestionVector, questionVector } from "../embedder.ts"
import type { PassageText } from "./e5.ts"
import type { EmbeddedText, ModelAnswer, ModelCall } from "./model-process.ts"

/**
 * The embedded model, in a process of its own. Inference blocks a thread, so it must not share the service's; and a
 * fault of native code, an unknown instruction included, ends that process alone.
 */
export interface LocalModel extends AsyncDisposable {
  /** The vector of a question. Undefined when the model is busy or broken: words alone find passages then. */
  embedQuestion(question: string, signal: AbortSignal): Promise<QuestionVector | undefined>
  /** Throws a LocalModelFailure when the model is broken. */
  embedPassages(passages: readonly PassageText[]): Promise<EmbeddedText[]>
  /** Opens the model, so that no question waits for that. Never rejects. */
  warm(): Promise<void>
  status(): LocalModelStatus
}

export interface LocalModelStatus {
  /** `idle`: not asked yet. */
  state: "idle" | "ready" | "broken"
  /** Why it is broken. */
  reason: Explanation | undefined
  /** Questions that got no vector because too many waited, or because theirs took too long. */
  busyQuestions: number
}

export class LocalModelFailure extends Error {
  override readonly name = "LocalModelFailure"
  readonly reason: Explanation
  constructor(reason: Explanation) {
    super(typeof reason === "string" ? reason : reason.code)
    this.reason = reason
  }
}

interface LocalModelDeps {
  clock: Clock
  /** Starts the process; called again after it broke. */
  openWorker(): LimitedWorker
  /** Called when the model breaks, and when it works again. */
  onChange(status: LocalModelStatus): void
}

const commonVector = new Float32Array(new Uint8Array(Buffer.from(mean, "base64")).buffer)

/** Questions take some 8 ms each, one after another: the last of them waits a quarter of a second. */
const maxWaiting = 32
/** A question that waits longer is answered by words. */
const maxWaitMs = 500
/** A broken model is not tried again at every question. */
const restMs = minuteMs

type Vectors = Exclude<ModelAnswer, { failed: string }>

/** Limits of the process that embeds questions: the model needs a third of the memory, and a hundredth of the time. */
export const questionLimits: WorkerLimits = {
  processorMs: 20 * secondMs,
  elapsedMs: 20 * secondMs,
  memoryBytes: 512 * 1024 * 1024,
}

/** Limits of a process that embeds passages. It ends when nothing is left to index: it takes some 200 MB. */
export const passageLimits: WorkerLimits = {
  processorMs: 10 * minuteMs,
  elapsedMs: 10 * minuteMs,
  memoryBytes: 768 * 1024 * 1024,
  idleMs: 10 * secondMs,
}

export function openLocalModel({ clock, openWorker, onChange }: LocalModelDeps): LocalModel {
  let worker: LimitedWorker | undefined
  let waiting = 0
  let isClosing = false
  let brokenAtMs = Number.NEGATIVE_INFINITY
  const status: LocalModelStatus = { state: "idle", reason: undefined, busyQuestions: 0 }

  function become(state: LocalModelStatus["state"], reason: Explanation | undefined): void {
    const isNew = state !== status.state
    Object.assign(status, { state, reason })
    if (isNew) onChange({ ...status })
  }

  async function call(request: ModelCall): Promise<Vectors> {
    const answer = await tryCall(request)
    if (!("failed" in answer)) {
      become("ready", undefined)
      return answer
    }
    if (isClosing) throw new LocalModelFailure(answer.failed)
    brokenAtMs = clock.now()
    become("broken", answer.failed)
    throw new LocalModelFailure(answer.failed)
  }

  async function tryCall(request: ModelCall): Promise<Vectors | { failed: Explanation }> {
    try {
      worker ??= openWorker()
      const reply = await worker.ask(request)
      return "exceeded" in reply ? { failed: modelExcess(reply.exceeded) } : (reply.answer as ModelAnswer)
    } catch (error) {
      return { failed: (error as Error).message }
    }
  }

  async function vectorOf(question: string): Promise<QuestionVector | undefined> {
    waiting++
    try {
      const answer = await call({ question })
      return "vector" in answer ? questionVector(answer.vector, commonVector) : undefined
    } catch {
      // The status tells why, and `onChange` was told.
      return undefined
    } finally {
      waiting--
    }
  }

  return {
    async embedQuestion(question, signal) {
      if (status.state === "broken" && clock.now() - brokenAtMs < restMs) return undefined
      if (waiting >= maxWaiting) {
        status.busyQuestions++
        return undefined
      }
      const { promise: gaveUp, resolve } = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => {
        status.busyQuestions++
        resolve(undefined)
      }, maxWaitMs)
      const leave = () => resolve(undefined)
      signal.addEventListener("abort", leave, { once: true })
      try {
        return await Promise.race([vectorOf(question), gaveUp])
      } finally {
        clearTimeout(timer)
        signal.removeEventListener("abort", leave)
      }
    },

    async embedPassages(passages) {
      const answer = await call({ passages: [...passages] })
      return "passages" in answer ? answer.passages : []
    },

    async warm() {
      await call({ question: "" }).catch(() => {})
    },

    status: () => ({ ...status }),

    async [Symbol.asyncDispose]() {
      isClosing = true
      await worker?.[Symbol.asyncDispose]()
    },
  }
}

/** The limit that its process exceeded, said of the model: the worker's own words are about the reading of a page. */
function modelExcess({ code, params }: Detail): Detail {
  if (code === "reading.memory")
    return detail("checks.modelMemory", { megabytes: params?.["megabytes"] as number })
  return code.endsWith("Time") ? detail("checks.modelTime") : detail("checks.modelEnded")
}

/** Processors of PCs need AVX2 to run the model in useful time. Undefined: supported. */
export function unsupportedProcessor(
  architecture = process.arch,
  cpuinfo = readCpuInfo(),
): Detail | undefined {
  if (architecture !== "x64" || cpuinfo === "") return undefined
  return /^flags\s*:.*\bavx2\b/m.test(cpuinfo) ? undefined : detail("checks.noAvx2")
}

/**
 * How this processor multiplies 8-bit matrices: of the same text, equal ones make the same vector, others one whose
 * cosine to it is .9967.
 */
export function processorArithmetic(architecture = process.arch, cpuinfo = readCpuInfo()): string {
  if (architecture !== "x64") return architecture
  return /^flags\s*:.*\b(?:avx512_vnni|avx_vnni)\b/m.test(cpuinfo) ? "x64-vnni" : "x64-avx2"
}

function readCpuInfo(): string {
  try {
    return readFileSync("/proc/cpuinfo", "utf8")
  } catch {
    return ""
  }
}
