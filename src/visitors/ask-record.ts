import type { AskResult, Assistant } from "../answering/ask/ask.ts"
import { unavailable } from "../answering/ask/queue.ts"
import type { AskReply } from "../answering/ask/store-answer.ts"
import { secondMs } from "../base/clock.ts"
import { Refusal } from "../base/errors.ts"
import type { Log } from "../base/log.ts"
import { requestId } from "../http/request-id.ts"
import { englishReason } from "../wording/english.ts"

interface AskSpan {
  within<Result>(work: () => Result): Result
  end(isError: boolean, attributes: Record<string, string | number | boolean | undefined>): void
}

/** Dependencies of every door to the assistant; `App` satisfies them. */
export interface AskDeps {
  assistant: Assistant
  config: { trustedProxies: readonly string[]; publicUrl: string }
  log: Log
  /** Records every question: the status of its answer or the code of its refusal, and how long it took. */
  metrics: {
    observeAsk(result: string, seconds: number): void
    tracing: { ask(traceparent: string | null): AskSpan }
  }
}

/** One question, from its request to its line in the log. */
export interface AskRecord {
  note(fields: Record<string, unknown>): void
  /** Its answer is looked for within. */
  within<Result>(work: () => Result): Result
  answered(result: AskResult): AskReply
  refused(error: unknown): Refusal
}

/** Logs one line about each question: never the question, never the visitor. */
export function askRecords({
  log: programLog,
  metrics,
}: Pick<AskDeps, "log" | "metrics">): (request: Request) => AskRecord {
  const log = programLog.getChild("ask")
  return (request) => {
    const startedMs = performance.now()
    const span = metrics.tracing.ask(request.headers.get("traceparent"))
    const logFields: Record<string, unknown> = { requestId: requestId(request) }
    const recordMetric = (result: string) =>
      metrics.observeAsk(result, (performance.now() - startedMs) / secondMs)
    const attributes = (result: string) => ({
      "guichet.project": logFields["project"] as string | undefined,
      "guichet.via": logFields["via"] as string | undefined,
      "guichet.result": result,
    })
    const closingFields = () => ({ ...logFields, ms: Math.round(performance.now() - startedMs) })
    return {
      note(fields) {
        Object.assign(logFields, fields)
      },
      within: span.within,
      answered({ reply, cached }) {
        recordMetric(reply.status)
        span.end(false, { ...attributes(reply.status), "guichet.cached": cached })
        log.info("question answered", {
          ...closingFields(),
          status: reply.status,
          sources: reply.sources.length,
          cached,
        })
        return reply
      },
      refused(error) {
        const refusal = error instanceof Refusal ? error : unexpected(error)
        recordMetric(refusal.code)
        span.end(refusal.code === "unavailable", attributes(refusal.code))
        const level = refusal.code === "unavailable" && !request.signal.aborted ? "error" : "info"
        log[level]("question refused", {
          ...closingFields(),
          code: refusal.code,
          reason: englishReason(refusal),
        })
        return refusal
      },
    }
  }
}

/** The log gets its kind and where it happened. Its message may quote the question. */
export function unexpected(error: unknown): Refusal {
  return unavailable(errorOrigin(error), 10)
}

function errorOrigin(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return "not an error"
  const { code, errno } = error as NodeJS.ErrnoException
  const codes = [...new Set([code, errno])].filter((each) => /^[\w-]{1,60}$/.test(String(each ?? "")))
  // An error of the database's driver may have no frame.
  const frames = error.stack?.split("\n").filter((line) => /^ {4}at /.test(line)) ?? []
  const kind = [error.name, ...codes].join(" ")
  const cause =
    error.cause === undefined || depth === 3 ? [] : [`from ${errorOrigin(error.cause, depth + 1)}`]
  return [kind, ...frames, ...cause].join("\n")
}
