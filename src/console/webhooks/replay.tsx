import { dayIn, dayStartMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { countsByEndpoint, maxCountedBy as mostWaiting } from "../../webhooks/endpoints/health.ts"
import { countReplayable } from "../../webhooks/endpoints/replayable.ts"
import { findDelivery, type LoggedAttempt } from "../../webhooks/messages/delivery-log.ts"
import { cancelRunningReplay, replayDeliveries, testEndpoint } from "../../webhooks/messages/operations.ts"
import { logKeptMs } from "../../webhooks/messages/purge.ts"
import { replayProgress } from "../../webhooks/messages/replay-progress.ts"
import { userMessage } from "../../wording/user-message.ts"
import { QuietButton } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { requireDay } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { refused } from "../kit/forms/submitted-form.ts"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { EndpointHead, endpointInAddress } from "./heads.tsx"
import { upTo } from "./health.tsx"
import { NeverSent, neverSentTo } from "./never-sent.tsx"
import { outcomeIn } from "./outcome.tsx"
import { Progress, runningIn, startIn } from "./progress.tsx"
import { words } from "./words.fr.ts"

/** Deliveries of either state. Beyond, the page says that there are more. */
const mostCounted = 3000

/** Messages that were given up, sent again: how many, a test first, how far it has come, and a way to stop it. */
export function replayPages(deps: ConsoleDeps) {
  const { db, clock, config } = deps

  async function show(context: PageContext): Promise<Response> {
    const endpoint = await endpointInAddress(db, context)
    const running = runningIn(context.query)
    const progress = running && (await replayProgress(db, endpoint.id, running.atMs))
    const isRunning = progress !== undefined && progress.waiting > 0
    const address = `/console/webhooks/${endpoint.id}`
    const isOffered = context.may("editor") && endpoint.active && !isRunning
    const counts = isRunning ? undefined : (await countsByEndpoint(db, [endpoint.id])).get(endpoint.id)
    const chosen = isRunning ? undefined : await chosenIn(context, endpoint.id)
    const tested = await testedIn(context)
    const hasFailed = tested !== undefined && "failed" in tested
    return page(
      context,
      { title: words.replayTitle, current: "webhooks", flash: flashIn(context) },
      <>
        <EndpointHead endpoint={endpoint} current="replay" />
        {running && progress && <Progress endpoint={endpoint} running={running} progress={progress} />}
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
          <Form action={`${address}/replay/test`} send={words.test} look="quiet">
            <h2>{words.testFirst}</h2>
            <p class="hint">{words.testFirstHint}</p>
            {tested && <TestResult tested={tested} />}
          </Form>
        )}
        {isOffered && chosen?.counts && totalCount(chosen.counts) > 0 && (
          <Form
            action={`${address}/replays`}
            send={hasFailed ? words.replayAnyway : words.replayTitle}
            look={hasFailed ? "quiet" : undefined}
          >
            <h2>{words.replay}</h2>
            <input type="hidden" name="since" value={chosen.since} />
            <p class="hint">{words.replayHint}</p>
            {hasFailed && <p class="notice">{words.testWarning}</p>}
          </Form>
        )}
        {isOffered && (
          <NeverSent endpoint={endpoint} count={await neverSentTo(deps, endpoint)} hasFailed={hasFailed} />
        )}
      </>,
    )
  }

  /** What a replay would send since the chosen day, or since all that the log keeps. */
  async function chosenIn({ query, submitted }: PageContext, endpointId: string): Promise<Chosen> {
    const firstKeptDay = dayIn(config.timezone, clock.now() - logKeptMs)
    const since = submitted.values.get("since") ?? query["since"] ?? firstKeptDay
    try {
      const sinceMs = dayStartMs(config.timezone, requireDay(since))
      const counts = await countReplayable(db, endpointId, { sinceMs, atMost: mostCounted })
      return { since, counts }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { since, problem: refused(new URLSearchParams(), error).problems["since"] }
    }
  }

  async function testedIn({ query, workspaceId }: PageContext): Promise<Tested | undefined> {
    const delivery = query["test"] && (await findDelivery(db, workspaceId, query["test"]))
    if (!delivery) return undefined
    const last = delivery.attempts.at(-1)
    if (!last) return { isPending: true }
    return last.outcome === "delivered" ? { isPending: false } : { failed: last }
  }

  return {
    page: show,
    replayDeliveries: performs(replayDeliveries, {
      show,
      input: (values) => ({ since: requireDay(values.get("since") ?? "") }),
      leadsTo: ({ endpoint, count, replayedAtMs }) =>
        count === 0
          ? `/console/webhooks/${endpoint.id}/deliveries?replayed=0`
          : `/console/webhooks/${endpoint.id}/replay?at=${replayedAtMs}&count=${count}`,
    }),
    cancelRunningReplay: performs(cancelRunningReplay, {
      show,
      input: (values) => ({ replayed_at: startIn(values) }),
      leadsTo: ({ endpoint, count }) => `/console/webhooks/${endpoint.id}/replay?cancelled=${count}`,
    }),
    testEndpoint: performs(testEndpoint, {
      show,
      leadsTo: ({ endpoint, deliveryId }) =>
        `/console/webhooks/${endpoint.id}/replay?test=${deliveryId}#test`,
    }),
  }
}

type Tested = { isPending: boolean } | { failed: LoggedAttempt }

function TestResult({ tested }: { tested: Tested }) {
  if ("failed" in tested)
    return (
      <p id="test" class="problem" role="status">
        {words.testBad(outcomeIn(tested.failed))}
      </p>
    )
  return (
    <p
      id="test"
      class={tested.isPending ? "notice" : "done"}
      role="status"
      data-refresh={tested.isPending ? "" : undefined}
    >
      {tested.isPending ? words.testPending : words.testGood}
    </p>
  )
}

interface Chosen {
  since: string
  problem?: string | undefined
  counts?: { cancelled: number; failed: number }
}

function totalCount({ cancelled, failed }: { cancelled: number; failed: number }): number {
  return cancelled + failed
}

/** The number that a replay will send, and the day it begins with, which changes that number. */
function HowMany({ address, chosen: { since, problem, counts } }: { address: string; chosen: Chosen }) {
  return (
    <>
      {counts && (
        <p>
          {totalCount(counts) === 0
            ? words.replayNothing
            : words.replayIntro(
                upTo(mostCounted, totalCount(counts)),
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
        <QuietButton label={words.replayCount} />
      </form>
    </>
  )
}

function flashIn({ query }: PageContext): string | undefined {
  const { cancelled } = query
  return cancelled && /^\d{1,9}$/.test(cancelled) ? words.cancelled(Number(cancelled)) : undefined
}
