import type { Subprocess } from "bun"
import { secondMs } from "../base/clock.ts"
import { type Detail, detail } from "../base/errors.ts"
import type { Environment } from "../config/parse.ts"
import { diesWithParent } from "./child-process.ts"
import { processMemory, processorMsOf } from "./process-usage.ts"

/**
 * A process that works on one request at a time. It is killed when a request exceeds a limit; the next
 * request gets a new process. Once disposed of, it answers nothing that still waits, and starts no process.
 */
export interface LimitedWorker extends AsyncDisposable {
  /** Rejects when the process cannot be started. `times`: how often the limit of processor time it may take. */
  ask(request: unknown, times?: number): Promise<WorkerAnswer>
}

/** `exceeded`: the reason why there is no answer. */
export type WorkerAnswer = { answer: unknown } | { exceeded: Detail }

export interface WorkerLimits {
  /** Processor time of one request, which does not depend on how busy the machine is. */
  processorMs: number
  /** Time on the clock: the limit of a request that waits, and of systems that count no processor time. */
  elapsedMs: number
  /** Memory of the process at any moment. */
  memoryBytes: number
  /** A process without a request for so long ends, and the next request starts one; undefined: it stays. */
  idleMs?: number
}

const checkEveryMs = 50

/**
 * `command` starts a process that answers each message of its parent with one of its own; the first request
 * starts it. A process rather than a thread: a thread that is busy in a regular expression cannot be ended.
 */
export function openLimitedWorker(
  command: readonly string[],
  environment: Environment,
  limits: WorkerLimits,
): LimitedWorker {
  let worker: Subprocess | undefined
  let pending: PromiseWithResolvers<WorkerAnswer> | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let idle: Timer | undefined
  let isClosed = false

  function ask(request: unknown, times = 1): Promise<WorkerAnswer> {
    const allowed = { ...limits, processorMs: limits.processorMs * times }
    const answered = queue.then(() => askNow(request, allowed))
    queue = answered.catch(() => {})
    return answered
  }

  async function askNow(request: unknown, allowed: WorkerLimits): Promise<WorkerAnswer> {
    if (isClosed) return { exceeded: detail("reading.calledOff") }
    clearTimeout(idle)
    const reply = Promise.withResolvers<WorkerAnswer>()
    pending = reply
    worker ??= start()
    const { pid } = worker
    const startedMs = performance.now()
    const processorMs = processorMsOf(pid) ?? 0
    const check = setInterval(() => {
      const used = (processorMsOf(pid) ?? 0) - processorMs
      const exceeded = exceededLimit(used, performance.now() - startedMs, processMemory(pid), allowed)
      if (exceeded) void end(exceeded)
    }, checkEveryMs)
    try {
      worker.send(request)
      return await reply.promise
    } finally {
      clearInterval(check)
      pending = undefined
      // Memory that a large request left behind would count against the next one.
      if (worker && processMemory(pid) > limits.memoryBytes / 2) await end()
      if (limits.idleMs !== undefined) idle = setTimeout(() => void end(), limits.idleMs).unref()
    }
  }

  function start(): Subprocess {
    const started: Subprocess = Bun.spawn([...command], {
      env: { ...environment, ...diesWithParent },
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (answer) => pending?.resolve({ answer }),
      onExit: () => {
        if (worker === started) void end(detail("reading.parserEnded"))
      },
    })
    return started
  }

  /** Resolves the pending request once the process has ended, so that its memory is free again. */
  async function end(exceeded = detail("reading.calledOff")): Promise<void> {
    const reply = pending
    const ended = worker
    worker = undefined
    ended?.kill("SIGKILL")
    await ended?.exited
    reply?.resolve({ exceeded })
  }

  return {
    ask,
    [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(idle)
      return end()
    },
  }
}

function exceededLimit(usedMs: number, elapsedMs: number, memoryBytes: number, limits: WorkerLimits) {
  if (usedMs > limits.processorMs)
    return detail("reading.processorTime", { seconds: limits.processorMs / secondMs })
  if (elapsedMs > limits.elapsedMs)
    return detail("reading.elapsedTime", { seconds: limits.elapsedMs / secondMs })
  if (memoryBytes > limits.memoryBytes)
    return detail("reading.memory", { megabytes: Math.round(limits.memoryBytes / 1024 / 1024) })
  return undefined
}
