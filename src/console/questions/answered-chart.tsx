import { Chart, ChartKeys, type Series } from "../kit/chart.tsx"
import type { Period } from "./periods.ts"
import { words } from "./words.fr.ts"

/** Chart of the questions with and without an answer over time, with the answered share of each day or week. */
export function AnsweredChart({ periods, share }: { periods: readonly Period[]; share: string }) {
  const [first, last] = [periods[0], periods.at(-1)]
  const series: Series[] = [
    { name: words.withAnswer, tone: "main", values: periods.map(({ answered }) => answered) },
    { name: words.noAnswer, tone: "warn", values: periods.map(({ asked, answered }) => asked - answered) },
  ]
  return (
    <>
      <div class="over-time">
        <h2>{words.overTime}</h2>
        <ChartKeys series={series} />
      </div>
      <Chart
        label={words.chart(first?.from ?? "", last?.to ?? "", share)}
        unit={words.day}
        labels={periods.map(({ label }) => label)}
        series={series}
        rate={{
          name: words.share,
          values: periods.map(({ asked, answered }) => (asked === 0 ? null : answered / asked)),
        }}
      />
    </>
  )
}
