/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { Chart, ChartSum, percent, type Series } from "../kit/chart.tsx"
import { messages } from "../messages/home.fr.ts"
import { type Figures, shownDays, total } from "./figures.ts"

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
  const share = asked === 0 ? messages.noShare : percent(answered / asked)
  const ofQuestions: Series[] = [
    { name: messages.answered, tone: "main", values: questions.map((day) => day.answered) },
    { name: messages.unanswered, tone: "warn", values: questions.map((day) => day.asked - day.answered) },
  ]
  const ofMessages: Series[] = [{ name: messages.messagesSeries, tone: "main", values: received }]
  const ofDeliveries: Series[] = [
    { name: messages.deliveredSeries, tone: "good", values: deliveries.map((day) => day.delivered) },
    { name: messages.givenUpSeries, tone: "bad", values: deliveries.map((day) => day.givenUp) },
  ]
  const [delivered = 0, givenUp = 0] = ofDeliveries.map(({ values }) => total(values))
  const chart = { unit: messages.day, labels }
  return (
    <div class="overview">
      <Card
        id="questions-30"
        href={links.questions}
        title={messages.questions}
        series={ofQuestions}
        beside={asked > 0 && `${share} ${messages.answered}`}
        none={messages.noQuestion}
      >
        <Chart {...chart} label={messages.questionsChart(asked, share)} series={ofQuestions} />
      </Card>
      <Card
        id="received-30"
        href={links.received}
        title={messages.received}
        series={ofMessages}
        beside={unread > 0 && messages.unread(unread)}
        none={messages.noMessage}
      >
        <Chart {...chart} label={messages.receivedChart(total(received))} series={ofMessages} />
      </Card>
      <Card
        id="deliveries-30"
        href={links.deliveries}
        title={messages.deliveries}
        series={ofDeliveries}
        none={messages.noDelivery}
        hint={[deliveriesHint, messages.testsIncluded].filter(Boolean).join(" ")}
      >
        <Chart {...chart} label={messages.deliveriesChart(delivered, givenUp)} series={ofDeliveries} />
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
        {href ? <a href={href}>{title}</a> : title} <small>{messages.lastDays(shownDays)}</small>
      </h2>
      <ChartSum series={isNothing ? [] : series}>{beside}</ChartSum>
      {isNothing ? <p class="hint">{none}</p> : children}
      {hint && <p class="hint">{hint}</p>}
    </section>
  )
}
