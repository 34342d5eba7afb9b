import { AsyncLocalStorage } from "node:async_hooks"
import { secondMs } from "../../base/clock.ts"
import type { TracingSettings } from "../../config/tracing.ts"
import type { Attributes, Dropped, Ended, SpanDeps, SpanSink, TraceContext } from "./spans.ts"

/** The span of a question that is being answered. */
export interface AskSpan {
  /** Spans that begin within `work`, however long it takes, are children of this one. */
  within<Result>(work: () => Result): Result
  end(isError: boolean, attributes: Attributes): void
}

export interface TracingDeps extends Omit<SpanDeps, "settings"> {
  settings: TracingSettings | undefined
  now(): number
}

const noSpan: AskSpan = { within: (work) => work(), end() {} }

export type Tracing = ReturnType<typeof openTracing>

/** Sends spans to an OpenTelemetry collector, if one is set. Disposing of it sends what waits, in bounded time. */
export function openTracing(deps: TracingDeps) {
  const { settings, now } = deps
  const dropped: Dropped = { queue_full: 0, not_taken: 0 }
  const current = new AsyncLocalStorage<TraceContext>()
  let sink: SpanSink | undefined
  return {
    /** Loads what makes spans: only the service does. */
    async start() {
      if (!settings || sink) return
      const { openSpans } = await import("./spans.ts")
      sink = openSpans({ ...deps, settings }, dropped)
    },
    /** `traceparent`: that of the caller, who may be anybody (W3C Trace Context). */
    ask(traceparent: string | null): AskSpan {
      const span = sink?.begin("guichet.ask", { kind: "server", traceparent, startMs: now() })
      if (!span) return noSpan
      return {
        within: (work) => current.run(span.context, work),
        end: (isError, attributes) => span.end({ isError, attributes, endMs: now() }),
      }
    },
    /** A part of a question that ended now. Nothing outside of a question. */
    part(name: string, kind: "internal" | "client", seconds: number, ended?: Ended) {
      const context = sink && current.getStore()
      if (!context) return
      const endMs = now()
      sink?.begin(name, { kind, context, startMs: endMs - seconds * secondMs }).end({ ...ended, endMs })
    },
    /** Work that no question waits for, and that ended now. */
    work(name: string, seconds: number, ended: Ended) {
      const endMs = now()
      const startMs = endMs - seconds * secondMs
      sink?.begin(name, { kind: "client", startMs }).end({ ...ended, endMs })
    },
    /** Spans that were not sent, by reason. */
    dropped: (): Dropped => ({ ...dropped }),
    async [Symbol.asyncDispose]() {
      const ending = sink
      sink = undefined
      await ending?.close()
    },
  }
}
