import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { openSemaphore, sleep, withTimeout } from "../../base/async.ts"
import type { Clock } from "../../base/clock.ts"
import { normalised } from "../embedding/embedder.ts"
import { type Circuit, openCircuit } from "./circuit.ts"
import { type FailureKind, ModelFailure } from "./failure.ts"
import { inTime } from "./in-time.ts"
import type { ModelLimits } from "./limits.ts"
import type { EmbeddingPurpose, Prompt, Provider } from "./provider.ts"

/**
 * Calls to a provider, bounded in every way. They throw ModelFailure, or the caller's own reason when the
 * caller goes away.
 */
export interface ModelCalls {
  /**
   * A place for a question and all the calls it takes, given back by disposing of it. Throws ModelFailure
   * `crowded`.
   */
  enter(): Disposable
  /** The text in pieces. Tried again only while nothing has come. */
  write(prompt: Prompt, signal: AbortSignal): AsyncGenerator<string>
  /** The whole of a short text, soon or not at all. */
  writeSoon(prompt: Prompt, signal: AbortSignal): Promise<string>
  /** The vector of a question, soon or not at all. */
  embedSoon(question: string, signal: AbortSignal): Promise<Float32Array>
  /** Vectors for an index: tried again and again, for minutes. `onRequest` is told of each request. */
  embedPatiently(
    texts: readonly string[],
    signal: AbortSignal,
    onRequest: () => void,
  ): Promise<Float32Array[]>
  counts(): ModelCounts
}

/** Since the start of this process. */
export interface ModelCounts {
  /** Requests begun. */
  calls: { write: number; embed: number }
  failures: Partial<Record<FailureKind, number>>
  inFlight: number
  waiting: number
  /** 1 while the model is left alone after too many failures. */
  resting: { write: 0 | 1; embed: 0 | 1 }
}

type Kind = "write" | "embed"

export function openCalls(provider: Provider, clock: Clock, limits: ModelLimits): ModelCalls {
  const places = openSemaphore(limits.inFlight)
  const circuits: Record<Kind, Circuit> = {
    write: openCircuit(clock, limits),
    embed: openCircuit(clock, limits),
  }
  const calls = { write: 0, embed: 0 }
  const failures: Partial<Record<FailureKind, number>> = {}
  let questions = 0

  /** As many as may call and wait: each does one or the other. */
  function enter(): Disposable {
    if (questions >= limits.inFlight + limits.waiting) throw counted(new ModelFailure("crowded"))
    questions++
    return { [Symbol.dispose]: () => questions-- }
  }

  async function* write(prompt: Prompt, signal: AbortSignal): AsyncGenerator<string> {
    const endsAtMs = performance.now() + limits.answerMs
    for (let tried = 1; ; tried++) {
      let began = false
      try {
        for await (const piece of pieces(prompt, signal, { ...limits, endsAtMs })) {
          began = true
          yield piece
        }
        return
      } catch (error) {
        const pauseMs = limits.retryPauseMs * tried
        const leftMs = endsAtMs - performance.now()
        const mayPass = error instanceof ModelFailure && error.isPassing && tried < limits.tries
        if (began || !mayPass || (error.retryAfterMs ?? 0) > pauseMs || leftMs < pauseMs) throw error
        await sleep(pauseMs, signal)
      }
    }
  }

  async function* pieces(
    prompt: Prompt,
    signal: AbortSignal,
    times: Parameters<typeof inTime>[2],
  ): AsyncGenerator<string> {
    const end = await begin("write", signal, times.endsAtMs)
    let came = 0
    try {
      for await (const piece of inTime((stop) => provider.write(prompt, stop), signal, times)) {
        if (++came > maxPieces) throw new ModelFailure("too_large", { detail: `over ${maxPieces} pieces` })
        // They may all be there at once.
        if (came % piecesAtOnce === 0) await yieldToEventLoop()
        yield piece
      }
      end()
    } catch (error) {
      throw end(error)
    } finally {
      end("left")
    }
  }

  async function writeSoon(prompt: Prompt, signal: AbortSignal): Promise<string> {
    const endsAtMs = performance.now() + limits.helpMs
    let text = ""
    for await (const piece of pieces(prompt, signal, {
      firstPieceMs: limits.helpMs,
      pauseMs: limits.helpMs,
      endsAtMs,
    }))
      text += piece
    return text
  }

  async function embed(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    signal: AbortSignal,
    ms: number,
  ): Promise<Float32Array[]> {
    const endsAtMs = performance.now() + ms
    const end = await begin("embed", signal, endsAtMs)
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
   * Takes a place; what it resolves to is called once with the outcome, gives the place back and returns the
   * error.
   */
  async function begin(kind: Kind, signal: AbortSignal, endsAtMs: number) {
    const circuit = circuits[kind]
    let leave = () => {}
    try {
      circuit.check()
      leave = await turn(signal, endsAtMs)
      circuit.begin()
    } catch (error) {
      leave()
      throw counted(error)
    }
    calls[kind]++
    let ended = false
    return (outcome?: unknown): unknown => {
      if (ended) return outcome
      ended = true
      leave()
      if (outcome === undefined) circuit.succeeded()
      else if (outcome instanceof ModelFailure) circuit.failed(outcome)
      else circuit.unknown()
      return counted(outcome)
    }
  }

  async function turn(signal: AbortSignal, endsAtMs: number): Promise<() => void> {
    if (places.running() >= limits.inFlight && places.waiting() >= limits.waiting)
      throw new ModelFailure("crowded")
    const late = AbortSignal.timeout(Math.max(1, Math.round(endsAtMs - performance.now())))
    try {
      return await places.acquire(AbortSignal.any([signal, late]))
    } catch (error) {
      if (signal.aborted) throw error
      throw new ModelFailure("crowded", { detail: "waited in vain" })
    }
  }

  function counted(error: unknown): unknown {
    if (error instanceof ModelFailure) failures[error.kind] = (failures[error.kind] ?? 0) + 1
    return error
  }

  async function embedPatiently(texts: readonly string[], signal: AbortSignal, onRequest: () => void) {
    for (let tried = 1; ; tried++) {
      try {
        onRequest()
        return await embed(texts, "document", signal, limits.embeddingMs)
      } catch (error) {
        const mayPass = error instanceof ModelFailure && (error.isPassing || error.kind === "circuit")
        if (!mayPass || tried === limits.embeddingTries) throw error
        await sleep(Math.max(limits.embeddingPauseMs * 2 ** (tried - 1), error.retryAfterMs ?? 0), signal)
      }
    }
  }

  return {
    enter,
    write,
    writeSoon,
    embedPatiently,
    embedSoon: async (question, signal) =>
      (await embed([question], "question", signal, limits.helpMs))[0] as Float32Array,
    counts: () => ({
      calls: { ...calls },
      failures: { ...failures },
      inFlight: places.running(),
      waiting: places.waiting(),
      resting: { write: circuits.write.isOpen() ? 1 : 0, embed: circuits.embed.isOpen() ? 1 : 0 },
    }),
  }
}

/**
 * Of one reply. A model writes some characters in each: an answer that is dropped for its length has fewer.
 */
const maxPieces = 20_000
const piecesAtOnce = 200

/**
 * Of length 1, whatever the model makes. Throws ModelFailure `garbled` unless there is one of the same size
 * for each text.
 */
function checkedVectors(vectors: readonly (readonly number[])[], count: number): Float32Array[] {
  const size = vectors[0]?.length ?? 0
  const checked = vectors.flatMap((vector) =>
    Array.isArray(vector) && vector.length === size && vector.every((value) => typeof value === "number")
      ? (normalised(vector) ?? [])
      : [],
  )
  if (size === 0 || checked.length !== count || vectors.length !== count)
    throw new ModelFailure("garbled", { detail: `${checked.length} vectors for ${count} texts` })
  return checked
}
