import { secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"

/** For the log: why a call to a language model failed, and what the owner can do about it. */
const adviceFor = {
  key: "the key is refused: check that it is whole, active and allowed to use this API",
  model: "the server knows no such model, or not for this use: check the names of both models",
  address: "the server answers with a redirect: set the base url to its final address",
  refused:
    "the server refuses the request: check that the model takes a JSON schema and that the base url is right",
  limited: "the server limits requests, or its quota is used up: raise it there, or wait",
  server: "the server has failed: see its status page, or its log if it is yours",
  unreachable:
    "the server cannot be reached: check the base url, this machine's network and the outbound proxy, if any",
  tls: "no connection that can be trusted",
  silent: "the model did not begin to answer in time: a smaller or nearer one may",
  stalled: "the model stopped in the middle of its answer: see the server's status page or log",
  slow: "the model did not finish in time: a faster one may",
  cut_off: "the connection ended in the middle of the answer: see the server's status page or log",
  truncated:
    "the model reached its output limit before the end: raise the server's limit, or take another model",
  blocked: "the provider's safety filter stopped this answer: nothing to do, unless it happens often",
  recitation: "the provider stopped the answer for quoting too much: nothing to do, unless it happens often",
  empty: "the model gave no answer at all: if it happens often, take another model",
  not_json: "the model did not answer in JSON: take one that supports structured output",
  wrong_schema:
    "the model's JSON does not have the shape asked for: take one that supports structured output",
  language:
    "the model answered twice in another language than the question's: take one that follows instructions",
  garbled: "the server's reply is not what its API promises: check the base url",
  too_large: "the reply was too large and was dropped: check the base url, or take another model",
  crowded:
    "too many questions wait for the model: a faster model, or a higher rate at the provider, serves more",
  circuit: "the model failed several times in a row and is left alone for a moment: see the failures before",
} as const

export type FailureKind = keyof typeof adviceFor

/** Failures that any question would meet: several in a row open the circuit breaker. */
const outages: readonly FailureKind[] = [
  "key",
  "model",
  "address",
  "refused",
  "limited",
  "server",
  "unreachable",
  "tls",
  "silent",
  "stalled",
  "slow",
  "cut_off",
  "garbled",
]
/** Failures that a retry may well overcome. */
const transient: readonly FailureKind[] = ["limited", "server", "unreachable"]

interface FailureOptions {
  /** A status or error name of the server. Never a free text, which may quote a question. */
  detail?: string | undefined
  /** In place of the usual one. */
  advice?: string
  /** The pause that the server asks for. */
  retryAfterMs?: number | undefined
}

/** A failed call to a language model. `toRefusal` makes it the Refusal `unavailable` that a face can show. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure"
  readonly kind: FailureKind
  readonly retryAfterMs: number | undefined

  constructor(kind: FailureKind, { detail, advice = adviceFor[kind], retryAfterMs }: FailureOptions = {}) {
    super(`${kind}${detail ? ` (${detail})` : ""}: ${advice}`)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }

  get isOutage(): boolean {
    return outages.includes(this.kind)
  }

  get isTransient(): boolean {
    return transient.includes(this.kind)
  }
}

/** Turns a ModelFailure into Refusal `unavailable`, whose reason tells the owner what to do; others pass. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof ModelFailure)) return error
  const retryAfterSeconds = Math.max(1, Math.ceil((error.retryAfterMs ?? usualRetryMs) / secondMs))
  return new Refusal("unavailable", detail("assistant.unavailable"), {
    reason: `language model: ${error.message}`,
    retryAfterSeconds,
  })
}

const usualRetryMs = 30 * secondMs
