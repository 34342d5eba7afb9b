import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import { parseTraceParent } from "@opentelemetry/core"
import { resourceFromAttributes } from "@opentelemetry/resources"
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace"
import { withTimeout } from "../../base/async.ts"
import { secondMs } from "../../base/clock.ts"
import type { TracingSettings } from "../../config/tracing.ts"
import { type CollectorDeps, openExporter } from "./exporter.ts"

/** Values of spans: ids and codes. No question, no content, and no address, which may hold a secret. */
export type Attributes = Record<string, string | number | boolean | undefined>

export interface Ended {
  isError?: boolean
  attributes?: Attributes
}

/** Spans that were not sent, by reason. */
export type Dropped = Record<"queue_full" | "not_taken", number>

export interface SpanDeps extends CollectorDeps {
  settings: TracingSettings
  version: string
}

/** Context of a parent span. */
export type TraceContext = Context

interface Begun {
  context: TraceContext
  end(ended: Ended & { endMs: number }): void
}

interface Beginning {
  kind: keyof typeof kinds
  startMs: number
  context?: TraceContext
  traceparent?: string | null
}

/** Makes spans, keeps a bounded number of them, and sends them in batches. */
export interface SpanSink {
  begin(name: string, beginning: Beginning): Begun
  /** Sends what waits; gives up in time for the service to stop. */
  close(): Promise<void>
}

const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }

/** A busy minute of spans, at most some megabytes. */
const maxWaiting = 2048
const maxBatch = 512
const batchMs = 5 * secondMs
const closeWithinMs = 2 * secondMs

export function openSpans(deps: SpanDeps, dropped: Dropped): SpanSink {
  const { settings, version } = deps
  let waiting = 0
  const exporter = openExporter(deps, (count, isTaken) => {
    waiting -= count
    if (!isTaken) dropped.not_taken += count
  })
  const batches = new BatchSpanProcessor({
    exporter,
    maxQueueSize: maxWaiting,
    maxExportBatchSize: maxBatch,
    scheduledDelayMillis: batchMs,
  })
  // The batches drop what is too much without telling how many.
  const counting: SpanProcessor = {
    onStart: (span, parent) => batches.onStart(span, parent),
    onEnd(span) {
      if (!trace.isSpanContextValid(span.spanContext()) || (span.spanContext().traceFlags & 1) === 0) return
      if (waiting >= maxWaiting) {
        dropped.queue_full++
        return
      }
      waiting++
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": settings.serviceName, "service.version": version }),
    sampler: openSampler(settings),
    spanProcessors: [counting],
  })
  const tracer = provider.getTracer("guichet", version)

  return {
    begin(name, { kind, startMs, context, traceparent }) {
      const remote = traceparent ? parseTraceParent(traceparent.slice(0, maxParentLength)) : null
      const parent =
        context ?? (remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT)
      const span = tracer.startSpan(name, { kind: kinds[kind], startTime: startMs }, parent)
      return {
        context: trace.setSpan(parent, span),
        end({ isError = false, attributes = {}, endMs }) {
          span.setAttributes(attributes)
          if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end(endMs)
        },
      }
    },
    async close() {
      const late = () => new Error("the collector is too slow")
      await withTimeout(provider.shutdown(), closeWithinMs, late).catch(() => {})
      exporter.abort()
    },
  }
}

const maxParentLength = 100

function openSampler({ sampler, ratio }: TracingSettings): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }
  const [, isByParent, root] = /^(parentbased_)?(.+)$/.exec(sampler) ?? []
  const ofRoots = roots[root as keyof typeof roots]()
  return isByParent ? new ParentBasedSampler({ root: ofRoots }) : ofRoots
}
