/** @jsxImportSource preact */

import { dayIn, isoTime } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { countsOf, maxCountedBy as mostWaiting } from "../../webhooks/endpoints/health.ts"
import { countReplayable } from "../../webhooks/endpoints/replayable.ts"
import { findDelivery } from "../../webhooks/messages/delivery-log.ts"
import { cancelRunningReplay, replayDeliveries, testEndpoint } from "../../webhooks/messages/operations.ts"
import { logKeptMs } from "../../webhooks/messages/purge.ts"
import { replayRemains } from "../../webhooks/messages/replay-progress.ts"
import { userMessage } from "../../wording/user-message.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { dayStartMs } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { refused } from "../kit/forms/submitted-form.ts"
import { type PageContext, usePage } from "../kit/page-context.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { EndpointHead, endpointOf } from "./heads.tsx"
import { upTo } from "./health.tsx"
import { outcomeIn } from "./outcome.tsx"
import { words } from "./words.fr.ts"

/** Deliveries of either state. Beyond, the page says that there are more. */
const mostCounted = 3000

/** Messages that were given up, sent again: how many, a test first, how far it has come, and a way to stop it. */
export function replayPages(pages: Pages, { db, clock, config }: ConsoleDeps) {
  async function show(context: PageContext): Promise<Response> {
    const endpoint = await endpointOf(db, context)
    const running = runningIn(context.query)
    const remaining = running ? await replayRemains(db, endpoint.id, running.atMs) : 0
    const address = `/console/webhooks/${endpoint.id}`
    const isOffered = context.may("editor") && endpoint.active && remaining === 0
    const counts = remaining === 0 ? (await countsOf(db, [endpoint.id])).get(endpoint.id) : undefined
    const chosen = remaining === 0 ? await chosenIn(context, endpoint.id) : undefined
    return page(
      context,
      { title: words.replayTitle, current: "webhooks", flash: flashIn(context) },
      <>
        <EndpointHead endpoint={endpoint} current="replay" />
        {running && <Progress address={address} running={running} remaining={remaining} />}
        {!context.submitted.problems["since"] && <Problem />}
        {chosen && <HowMany address={address} chosen={chosen} />}
        {counts && counts.pending > 0 && (
          <p class="hint">
            {words.replayWaiting(upTo(mostWaiting.pending, counts.pending), counts.pending === 1)}{" "}
            <a href={`${address}/deliveries?state=pending`}>{words.seeWaiting}</a>
          </p>
        )}
        {!endpoint.active && <p class="notice">{userMessage(detail("webhooks.inactiveEndpoint"))}</p>}
        {isOffered && (
          <Form action={`${address}/replay/test`} send={words.sendTest} look="quiet">
            <h2>{words.testFirst}</h2>
            <p class="hint">{words.testFirstHint}</p>
            {await testResult(context)}
          </Form>
        )}
        {isOffered && chosen?.counts && sumOf(chosen.counts) > 0 && (
          <Form action={`${address}/replays`} send={words.replayButton}>
            <h2>{words.replay}</h2>
            <input type="hidden" name="since" value={chosen.since} />
            <p class="hint">{words.replayHint}</p>
          </Form>
        )}
      </>,
    )
  }

  /** What a replay would send since the chosen day, or since all that the log keeps. */
  async function chosenIn({ query, submitted }: PageContext, endpointId: string): Promise<Chosen> {
    const kept = dayIn(config.timezone, clock.now() - logKeptMs)
    const since = submitted.values.get("since") ?? query["since"] ?? kept
    try {
      const sinceMs = dayStartMs(since, config.timezone)
      const counts = await countReplayable(db, endpointId, { sinceMs, atMost: mostCounted })
      return { since, counts }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { since, problem: refused(new URLSearchParams(), error).problems["since"] }
    }
  }

  /** How the test went that this page sent. */
  async function testResult({ query, workspaceId }: PageContext) {
    const delivery = query["test"] && (await findDelivery(db, workspaceId, query["test"]))
    if (!delivery) return null
    const last = delivery.attempts.at(-1)
    if (!last)
      return (
        <p id="test" class="notice" role="status" data-refresh="">
          {words.testPending}
        </p>
      )
    return last.outcome === "delivered" ? (
      <p id="test" class="done" role="status">
        {words.testGood}
      </p>
    ) : (
      <p id="test" class="problem" role="status">
        {words.testBad(outcomeIn(last))}
      </p>
    )
  }

  pages
    .at("/console/webhooks/:endpoint")
    .page("/replay", show)
    .performs("/replays", replayDeliveries, {
      show,
      input: (values) => ({ since: isoTime(dayStartMs(values.get("since") ?? "", config.timezone)) }),
      leadsTo: ({ endpoint, count, replayedAtMs }) =>
        count === 0
          ? `/console/webhooks/${endpoint.id}/deliveries?replayed=0`
          : `/console/webhooks/${endpoint.id}/replay?at=${replayedAtMs}&count=${count}`,
    })
    .performs("/replay/cancel", cancelRunningReplay, {
      show,
      input: (values) => ({ replayed_at: startIn(values) }),
      leadsTo: ({ endpoint, count }) => `/console/webhooks/${endpoint.id}/replay?cancelled=${count}`,
    })
    .performs("/replay/test", testEndpoint, {
      show,
      leadsTo: ({ endpoint, deliveryId }) =>
        `/console/webhooks/${endpoint.id}/replay?test=${deliveryId}#test`,
    })
}

interface Chosen {
  /** The day, as it was typed. */
  since: string
  problem?: string | undefined
  /** Absent where `since` is no day. */
  counts?: { cancelled: number; failed: number }
}

function sumOf({ cancelled, failed }: { cancelled: number; failed: number }): number {
  return cancelled + failed
}

/** The number that a replay will send, and the day it begins with, which changes that number. */
function HowMany({ address, chosen: { since, problem, counts } }: { address: string; chosen: Chosen }) {
  return (
    <>
      {counts && (
        <p>
          {sumOf(counts) === 0
            ? words.replayNothing
            : words.replayIntro(
                upTo(mostCounted, sumOf(counts)),
                upTo(mostCounted, counts.cancelled),
                counts,
              )}
        </p>
      )}
      <form method="get" action={`${address}/replay`} class="row" novalidate>
        <Field
          name="since"
          type="date"
          label={words.since}
          hint={words.replaySinceHint}
          value={since}
          problem={problem}
        />
        <button type="submit" class="quiet">
          {words.replayCount}
        </button>
      </form>
    </>
  )
}

/** A replay that was started, by its time. */
interface Running {
  atMs: number
  count: number
}

function runningIn(values: Record<string, string | undefined>): Running | undefined {
  const [at = "", count = ""] = [values["at"], values["count"]]
  return /^\d{1,15}$/.test(at) && /^[1-9]\d{0,8}$/.test(count)
    ? { atMs: Number(at), count: Number(count) }
    : undefined
}

/** When the replay was started that the page shows. */
function startIn(values: URLSearchParams): string | undefined {
  const running = runningIn(Object.fromEntries(values))
  return running && isoTime(running.atMs)
}

interface ProgressProps {
  address: string
  running: Running
  remaining: number
}

function Progress({ address, running: { atMs, count }, remaining }: ProgressProps) {
  const context = usePage()
  const sent = Math.max(count - remaining, 0)
  return (
    <section id="progress" data-refresh={remaining > 0 ? "" : undefined}>
      <p role="status">
        {remaining > 0
          ? words.replayRunning(words.number(sent), words.number(count))
          : count === 1
            ? words.replayDoneOne
            : words.replayDone(words.number(count))}
      </p>
      <progress value={sent} max={count} aria-label={words.replayTitle} />
      {remaining > 0 && context.may("editor") ? (
        <Form action={`${address}/replay/cancel`} send={words.cancelReplay} look="quiet">
          <input type="hidden" name="at" value={atMs} />
          <input type="hidden" name="count" value={count} />
        </Form>
      ) : (
        <p>
          <a href={`${address}/deliveries`}>{words.seeDeliveries}</a>
        </p>
      )}
    </section>
  )
}

function flashIn({ query }: PageContext): string | undefined {
  const { cancelled } = query
  return cancelled && /^\d{1,9}$/.test(cancelled) ? words.cancelled(Number(cancelled)) : undefined
}
