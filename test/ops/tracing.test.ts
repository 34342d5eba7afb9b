import { expect, test } from "bun:test"
import { readConfig } from "../../src/config/config.ts"
import { apiOf } from "../support/api.ts"
import { answerable, foreign, type Site } from "../support/ask.ts"
import { startCollector } from "../support/collector.ts"
import { aService } from "../support/service-builder.ts"

// Spans in OTLP (OpenTelemetry): off unless a collector is set, which learns ids, codes and times alone.

/** Sends what waits, as a stop does. */
const flushed = ({ service }: Pick<Site, "service">) => service.app.metrics.tracing[Symbol.asyncDispose]()

const traceId = "0af7651916cd43dd8448eb211c80319c"
const traceparent = (flags = "01") => `00-${traceId}-b7ad6b7169203331-${flags}`

test("a question is a span with its retrieval below it, in the trace of its caller", async () => {
  await using collector = startCollector()
  const settings = {
    ...collector.settings,
    OTEL_SERVICE_NAME: "aide",
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20secret",
  }
  await using site = await aService().withSettings(settings).withIndexedProject().started()
  await site.ask({}, { traceparent: traceparent() })
  await site.ask({ question: foreign })
  await site.ask({ question: answerable }, { accept: "text/event-stream" })
  await flushed(site)
  const asks = collector.spans.filter(({ name }) => name === "guichet.ask")
  expect(asks.map(({ attributes }) => attributes)).toEqual([
    { "guichet.project": site.project.id, "guichet.result": "answered", "guichet.cached": false },
    { "guichet.project": site.project.id, "guichet.result": "no_answer", "guichet.cached": false },
    { "guichet.project": site.project.id, "guichet.result": "answered", "guichet.cached": true },
  ])
  expect(asks[0]).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331", kind: 2 })
  expect(asks[1]?.parentSpanId ?? "").toBe("")
  expect(new Set(asks.map((ask) => ask.traceId)).size).toBe(3)
  const retrievals = collector.spans.filter(({ name }) => name === "guichet.retrieval")
  expect(retrievals.map((span) => span.parentSpanId)).toEqual([asks[0]?.spanId, asks[1]?.spanId])
  expect(retrievals.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano))).toBe(
    true,
  )
  expect(new Set(collector.services)).toEqual(new Set(["aide"]))
  expect(collector.headers[0]?.get("x-key")).toBe("a secret")
  for (const told of collector.bodies)
    for (const word of ["signature", "tarte", "docs.exemple.fr", "127.0.0.1"])
      expect(told).not.toContain(word)
})

test("calls of a model are spans of their question, and a failed one says of which kind", async () => {
  await using collector = startCollector()
  await using site = await aService().withSettings(collector.settings).withModel("openai").started()
  const asked = await site.ask()
  expect(asked.body.status).toBe("answered")
  await flushed(site)
  const ask = collector.spans.find(({ name }) => name === "guichet.ask")
  const calls = collector.spans.filter(({ name }) => name === "guichet.model")
  expect(calls.map(({ attributes }) => attributes["guichet.use"])).toContain("write")
  expect(new Set(calls.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([ask?.spanId]))
  expect(calls.every(({ kind }) => kind === 3)).toBe(true)
})

test("each attempt of a delivery is a span without the address, and the customer gets no trace header", async () => {
  await using collector = startCollector()
  const answers = [() => new Response("no", { status: 500 })]
  await using site = await aService().withSettings(collector.settings).withReceivers(answers).started()
  const { id } = await site.endpoint()
  await site.respond({ email: "marie@exemple.fr" })
  await site.settled()
  await site.pass(5_000)
  await flushed(site)
  const spans = collector.spans.filter(({ name }) => name === "guichet.delivery")
  expect(spans.map(({ attributes }) => attributes)).toEqual(
    [1, 2].map((attempt) => ({
      "guichet.endpoint": id,
      "guichet.message": expect.stringMatching(/^msg_/),
      "guichet.attempt": attempt,
      "guichet.outcome": "http_status",
      "http.response.status_code": 500,
      "error.type": "http_status",
    })),
  )
  expect(spans.every(({ status }) => status.code === 2)).toBe(true)
  for (const told of collector.bodies)
    for (const word of ["acme.fr", "marie", "whsec_"]) expect(told).not.toContain(word)
  for (const { headers } of site.receiver.received)
    expect([...headers.keys()].filter((name) => /trace|baggage/.test(name))).toEqual([])
})

test("the sampler decides, and by the caller's trace where it is asked to", async () => {
  await using collector = startCollector()
  const sampler = { ...collector.settings, OTEL_TRACES_SAMPLER: "parentbased_always_off" }
  await using site = await aService().withSettings(sampler).withIndexedProject().started()
  await site.ask()
  await site.ask({}, { traceparent: traceparent("00") })
  await site.ask({}, { traceparent: traceparent("01") })
  for (const hostile of [
    "",
    "00",
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `${traceparent()}-more`,
    "x".repeat(5000),
  ])
    expect((await site.ask({}, { traceparent: hostile })).status).toBe(200)
  await flushed(site)
  expect(collector.spans.filter(({ name }) => name === "guichet.ask").map((span) => span.traceId)).toEqual([
    traceId,
  ])
})

test("a collector that refuses harms nothing: what it does not take is dropped and counted", async () => {
  await using collector = startCollector(() => new Response("full", { status: 503 }))
  const settings = { ...collector.settings, GUICHET_METRICS_TOKEN: "metrics-token-of-this-test" }
  await using site = await aService().withSettings(settings).withIndexedProject().started()
  expect((await site.ask()).status).toBe(200)
  await flushed(site)
  expect((await site.ask()).status).toBe(200)
  const { body } = await site.send(
    { method: "GET", headers: { authorization: "Bearer metrics-token-of-this-test" } },
    "/metrics",
  )
  expect(body).toMatch(/^guichet_spans_dropped_total\{reason="not_taken".*\} 2$/m)
  expect(body).toMatch(/^guichet_spans_dropped_total\{reason="queue_full".*\} 0$/m)
})

test("a collector that hangs holds neither questions nor the stop, and the queue has an end", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  await using collector = startCollector(() => promise)
  await using site = await aService().withSettings(collector.settings).withIndexedProject().started()
  const { tracing } = site.service.app.metrics
  for (let at = 0; at < 3000; at++) tracing.work("guichet.delivery", 0, {})
  expect(tracing.dropped().queue_full).toBe(3000 - 2048)
  expect((await site.ask()).status).toBe(200)
  await flushed(site)
  resolve(new Response())
})

test("without a collector nothing is made or loaded", async () => {
  await using site = await aService().withIndexedProject().started()
  const span = site.service.app.metrics.tracing.ask(traceparent())
  expect(span).toBe(site.service.app.metrics.tracing.ask(null))
  const { body } = await (await apiOf(site.service)).get("/api/v1/projects")
  expect(body.items).toHaveLength(1)
})

test("bad values are named without showing a secret", () => {
  const read = () =>
    readConfig({
      GUICHET_DATA_DIR: "/tmp/none",
      OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer s3cret,=x",
      OTEL_TRACES_SAMPLER: "sometimes",
      OTEL_TRACES_SAMPLER_ARG: "2",
    })
  expect(read).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/)
  expect(read).toThrow(/OTEL_EXPORTER_OTLP_HEADERS is not name=value/)
  expect(read).toThrow(/OTEL_TRACES_SAMPLER=sometimes/)
  expect(read).toThrow(/OTEL_TRACES_SAMPLER_ARG=2/)
  expect(read).not.toThrow(/s3cret/)
})

/** Each is a collector that a service must not wait for. */
const slowCollectors: Record<string, () => Response | Promise<Response>> = {
  "whose answer has no end": () =>
    new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(65_536)) })),
  "whose answer trickles": () =>
    new Response(
      new ReadableStream({
        async pull(stream) {
          await Bun.sleep(1000)
          stream.enqueue(new Uint8Array(1))
        },
      }),
    ),
  "that leads elsewhere": () => Response.redirect("http://127.0.0.1:1/", 307),
}

for (const [name, answer] of Object.entries(slowCollectors))
  test(`neither deliveries nor the stop wait for a collector ${name}`, async () => {
    await using collector = startCollector(answer)
    await using site = await aService().withSettings(collector.settings).withReceivers().started()
    await site.endpoint()
    for (let at = 0; at < 5; at++) await site.respond({ email: "marie@exemple.fr" })
    await site.settled()
    expect(site.receiver.received).toHaveLength(5)
    await flushed(site)
    for (const told of collector.bodies) expect(told).not.toContain("marie")
  })
