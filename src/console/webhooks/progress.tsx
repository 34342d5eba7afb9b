import { isoTime } from "../../base/clock.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { maxCounted, type ReplayProgress } from "../../webhooks/messages/replay-progress.ts"
import { Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import { failingDeliveries } from "./delivery-search.ts"
import { words } from "./words.fr.ts"

interface Running {
  atMs: number
  count: number
}

export function runningIn(values: Record<string, string | undefined>): Running | undefined {
  const [at = "", count = ""] = [values["at"], values["count"]]
  return /^\d{1,15}$/.test(at) && /^[1-9]\d{0,8}$/.test(count)
    ? { atMs: Number(at), count: Number(count) }
    : undefined
}

export function startIn(values: URLSearchParams): string | undefined {
  const running = runningIn(Object.fromEntries(values))
  return running && isoTime(running.atMs)
}

interface ProgressProps {
  endpoint: Endpoint
  running: Running
  progress: ReplayProgress
}

/** How many have gone, and what came of them, until all have. */
export function Progress({ endpoint, running: { atMs, count }, progress }: ProgressProps) {
  const context = usePage()
  const { waiting, delivered, failed } = progress
  const sent = Math.max(count - waiting, 0)
  const stopped = Math.max(sent - delivered - failed, 0)
  const results = count <= maxCounted ? words.replayResults(delivered, failed, stopped) : undefined
  const address = `/console/webhooks/${endpoint.id}`
  return (
    <section id="progress" data-refresh={waiting > 0 ? "" : undefined}>
      <p role="status">
        {waiting > 0
          ? words.replayRunning(words.number(sent), words.number(count), results)
          : words.replayDone(results)}
      </p>
      <progress value={sent} max={count} aria-label={words.replayTitle} />
      {waiting > 0 && context.may("editor") ? (
        <Form action={`${address}/replay/cancel`} send={words.cancelReplay} look="quiet">
          <input type="hidden" name="at" value={atMs} />
          <input type="hidden" name="count" value={count} />
        </Form>
      ) : (
        <p>
          {failed > 0 ? (
            <a href={failingDeliveries(endpoint.id)}>{words.seeFailing}</a>
          ) : (
            <a href={`${address}/deliveries`}>{words.seeDeliveries}</a>
          )}
        </p>
      )}
    </section>
  )
}
