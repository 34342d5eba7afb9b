/** @jsxImportSource preact */
import { Chart, ChartSum, percent, type Series, sum } from "../kit/chart.tsx"
import { type Figures, shownDays } from "./figures.ts"
import { words } from "./words.fr.ts"

interface OverviewProps {
  figures: Figures
  /** Address of the project, where there is but one. */
  path: string | undefined
  /** Says whose deliveries are counted. */
  deliveriesHint?: string | undefined
}

/** The figures of the last days, and how they came about. */
export function Overview({ figures, path, deliveriesHint }: OverviewProps) {
  const { labels, questions, received, deliveries, unread } = figures
  const asked = sum(questions.map((day) => day.asked))
  const answered = sum(questions.map((day) => day.answered))
  const share = asked === 0 ? words.noShare : percent(answered / asked)
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
  const cards: Card[] = [
    {
      id: "questions-30",
      href: path && `${path}/questions`,
      title: words.questions,
      series: ofQuestions,
      beside: asked > 0 && `${share} ${words.answered}`,
      none: words.noQuestion,
      label: words.questionsChart(asked, share),
    },
    {
      id: "received-30",
      href: path && `${path}/messages`,
      title: words.received,
      series: ofMessages,
      beside: unread > 0 && words.unread(unread),
      none: words.noMessage,
      label: words.receivedChart(sum(received)),
    },
    {
      id: "deliveries-30",
      href: "/console/webhooks",
      title: words.deliveries,
      series: ofDeliveries,
      none: words.noDelivery,
      label: words.deliveriesChart(delivered, givenUp),
      hint: [deliveriesHint, words.testsIncluded].filter(Boolean).join(" "),
    },
  ]
  return (
    <div class="overview">
      {cards.map(({ id, href, title, series, beside, none, label, hint }) => {
        const isNothing = series.every(({ values }) => sum(values) === 0)
        return (
          <section key={id} aria-labelledby={id}>
            <h2 id={id}>
              {href ? <a href={href}>{title}</a> : title} <small>{words.lastDays(shownDays)}</small>
            </h2>
            <ChartSum series={isNothing ? [] : series}>{beside}</ChartSum>
            {isNothing ? (
              <p class="hint">{none}</p>
            ) : (
              <Chart {...{ unit: words.day, labels, label, series }} />
            )}
            {hint && <p class="hint">{hint}</p>}
          </section>
        )
      })}
    </div>
  )
}

interface Card {
  id: string
  href: string | undefined
  title: string
  series: readonly Series[]
  /** A word about the sum. */
  beside?: string | false
  /** Said instead of a chart of nothing. */
  none: string
  /** Of the chart. */
  label: string
  hint?: string
}
