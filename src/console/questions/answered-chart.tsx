/** @jsxImportSource preact */
import { Chart, ChartKeys, type Series } from "../kit/chart.tsx"
import { messages } from "../messages/questions.fr.ts"
import type { Period } from "./periods.ts"

/** Chart of the questions with and without an answer over time, with the answered share of each day or week. */
export function AnsweredChart({ periods, share }: { periods: readonly Period[]; share: string }) {
  const [first, last] = [periods[0], periods.at(-1)]
  const series: Series[] = [
    { name: messages.withAnswer, tone: "main", values: periods.map(({ answered }) => answered) },
    { name: messages.noAnswer, tone: "warn", values: periods.map(({ asked, answered }) => asked - answered) },
  ]
  return (
    <>
      <div class="over-time">
        <h2>{messages.overTime}</h2>
        <ChartKeys series={series} />
      </div>
      <Chart
        label={messages.chart(first?.from ?? "", last?.to ?? "", share)}
        unit={messages.day}
        labels={periods.map(({ label }) => label)}
        series={series}
        rate={{
          name: messages.share,
          values: periods.map(({ asked, answered }) => (asked === 0 ? null : answered / asked)),
        }}
      />
    </>
  )
}
