/** @jsxImportSource preact */
import { frenchDates } from "../../base/time.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { type EndpointHealth, mostCounted } from "../../webhooks/endpoints/health.ts"
import type { HourSums } from "../../webhooks/endpoints/hour-sums.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import { Bars } from "../kit/bars.tsx"
import { type Mood, Table, Tag } from "../kit/components.tsx"
import { lastDays } from "../kit/dates.tsx"
import { messages } from "../messages/destinations.fr.ts"
import { messages as webhooksMessages } from "../messages/webhooks.fr.ts"

/** Days of every chart about deliveries. */
const shownDays = 30

/** When each of the last 30 days began in the owner's time zone, the oldest first. */
export function lastDayStartsMs(timezone: string, nowMs: number): number[] {
  return lastDays(timezone, nowMs, shownDays).map(({ startMs }) => startMs)
}

const moods: Record<EndpointHealth["state"], Mood> = { good: "good", idle: "plain", warn: "warn", bad: "bad" }

export function EndpointState({ endpoint, health }: { endpoint: Endpoint; health: EndpointHealth }) {
  if (!endpoint.active) return <Tag mood="plain">{webhooksMessages.inactive}</Tag>
  return <Tag mood={moods[health.state]}>{messages[health.state]}</Tag>
}

/** Says how much fails, and offers the remedy. */
export function Trouble({
  endpoint,
  health,
  date,
  mayReplay,
}: {
  endpoint: Endpoint
  health: EndpointHealth
  date: (at: number) => string
  mayReplay: boolean
}) {
  const { failing, day, pending, abandoned } = health
  if (!endpoint.active || (!failing && day.failedAttempts === 0 && abandoned === 0)) return null
  return (
    <div class={abandoned > 0 ? "trouble problem" : "trouble notice"}>
      {abandoned > 0 && <p>{messages.abandoned(upTo(mostCounted.abandoned, abandoned), abandoned === 1)}</p>}
      <p>
        {failing
          ? messages.failingSince(date(failing.sinceMs), answerInWords(failing))
          : day.failedAttempts > 0 && messages.someFailed(day.failedAttempts)}{" "}
        {pending > 0 && messages.stillTried(upTo(mostCounted.pending, pending))}
      </p>
      {abandoned > 0 && mayReplay && (
        <p>
          <a class="button" href={`/console/webhooks/${endpoint.id}/replay`}>
            {messages.replayThem}
          </a>
        </p>
      )}
    </div>
  )
}

/** A day, a week, what waits, and thirty days at a glance. */
export function Figures({
  health,
  date,
  isChart = true,
}: {
  health: EndpointHealth
  date: (at: number) => string
  /** Whether the days are drawn here. */
  isChart?: boolean
}) {
  const { day, week, days, pending, lastDeliveredAtMs } = health
  return (
    <>
      <div class="figures">
        <Span name={messages.day} sums={day} />
        <Span name={messages.week} sums={week} />
        <p>
          <strong>{upTo(mostCounted.pending, pending)}</strong> {messages.pending}
        </p>
        {isChart && (
          <Bars
            size="small"
            label={messages.sparkline(sum(days, "delivered"), sum(days, "failedAttempts"))}
            bars={days.map(({ delivered, failedAttempts }) => ({ good: delivered, bad: failedAttempts }))}
          />
        )}
      </div>
      <p class="hint">
        {lastDeliveredAtMs === undefined
          ? messages.neverDelivered
          : messages.lastDelivered(date(lastDeliveredAtMs))}
      </p>
    </>
  )
}

function Span({ name, sums }: { name: string; sums: HourSums }) {
  return (
    <p>
      {name}
      {"\u00a0: "}
      <strong>{messages.number(sums.delivered)}</strong> {messages.delivered}
      {sums.failedAttempts > 0 && (
        <>
          , <strong>{messages.number(sums.failedAttempts)}</strong> {messages.failedAttempts}
        </>
      )}
      {sums.givenUp > 0 && (
        <>
          , <strong>{messages.number(sums.givenUp)}</strong> {messages.givenUp}
        </>
      )}
    </p>
  )
}

/** Thirty days with a title each, and the same as a table. */
export function Days({
  health,
  dayStartsMs,
  timezone,
}: {
  health: EndpointHealth
  dayStartsMs: readonly number[]
  timezone: string
}) {
  const dayName = frenchDates({ timeZone: timezone, day: "numeric", month: "short" })
  const days = health.days.map((sums, place) => ({
    ...sums,
    name: dayName(dayStartsMs[place] as number),
  }))
  const eventful = days.filter(
    ({ delivered, failedAttempts, givenUp }) => delivered + failedAttempts + givenUp > 0,
  )
  if (eventful.length === 0) return null
  return (
    <figure class="chart">
      <Bars
        size="large"
        label={messages.sparkline(sum(days, "delivered"), sum(days, "failedAttempts"))}
        bars={days.map(({ name, delivered, failedAttempts, givenUp }) => ({
          good: delivered,
          bad: failedAttempts,
          title: messages.dayOf(name, delivered, failedAttempts, givenUp),
        }))}
      />
      <figcaption class="hint">{messages.last30}</figcaption>
      <details>
        <summary>{messages.chartTable}</summary>
        <Table
          label={messages.chartTable}
          head={[messages.dayColumn, messages.delivered, messages.failedAttempts, messages.givenUp]}
          figures={3}
        >
          {eventful.map(({ name, delivered, failedAttempts, givenUp }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{messages.number(delivered)}</td>
              <td class="number">{messages.number(failedAttempts)}</td>
              <td class="number">{messages.number(givenUp)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  )
}

/** A count that stopped at `most`. */
export function upTo(most: number, count: number): string {
  return count < most ? messages.number(count) : messages.atLeast(most - 1)
}

function sum(days: readonly HourSums[], name: keyof HourSums): number {
  return days.reduce((all, day) => all + day[name], 0)
}
