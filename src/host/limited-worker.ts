import type { Subprocess } from "bun"
import { secondMs } from "../base/clock.ts"
import { type Detail, detail } from "../base/errors.ts"
import { diesWithParent } from "./parent.ts"
import { memoryOf, processorMsOf } from "./usage.ts"

/**
 * A process that works on one request at a time, and is killed when one takes too much: the next gets a new
 * process.
 */
export interface LimitedWorker extends AsyncDisposable {
  /** Rejects when the process cannot be started. */
  ask(request: unknown): Promise<WorkerAnswer>
}

/** `exceeded`: why there is no answer. */
export type WorkerAnswer = { answer: unknown } | { exceeded: Detail }

export interface WorkerLimits {
  /** Processor time of one request: however busy the machine is, a request has it for itself. */
  processorMs: number
  /** Whatever the process does meanwhile, and where processor time is not counted. */
  elapsedMs: number
  /** Of the process, at any moment. */
  memoryBytes: number
}

const checkEveryMs = 50

/**
 * `command` starts a process that answers each message of its parent with one of its own. It is started at
 * the first request. Whatever keeps it busy, a regular expression included, ends with it, which no thread of
 * our own process would.
 */
export function openLimitedWorker(
  command: readonly string[],
  environment: Record<string, string | undefined>,
  limits: WorkerLimits,
): LimitedWorker {
  let worker: Subprocess | undefined
  let waiting: PromiseWithResolvers<WorkerAnswer> | undefined
  let line: Promise<unknown> = Promise.resolve()

  function ask(request: unknown): Promise<WorkerAnswer> {
    const answered = line.then(() => askNow(request))
    line = answered.catch(() => {})
    return answered
  }

  async function askNow(request: unknown): Promise<WorkerAnswer> {
    const asked = Promise.withResolvers<WorkerAnswer>()
    waiting = asked
    worker ??= start()
    const { pid } = worker
    const startedMs = performance.now()
    const processorMs = processorMsOf(pid) ?? 0
    const check = setInterval(() => {
      const used = (processorMsOf(pid) ?? 0) - processorMs
      const exceeded = excessOf(used, performance.now() - startedMs, memoryOf(pid), limits)
      if (exceeded) void end(exceeded)
    }, checkEveryMs)
    try {
      worker.send(request)
      return await asked.promise
    } finally {
      clearInterval(check)
      waiting = undefined
      // What a large request left behind would count against the next one.
      if (worker && memoryOf(pid) > limits.memoryBytes / 2) await end()
    }
  }

  function start(): Subprocess {
    const started: Subprocess = Bun.spawn([...command], {
      env: { ...environment, ...diesWithParent },
      stdio: ["ignore", "ignore", "ignore"],
      serialization: "advanced",
      ipc: (answer) => waiting?.resolve({ answer }),
      onExit: () => {
        if (worker === started) void end(detail("reading.parserEnded"))
      },
    })
    return started
  }

  /** Answers once the process is no more: its memory is free again. */
  async function end(exceeded = detail("reading.calledOff")): Promise<void> {
    const asked = waiting
    const ended = worker
    worker = undefined
    ended?.kill("SIGKILL")
    await ended?.exited
    asked?.resolve({ exceeded })
  }

  return {
    ask,
    [Symbol.asyncDispose]: () => end(),
  }
}

function excessOf(
  usedMs: number,
  elapsedMs: number,
  memoryBytes: number,
  limits: WorkerLimits,
): Detail | undefined {
  if (usedMs > limits.processorMs)
    return detail("reading.processorTime", { seconds: limits.processorMs / secondMs })
  if (elapsedMs > limits.elapsedMs)
    return detail("reading.elapsedTime", { seconds: limits.elapsedMs / secondMs })
  if (memoryBytes > limits.memoryBytes)
    return detail("reading.memory", { megabytes: Math.round(limits.memoryBytes / 1024 / 1024) })
  return undefined
}
