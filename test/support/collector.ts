import { mustEnd } from "./leaks.ts"

/** A span as OTLP's JSON tells it. */
export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
  attributes: Record<string, unknown>
}

export interface Collector extends AsyncDisposable {
  url: string
  settings: Record<string, string>
  /** Of the requests that came, in order. */
  headers: Headers[]
  /** Their whole bodies. */
  bodies: string[]
  services: string[]
  spans: ReceivedSpan[]
}

/** Takes spans in OTLP over HTTP as a collector does, or answers whatever `answer` says. */
export function startCollector(
  answer: (request: Request) => Response | Promise<Response> = () => Response.json({ partialSuccess: {} }),
): Collector {
  const ended = mustEnd("a collector")
  const collector = { headers: [] as Headers[], bodies: [] as string[], services: [] as string[] }
  const spans: ReceivedSpan[] = []
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.method !== "POST" || new URL(request.url).pathname !== "/v1/traces")
        return new Response(null, { status: 404 })
      const body = await request.text()
      collector.headers.push(request.headers)
      collector.bodies.push(body)
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        collector.services.push(String(attributesOf(resource.attributes)["service.name"]))
        for (const scope of scopeSpans)
          for (const span of scope.spans) spans.push({ ...span, attributes: attributesOf(span.attributes) })
      }
      return answer(request)
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url },
    ...collector,
    spans,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
      ended()
    },
  }
}

function attributesOf(list: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))
}
