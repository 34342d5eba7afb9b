import { Chart, ChartSum, percent, type Series, sum } from "../kit/chart.tsx"
import { Tabs } from "../kit/components.tsx"
import { type Figures, periods, shownDays } from "./figures.ts"
import { words } from "./words.fr.ts"

interface OverviewProps {
  address: string
  figures: Figures
  /** Address of the project, where there is but one. */
  path?: string
  /** Without any, there is nothing to say of deliveries. */
  hasEndpoints: boolean
  deliveriesHint?: string | undefined
}

export function Overview({ address, figures, path, hasEndpoints, deliveriesHint }: OverviewProps) {
  const { days, labels, questions, received, deliveries, before, unread } = figures
  const askedCount = sum(questions.map((day) => day.asked))
  const answeredCount = sum(questions.map((day) => day.answered))
  const share = askedCount === 0 ? words.noShare : percent(answeredCount / askedCount)
  const ofQuestions: Series[] = [
    { name: words.answered, tone: "main", values: questions.map((day) => day.answered) },
    { name: words.unanswered, tone: "warn", values: questions.map((day) => day.asked - day.answered) },
  ]
  const ofMessages: Series[] = [{ name: words.messagesSeries, tone: "main", values: received }]
  const ofDeliveries: Series[] = [
    { name: words.deliveredSeries, tone: "good", values: deliveries.map((day) => day.delivered) },
    { name: words.givenUpSeries, tone: "bad", values: deliveries.map((day) => day.givenUp) },
  ]
  const [delivered = 0, givenUp = 0] = ofDeliveries.map(({ values }) => sum(values))
  // Attempts fail before a delivery is given up.
  const failed = sum(deliveries.map((day) => day.failedAttempts))
  const cards: Card[] = [
    {
      id: "questions-30",
      href: path && `${path}/questions`,
      title: words.questions,
      series: ofQuestions,
      beside: askedCount > 0 && `${share} ${words.answered}`,
      none: words.noQuestion,
      label: words.questionsChart(askedCount, share),
      was: before.questions.asked,
    },
    {
      id: "received-30",
      href: path && `${path}/messages`,
      title: words.received,
      series: ofMessages,
      beside: unread > 0 && words.unread(unread),
      none: words.noMessage,
      label: words.receivedChart(sum(received)),
      was: before.received,
    },
    {
      id: "deliveries-30",
      href: "/console/webhooks",
      title: words.deliveries,
      series: ofDeliveries,
      beside: failed > 0 && words.failedAttempts(failed),
      none: failed > 0 ? words.noDeliveryEnded : words.noDelivery,
      label: words.deliveriesChart(delivered, givenUp),
      was: before.deliveries.delivered + before.deliveries.givenUp,
      hint: [deliveriesHint, words.testsIncluded].filter(Boolean).join(" "),
    },
  ]
  const isEmpty = cards.every(({ was, series }) => was + sum(series.flatMap(({ values }) => values)) === 0)
  return (
    <>
      {(!isEmpty || days !== shownDays) && (
        <Tabs
          label={words.period}
          tabs={periods.map((each) => [`${address}?days=${each}`, words.periods(each), each === days])}
          isInside
        />
      )}
      <div class="overview">
        {cards.slice(0, hasEndpoints ? 3 : 2).map((card) => (
          <FigureCard key={card.id} card={card} days={days} labels={labels} />
        ))}
      </div>
    </>
  )
}

function FigureCard({ card, days, labels }: { card: Card; days: number; labels: readonly string[] }) {
  const { id, href, title, series, beside, none, label, hint, was } = card
  const now = sum(series.flatMap(({ values }) => values))
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {href && now + was > 0 ? <a href={href}>{title}</a> : title} <small>{words.lastDays(days)}</small>
      </h2>
      <ChartSum series={now === 0 ? [] : series}>{beside}</ChartSum>
      {was > 0 && (
        <p class="hint">
          {words.before(days, was)}
          {was >= leastCompared && words.change(signed.format((now - was) / was))}
        </p>
      )}
      {now === 0 ? <p class="hint">{none}</p> : <Chart {...{ unit: words.day, labels, label, series }} />}
      {hint && <p class="hint">{hint}</p>}
    </section>
  )
}

/** Fewest questions whose share is compared: a share of fewer says little. */
const leastCompared = 10
const signed = new Intl.NumberFormat("fr", {
  style: "percent",
  signDisplay: "exceptZero",
  maximumFractionDigits: 0,
})

interface Card {
  id: string
  href: string | undefined
  title: string
  series: readonly Series[]
  beside?: string | false
  none: string
  label: string
  was: number
  hint?: string
}
