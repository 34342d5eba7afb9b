import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { type EndpointHealth, maxCountedBy, replayableCount } from "../../webhooks/endpoints/health.ts"
import type { HourSums } from "../../webhooks/endpoints/hour-sums.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import { Chart, type Series, Sparkline, sum } from "../kit/chart.tsx"
import { LinkButton, type Mood, Tag } from "../kit/components.tsx"
import { lastDays, useDate } from "../kit/dates.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { failingDeliveries } from "./delivery-search.ts"
import { words } from "./words.fr.ts"

/** Days of every chart about deliveries. */
const shownDays = 30

/** When each of the last 30 days began in the owner's time zone, the oldest first. */
export function lastDayStartsMs({ timezone, nowMs }: Pick<PageContext, "timezone" | "nowMs">): number[] {
  return lastDays(timezone, nowMs, shownDays).map(({ startMs }) => startMs)
}

const moods: Record<EndpointHealth["state"], Mood> = { good: "good", idle: "plain", warn: "warn", bad: "bad" }

/** The state of the endpoint, and what waits to be replayed by an operator. */
export function EndpointState({ endpoint, health }: { endpoint: Endpoint; health: EndpointHealth }) {
  const replayable = replayableCount(health)
  return (
    <>
      {endpoint.active ? (
        <Tag mood={moods[health.state]}>{words[health.state]}</Tag>
      ) : (
        <Tag mood="plain">{words.inactive}</Tag>
      )}
      {replayable > 0 && (
        <a class="to-replay" href={`/console/webhooks/${endpoint.id}/replay`}>
          {words.toReplay(upTo(maxCountedBy.replayable, replayable))}
        </a>
      )}
    </>
  )
}

/** Says how much fails, and offers the remedy; or since when the endpoint works again. */
export function Trouble({ endpoint, health }: { endpoint: Endpoint; health: EndpointHealth }) {
  const { may } = usePage()
  const date = useDate()
  const { failing, day, retried, abandoned, recovered } = health
  if (!endpoint.active || (!failing && day.failedAttempts === 0 && abandoned === 0)) return null
  if (health.state === "good" && recovered)
    return (
      <p class="done trouble">
        {words.recovered(recovered.sinceMs === undefined ? undefined : date(recovered.sinceMs))}{" "}
        {words.failedBefore(day.failedAttempts)}
      </p>
    )
  return (
    <div class={abandoned > 0 ? "trouble problem" : "trouble notice"}>
      <div>
        {abandoned > 0 && <p>{words.abandoned(upTo(maxCountedBy.abandoned, abandoned), abandoned === 1)}</p>}
        <p>
          {failing
            ? words.failingSince(date(failing.sinceMs), answerInWords(failing))
            : day.failedAttempts > 0 && words.someFailed(day.failedAttempts)}{" "}
          {retried > 0 && words.stillTried(upTo(maxCountedBy.pending, retried))}
        </p>
        {abandoned + retried > 0 && (
          <p>
            <a href={failingDeliveries(endpoint.id)}>{words.seeFailing}</a>
          </p>
        )}
      </div>
      {abandoned > 0 && may("editor") && (
        <LinkButton href={`/console/webhooks/${endpoint.id}/replay`} label={words.replayThem} isMain />
      )}
    </div>
  )
}

/** A day, a week, what waits, the last success, and thirty days at a glance. */
export function Figures({ health, isDrawn = true }: { health: EndpointHealth; isDrawn?: boolean }) {
  const date = useDate()
  const { day, week, days, pending, lastDeliveredAtMs } = health
  return (
    <div class="figures">
      <dl class="totals">
        <Span name={words.day} sums={day} />
        <Span name={words.week} sums={week} />
        <div>
          <dt>{words.pending}</dt>
          <dd>{upTo(maxCountedBy.pending, pending)}</dd>
        </div>
        <div>
          <dt>{words.lastDelivered}</dt>
          <dd class="date">
            {lastDeliveredAtMs === undefined ? words.neverDelivered : date(lastDeliveredAtMs)}
          </dd>
        </div>
      </dl>
      <div class="month">
        {isDrawn && <Sparkline label={sparklineLabel(days)} series={attemptSeries(days)} />}
        <p class="hint">{words.testsIncluded}</p>
      </div>
    </div>
  )
}

function Span({ name, sums }: { name: string; sums: HourSums }) {
  const { delivered, failedAttempts, givenUp } = sums
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {words.number(delivered)} <small>{words.deliveredOf(delivered)}</small>
      </dd>
      {failedAttempts > 0 && <dd class="hint">{words.failedOf(failedAttempts)}</dd>}
      {givenUp > 0 && <dd class="hint">{words.givenUpOf(givenUp)}</dd>}
    </div>
  )
}

export function Days({ days }: Pick<EndpointHealth, "days">) {
  const { timezone, nowMs } = usePage()
  const series = attemptSeries(days)
  if (series.every(({ values }) => values.every((value) => value === 0))) return null
  const labels = lastDays(timezone, nowMs, shownDays).map(({ label }) => label)
  return <Chart label={sparklineLabel(days)} unit={words.dayColumn} labels={labels} series={series} />
}

function attemptSeries(days: readonly HourSums[]): Series[] {
  return [
    { name: words.delivered, tone: "good", values: days.map(({ delivered }) => delivered) },
    { name: words.failedAttempts, tone: "bad", values: days.map(({ failedAttempts }) => failedAttempts) },
  ]
}

function sparklineLabel(days: readonly HourSums[]): string {
  const [delivered = 0, failed = 0] = attemptSeries(days).map(({ values }) => sum(values))
  return words.sparkline(delivered, failed)
}

export function upTo(most: number, count: number): string {
  return count < most ? words.number(count) : words.atLeast(most - 1)
}
