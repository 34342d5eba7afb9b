/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { Chart, ChartSum, percent, type Series } from "../kit/chart.tsx"
import { type Figures, shownDays, total } from "./figures.ts"
import { words } from "./words.fr.ts"

interface OverviewProps {
  figures: Figures
  /** Where each figure leads. */
  links: { questions?: string; received?: string; deliveries: string }
  /** Says whose deliveries are counted. */
  deliveriesHint?: string | undefined
}

/** The figures of the last days, and how they came about. */
export function Overview({ figures, links, deliveriesHint }: OverviewProps) {
  const { labels, questions, received, deliveries, unread } = figures
  const asked = total(questions.map((day) => day.asked))
  const answered = total(questions.map((day) => day.answered))
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
  const [delivered = 0, givenUp = 0] = ofDeliveries.map(({ values }) => total(values))
  const chart = { unit: words.day, labels }
  return (
    <div class="overview">
      <Card
        id="questions-30"
        href={links.questions}
        title={words.questions}
        series={ofQuestions}
        beside={asked > 0 && `${share} ${words.answered}`}
        none={words.noQuestion}
      >
        <Chart {...chart} label={words.questionsChart(asked, share)} series={ofQuestions} />
      </Card>
      <Card
        id="received-30"
        href={links.received}
        title={words.received}
        series={ofMessages}
        beside={unread > 0 && words.unread(unread)}
        none={words.noMessage}
      >
        <Chart {...chart} label={words.receivedChart(total(received))} series={ofMessages} />
      </Card>
      <Card
        id="deliveries-30"
        href={links.deliveries}
        title={words.deliveries}
        series={ofDeliveries}
        none={words.noDelivery}
        hint={[deliveriesHint, words.testsIncluded].filter(Boolean).join(" ")}
      >
        <Chart {...chart} label={words.deliveriesChart(delivered, givenUp)} series={ofDeliveries} />
      </Card>
    </div>
  )
}

interface CardProps {
  id: string
  href: string | undefined
  title: string
  series: readonly Series[]
  /** A word about the sum. */
  beside?: string | false
  /** Said instead of a chart of nothing. */
  none: string
  hint?: string | undefined
  children: ComponentChildren
}

function Card({ id, href, title, series, beside, none, hint, children }: CardProps) {
  const isNothing = series.every(({ values }) => total(values) === 0)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {href ? <a href={href}>{title}</a> : title} <small>{words.lastDays(shownDays)}</small>
      </h2>
      <ChartSum series={isNothing ? [] : series}>{beside}</ChartSum>
      {isNothing ? <p class="hint">{none}</p> : children}
      {hint && <p class="hint">{hint}</p>}
    </section>
  )
}
