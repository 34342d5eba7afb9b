/** @jsxImportSource preact */
import { Table } from "../kit/components.tsx"
import { messages } from "../messages/questions.fr.ts"
import type { Period } from "./periods.ts"

const width = 640
const height = 180
const margin = { top: 10, right: 10, bottom: 24, left: 44 }
const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }

/** Chart of the answered share and of the number of questions over time, with the figures in a table. */
export function AnsweredChart({ periods, share }: { periods: Period[]; share: string }) {
  const most = Math.max(1, ...periods.map(({ asked }) => asked))
  const step = inner.width / periods.length
  const x = (place: number) => margin.left + step * (place + 0.5)
  const y = (part: number) => margin.top + inner.height * (1 - part)
  const [first, last] = [periods[0], periods.at(-1)]
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={messages.chart(first?.from ?? "", last?.to ?? "", share)}
      >
        {[0, 0.5, 1].map((part) => (
          <>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y(part)} y2={y(part)} />
            <text x={margin.left - 6} y={y(part) + 4} text-anchor="end">
              {percent(part)}
            </text>
          </>
        ))}
        {periods.map(({ label, asked }, place) => (
          <rect
            key={label}
            class="bar"
            x={x(place) - Math.max(step * 0.35, 1)}
            width={Math.max(step * 0.7, 2)}
            y={y((asked / most) * 0.6)}
            height={inner.height * (asked / most) * 0.6}
          />
        ))}
        {lines(periods, x, y).map((points) => (
          <polyline key={points} class="line" points={points} />
        ))}
        {periods.map(
          ({ label, asked, answered }, place) =>
            asked > 0 && <circle key={label} class="dot" cx={x(place)} cy={y(answered / asked)} r={3} />,
        )}
        <text x={margin.left} y={height - 6}>
          {first?.label}
        </text>
        <text x={width - margin.right} y={height - 6} text-anchor="end">
          {last?.label}
        </text>
      </svg>
      <figcaption class="hint">{messages.legend(most)}</figcaption>
      <details>
        <summary>{messages.table}</summary>
        <Table
          label={messages.table}
          head={[messages.day, messages.asked, messages.answered, messages.share]}
          figures={3}
        >
          {periods
            .filter(({ asked }) => asked > 0)
            .map(({ label, asked, answered }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td class="number">{asked.toLocaleString("fr")}</td>
                <td class="number">{answered.toLocaleString("fr")}</td>
                <td class="number">{percent(answered / asked)}</td>
              </tr>
            ))}
        </Table>
      </details>
    </figure>
  )
}

/** A period without questions has no share, so the line is interrupted there. */
function lines(periods: Period[], x: (place: number) => number, y: (part: number) => number): string[] {
  const found: string[][] = [[]]
  for (const [place, { asked, answered }] of periods.entries()) {
    if (asked > 0) found.at(-1)?.push(`${x(place).toFixed(1)},${y(answered / asked).toFixed(1)}`)
    else if (found.at(-1)?.length) found.push([])
  }
  return found.filter((points) => points.length > 1).map((points) => points.join(" "))
}

export function percent(share: number): string {
  return share.toLocaleString("fr", { style: "percent" })
}
