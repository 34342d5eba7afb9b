import { ExportResultCode } from "@opentelemetry/core"
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer"
import type { SpanExporter } from "@opentelemetry/sdk-trace"
import { secondMs } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import { fetchWay, type OutboundProxy } from "../../outbound/proxy.ts"

export interface CollectorDeps {
  settings: { url: string }
  /** Sent to the collector; may hold a password. */
  headers: Readonly<Record<string, string>> | undefined
  authorities: { pem(): string }
  proxy: OutboundProxy | undefined
  log: Log
}

/** The time that the specification of OTLP gives a collector by default. */
const takenWithinMs = 10 * secondMs

/**
 * Posts spans to the collector in OTLP's JSON, at the address and with the authorities of the settings. What it does
 * not take is dropped: nothing waits for it and nothing is tried twice. `onSent` is called once for each batch.
 */
export function openExporter(
  { settings: { url }, headers, authorities, proxy, log }: CollectorDeps,
  onSent: (count: number, isTaken: boolean) => void,
): SpanExporter & { abort(): void } {
  const stop = new AbortController()
  let isFailing = false

  async function send(body: Uint8Array): Promise<string | undefined> {
    try {
      const reply = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: body as Uint8Array<ArrayBuffer>,
        redirect: "manual",
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(takenWithinMs)]),
        ...fetchWay(proxy, url),
        tls: { rejectUnauthorized: true, ca: authorities.pem() },
      })
      await reply.body?.cancel()
      return reply.ok ? undefined : `answered ${reply.status}`
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException
      return String(code ?? name)
    }
  }

  return {
    export(spans, done) {
      const body = JsonTraceSerializer.serializeRequest(spans)
      void (body ? send(body) : Promise.resolve("not serialised")).then((trouble) => {
        onSent(spans.length, trouble === undefined)
        if (trouble !== undefined && !isFailing && !stop.signal.aborted)
          log.warning("spans are not taken by the collector", { reason: trouble })
        isFailing = trouble !== undefined
        done({ code: trouble === undefined ? ExportResultCode.SUCCESS : ExportResultCode.FAILED })
      })
    },
    shutdown: async () => {},
    abort: () => stop.abort(),
  }
}
