import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { openSemaphore, type Semaphore, sleep, withTimeout } from "../../base/async.ts"
import { type Clock, secondMs } from "../../base/clock.ts"
import { unitVector } from "../../index/embedding/embedder.ts"
import { openCircuitBreaker } from "./circuit-breaker.ts"
import { type FailureKind, ModelFailure } from "./failure.ts"
import type { ModelLimits } from "./limits.ts"
import type { EmbeddingPurpose, Prompt, Provider } from "./provider.ts"

/** Counters since the start of this process. */
export interface ModelCounts {
  /** Requests sent. */
  calls: { write: number; embed: number }
  failures: Partial<Record<FailureKind, number>>
  inFlight: number
  waiting: number
  /** 1 while the circuit breaker is open. */
  resting: { write: 0 | 1; embed: 0 | 1 }
}

type CallKind = "write" | "embed"

/** Is told of each request that ended; `failure` is its kind, `other` where it was given up. */
export type OnModelCall = (use: CallKind, seconds: number, failure: FailureKind | "other" | undefined) => void

/**
 * Calls a provider with timeouts, retries, a concurrency limit and a circuit breaker. Every method throws
 * ModelFailure, or the caller's own abort reason when the caller goes away.
 */
export type ModelClient = ReturnType<typeof openModelClient>

interface Client {
  provider: Provider
  limits: ModelLimits
  calls: ReturnType<typeof openCalls>
}

export function openModelClient(
  provider: Provider,
  clock: Clock,
  limits: ModelLimits,
  onCall: OnModelCall = () => {},
) {
  const calls = openCalls(clock, limits, onCall)
  const client: Client = { provider, limits, calls }
  return {
    enter: openQuestions(limits, calls.counted),
    write: (prompt: Prompt, signal: AbortSignal) => write(client, prompt, signal),
    /** Writes a short text, within `helpMs` and without retries. */
    async writeShort(prompt: Prompt, signal: AbortSignal): Promise<string> {
      const { helpMs } = limits
      const timeouts = { firstPieceMs: helpMs, pauseMs: helpMs, endsAtMs: performance.now() + helpMs }
      return (await Array.fromAsync(writePieces(client, prompt, signal, timeouts))).join("")
    },
    /** Returns the vector of a question, within `helpMs` and without retries. */
    embedQuery: async (question: string, signal: AbortSignal) =>
      (await embed(client, [question], "query", signal, limits.helpMs))[0] as Float32Array,
    embedDocuments: (texts: readonly string[], signal: AbortSignal, onRequest: () => void) =>
      embedDocuments(client, texts, signal, onRequest),
    counts: calls.counts,
  }
}

/** Streams the text in pieces. Retries only as long as no piece has come. */
async function* write(client: Client, prompt: Prompt, signal: AbortSignal): AsyncGenerator<string> {
  const { limits } = client
  const endsAtMs = performance.now() + limits.answerMs
  for (let attempt = 1; ; attempt++) {
    let hasPieces = false
    try {
      for await (const piece of writePieces(client, prompt, signal, { ...limits, endsAtMs })) {
        hasPieces = true
        yield piece
      }
      return
    } catch (error) {
      const pauseMs = limits.retryPauseMs * attempt
      const leftMs = endsAtMs - performance.now()
      const isRetryable = error instanceof ModelFailure && error.isTransient && attempt < limits.maxAttempts
      if (hasPieces || !isRetryable || (error.retryAfterMs ?? 0) > pauseMs || leftMs < pauseMs) throw error
      await sleep(pauseMs, signal)
    }
  }
}

async function* writePieces(
  { provider, calls }: Client,
  prompt: Prompt,
  signal: AbortSignal,
  timeouts: StreamTimeouts,
): AsyncGenerator<string> {
  const end = await calls.begin("write", signal, timeouts.endsAtMs)
  let count = 0
  try {
    const call = (stop: AbortSignal) => provider.write(prompt, stop)
    for await (const piece of withStreamTimeouts(call, signal, timeouts)) {
      if (++count > maxPieces) throw new ModelFailure("too_large", { detail: `over ${maxPieces} pieces` })
      // All pieces may already be in memory, and then this loop never waits by itself.
      if (count % piecesPerYield === 0) await yieldToEventLoop()
      yield piece
    }
    end()
  } catch (error) {
    throw end(error)
  } finally {
    end("abandoned")
  }
}

/** Returns vectors for an index. Retries for minutes; calls `onRequest` before each request. */
async function embedDocuments(
  client: Client,
  texts: readonly string[],
  signal: AbortSignal,
  onRequest: () => void,
): Promise<Float32Array[]> {
  const { embeddingMs, maxEmbeddingAttempts, embeddingPauseMs } = client.limits
  for (let attempt = 1; ; attempt++) {
    try {
      onRequest()
      return await embed(client, texts, "document", signal, embeddingMs)
    } catch (error) {
      const isRetryable = error instanceof ModelFailure && (error.isTransient || error.kind === "circuit")
      if (!isRetryable || attempt === maxEmbeddingAttempts) throw error
      await sleep(Math.max(embeddingPauseMs * 2 ** (attempt - 1), error.retryAfterMs ?? 0), signal)
    }
  }
}

async function embed(
  { provider, calls }: Client,
  texts: readonly string[],
  purpose: EmbeddingPurpose,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Float32Array[]> {
  const endsAtMs = performance.now() + timeoutMs
  const end = await calls.begin("embed", signal, endsAtMs)
  const stop = new AbortController()
  try {
    const work = provider.embed(texts, purpose, stop.signal)
    const slow = () => new ModelFailure("slow")
    const vectors = await withTimeout(work, endsAtMs - performance.now(), slow, signal)
    const checked = checkedVectors(vectors, texts.length)
    end()
    return checked
  } catch (error) {
    throw end(error)
  } finally {
    stop.abort()
  }
}

/**
 * Reserves a place for one question of a project and all the calls that it takes; disposing gives it back. Throws
 * ModelFailure `crowded`.
 */
function openQuestions({ inFlight, waiting, perProject }: ModelLimits, counted: (error: unknown) => unknown) {
  let questions = 0
  const byProject = new Map<string, number>()
  return (projectId: string): Disposable => {
    const own = byProject.get(projectId) ?? 0
    // Each question either calls or waits, so as many may enter as may do one or the other.
    if (questions >= inFlight + waiting || own >= perProject) throw counted(new ModelFailure("crowded"))
    questions++
    byProject.set(projectId, own + 1)
    return {
      [Symbol.dispose]() {
        questions--
        const left = (byProject.get(projectId) as number) - 1
        if (left > 0) byProject.set(projectId, left)
        else byProject.delete(projectId)
      },
    }
  }
}

/** Counts the calls, and bounds how many run at once and after how many failures no more begin. */
function openCalls(clock: Clock, limits: ModelLimits, onCall: OnModelCall) {
  const semaphore = openSemaphore(limits.inFlight)
  const breakers = { write: openCircuitBreaker(clock, limits), embed: openCircuitBreaker(clock, limits) }
  const calls = { write: 0, embed: 0 }
  const failures: Partial<Record<FailureKind, number>> = {}

  /**
   * Passes the circuit breaker and takes a place of the semaphore. Resolves to a function that ends the call:
   * the first time it is called it records the outcome (undefined: success) and releases the place; it
   * returns the outcome that it was given.
   */
  async function begin(kind: CallKind, signal: AbortSignal, endsAtMs: number) {
    const breaker = breakers[kind]
    let release = () => {}
    try {
      breaker.check()
      release = await acquire(semaphore, limits, signal, endsAtMs)
      breaker.begin()
    } catch (error) {
      release()
      throw counted(error)
    }
    calls[kind]++
    const startedMs = performance.now()
    let isEnded = false
    return (outcome?: unknown): unknown => {
      if (isEnded) return outcome
      isEnded = true
      release()
      const failure = outcome instanceof ModelFailure ? outcome.kind : outcome ? "other" : undefined
      onCall(kind, (performance.now() - startedMs) / secondMs, failure)
      if (outcome === undefined) breaker.succeeded()
      else if (outcome instanceof ModelFailure) breaker.failed(outcome)
      else breaker.inconclusive()
      return counted(outcome)
    }
  }

  function counted(error: unknown): unknown {
    if (error instanceof ModelFailure) failures[error.kind] = (failures[error.kind] ?? 0) + 1
    return error
  }

  const counts = (): ModelCounts => ({
    calls: { ...calls },
    failures: { ...failures },
    inFlight: semaphore.running(),
    waiting: semaphore.waiting(),
    resting: { write: breakers.write.isOpen() ? 1 : 0, embed: breakers.embed.isOpen() ? 1 : 0 },
  })
  return { begin, counted, counts }
}

/** Waits for a place of the semaphore. Throws ModelFailure `crowded` when too many wait, or none comes in time. */
async function acquire(semaphore: Semaphore, limits: ModelLimits, signal: AbortSignal, endsAtMs: number) {
  if (semaphore.running() >= limits.inFlight && semaphore.waiting() >= limits.waiting)
    throw new ModelFailure("crowded")
  const timeout = AbortSignal.timeout(Math.max(1, Math.round(endsAtMs - performance.now())))
  try {
    return await semaphore.acquire(AbortSignal.any([signal, timeout]))
  } catch (error) {
    if (signal.aborted) throw error
    throw new ModelFailure("crowded", { detail: "waited in vain" })
  }
}

/**
 * Pieces of one reply. Each holds some characters, so any answer short enough to be kept has fewer pieces
 * than this.
 */
const maxPieces = 20_000
const piecesPerYield = 200

/**
 * Scales the vectors to length 1. Throws ModelFailure `garbled` unless there is one vector for each text, all
 * of one size.
 */
function checkedVectors(vectors: readonly (readonly number[])[], count: number): Float32Array[] {
  const size = vectors[0]?.length ?? 0
  const checked = vectors.flatMap((vector) =>
    Array.isArray(vector) && vector.length === size && vector.every((value) => typeof value === "number")
      ? (unitVector(vector) ?? [])
      : [],
  )
  if (size === 0 || checked.length !== count || vectors.length !== count)
    throw new ModelFailure("garbled", { detail: `${checked.length} vectors for ${count} texts` })
  return checked
}

interface StreamTimeouts {
  firstPieceMs: number
  /** The longest wait between two pieces. */
  pauseMs: number
  /** On the clock of performance.now(). */
  endsAtMs: number
}

/**
 * Yields the pieces of a call as long as each comes in time. Always ends the call; a call that ignores its
 * signal is abandoned. Throws ModelFailure `silent`, `stalled` or `slow`, or the caller's abort reason when
 * the caller goes away.
 */
async function* withStreamTimeouts<Piece>(
  call: (signal: AbortSignal) => AsyncIterable<Piece>,
  callerSignal: AbortSignal,
  { firstPieceMs, pauseMs, endsAtMs }: StreamTimeouts,
): AsyncGenerator<Piece> {
  callerSignal.throwIfAborted()
  const stop = new AbortController()
  const pieces = call(stop.signal)[Symbol.asyncIterator]()
  let waitMs = firstPieceMs
  let kind: FailureKind = "silent"
  try {
    for (;;) {
      const leftMs = endsAtMs - performance.now()
      const late = () => new ModelFailure(leftMs < waitMs ? "slow" : kind)
      const { done, value } = await withTimeout(pieces.next(), Math.min(waitMs, leftMs), late, callerSignal)
      if (done) return
      yield value
      waitMs = pauseMs
      kind = "stalled"
    }
  } finally {
    stop.abort()
    void pieces.return?.().catch(() => {})
  }
}
