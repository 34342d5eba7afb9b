/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { Chart, percent } from "../kit/chart.tsx"
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
  const messagesReceived = total(received)
  const delivered = total(deliveries.map((day) => day.delivered))
  const givenUp = total(deliveries.map((day) => day.givenUp))
  const chart = { unit: messages.day, labels }
  return (
    <div class="overview">
      <section aria-labelledby="questions-30">
        <Head id="questions-30" href={links.questions} title={messages.questions} />
        <Figure value={asked}>
          <span>
            {share} {messages.answered}
          </span>
        </Figure>
        {asked === 0 ? (
          <p class="hint">{messages.noQuestion}</p>
        ) : (
          <Chart
            {...chart}
            label={messages.questionsChart(asked, share)}
            series={[
              { name: messages.answered, tone: "main", values: questions.map((day) => day.answered) },
              {
                name: messages.unanswered,
                tone: "warn",
                values: questions.map((day) => day.asked - day.answered),
              },
            ]}
          />
        )}
      </section>
      <section aria-labelledby="received-30">
        <Head id="received-30" href={links.received} title={messages.received} />
        <Figure value={messagesReceived}>{unread > 0 && <strong>{messages.unread(unread)}</strong>}</Figure>
        {messagesReceived === 0 ? (
          <p class="hint">{messages.noMessage}</p>
        ) : (
          <Chart
            {...chart}
            label={messages.receivedChart(messagesReceived)}
            series={[{ name: messages.messagesSeries, tone: "main", values: received }]}
          />
        )}
      </section>
      <section aria-labelledby="deliveries-30">
        <Head id="deliveries-30" href={links.deliveries} title={messages.delivered} />
        <Figure value={delivered}>
          {givenUp > 0 && (
            <strong class="bad-text">
              {givenUp.toLocaleString("fr")} {messages.givenUpSeries}
            </strong>
          )}
        </Figure>
        {delivered + givenUp === 0 ? (
          <p class="hint">{messages.noDelivery}</p>
        ) : (
          <Chart
            {...chart}
            label={messages.deliveriesChart(delivered, givenUp)}
            series={[
              {
                name: messages.deliveredSeries,
                tone: "good",
                values: deliveries.map((day) => day.delivered),
              },
              { name: messages.givenUpSeries, tone: "bad", values: deliveries.map((day) => day.givenUp) },
            ]}
          />
        )}
        {deliveriesHint && <p class="hint">{deliveriesHint}</p>}
      </section>
    </div>
  )
}

function Head({ id, href, title }: { id: string; href: string | undefined; title: string }) {
  return (
    <h2 id={id}>
      {href ? <a href={href}>{title}</a> : title} <small>{messages.lastDays(shownDays)}</small>
    </h2>
  )
}

function Figure({ value, children }: { value: number; children: ComponentChildren }) {
  return (
    <p class="figure">
      <strong>{value.toLocaleString("fr")}</strong> {children}
    </p>
  )
}
