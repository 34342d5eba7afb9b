/** @jsxImportSource preact */
import { messages } from "../messages/chart.fr.ts"
import { Table } from "./components.tsx"

/** A part of each bar, from the bottom upwards. The tone is a class of chart.css, in light and dark. */
export interface Series {
  name: string
  tone: "main" | "good" | "warn" | "bad" | "soft"
  values: readonly number[]
}

interface ChartProps {
  /** Says what the chart shows, for those who do not see it. */
  label: string
  /** Name of the first column of the table, such as `Jour`. */
  unit: string
  /** One for each bar: `20 nov.` */
  labels: readonly string[]
  series: readonly Series[]
  /** A share from 0 to 1 over the bars, as a line; null interrupts it. */
  line?: { name: string; values: readonly (number | null)[] }
}

/** In pixels. Above the bars stand the ends of the axis and the figures of one bar. */
const top = 28
const plotHeight = 140

/**
 * Stacked bars, and a line of shares over them, with a table of the same figures. Each bar tells its figures
 * when the pointer is on it; the bars are one stop of the keyboard, from which the arrow keys lead on
 * (script.ts). Places are shares of the width, so that texts keep their size on a phone.
 */
export function Chart({ label, unit, labels, series, line }: ChartProps) {
  const totals = labels.map((_, place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0))
  const most = niceMaximum(Math.max(1, ...totals))
  const step = 100 / Math.max(labels.length, 1)
  const told = (place: number) =>
    `${labels[place]}${messages.colon}${[
      ...series.map(({ name, values }) => `${name} ${count(values[place] ?? 0)}`),
      ...(line && line.values[place] != null ? [`${line.name} ${percent(line.values[place])}`] : []),
    ].join(", ")}`
  return (
    <figure class="chart">
      {(series.length > 1 || line) && (
        <figcaption class="legend">
          {series.map(({ name, tone }) => (
            <span key={name} class={`key ${tone}`}>
              {name}
            </span>
          ))}
          {line && <span class="key line-key">{line.name}</span>}
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of an image is no set of fields */}
      <svg class="plot" width="100%" height={top + plotHeight} role="group" aria-label={label} data-points>
        <g transform={`translate(0 ${top})`}>
          {[0, 0.5, 1].map((part) => (
            <line key={part} class="grid" x1="0" x2="100%" y1={down(1 - part)} y2={down(1 - part)} />
          ))}
          <text x="0" y="-4">
            {count(most)}
          </text>
          {line && (
            <text x="100%" y="-4" text-anchor="end">
              {percent(1)}
            </text>
          )}
          {labels.map((each, place) => (
            <g key={each} class="point" tabindex={place === labels.length - 1 ? 0 : -1}>
              <rect class="hit" x={`${round(place * step)}%`} width={`${round(step)}%`} height={plotHeight} />
              {stacked(series, place).map(({ tone, from, value }) => (
                <rect
                  key={tone}
                  class={tone}
                  x={`${round((place + 0.12) * step)}%`}
                  width={`${round(0.76 * step)}%`}
                  y={down(1 - (from + value) / most)}
                  height={down(value / most)}
                />
              ))}
              <text class="tip" x={tipPlace(place, labels.length)} y="-16" text-anchor="middle">
                {told(place)}
              </text>
            </g>
          ))}
        </g>
        {line && <Line values={line.values} step={step} />}
      </svg>
      <p class="ends">
        <span>{labels[0]}</span>
        <span>{labels.at(-1)}</span>
      </p>
      <details>
        <summary>{messages.table}</summary>
        <Table
          label={label}
          head={[unit, ...series.map(({ name }) => name), ...(line ? [line.name] : [])]}
          figures={series.length + (line ? 1 : 0)}
        >
          {labels.map((each, place) => (
            <tr key={each}>
              <th scope="row">{each}</th>
              {series.map(({ name, values }) => (
                <td key={name} class="number">
                  {count(values[place] ?? 0)}
                </td>
              ))}
              {line && (
                <td class="number">
                  {line.values[place] == null ? messages.none : percent(line.values[place])}
                </td>
              )}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  )
}

/** A drawing of its own coordinates, stretched over the plot: SVG takes no shares in the points of a line. */
function Line({ values, step }: { values: readonly (number | null)[]; step: number }) {
  const parts: string[][] = [[]]
  for (const [place, value] of values.entries()) {
    if (value !== null) parts.at(-1)?.push(`${round((place + 0.5) * step)},${round(100 * (1 - value))}`)
    else if (parts.at(-1)?.length) parts.push([])
  }
  return (
    <svg
      class="over"
      aria-hidden="true"
      width="100%"
      y={top}
      height={plotHeight}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      overflow="visible"
    >
      {parts
        .filter((points) => points.length > 0)
        .map((points) => (
          <polyline key={points[0]} class="line" points={[...points, points.at(-1)].join(" ")} />
        ))}
    </svg>
  )
}

interface SparklineProps {
  /** Says what the line shows and its figures, for those who do not see it. */
  label: string
  series: readonly Series[]
}

/** Stacked bars without axes, the size of a word: a table or a text beside it tells the figures. */
export function Sparkline({ label, series }: SparklineProps) {
  const length = Math.max(0, ...series.map(({ values }) => values.length))
  const places = Array.from({ length }, (_, place) => place)
  const totals = places.map((place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0))
  const most = Math.max(1, ...totals)
  const step = 100 / Math.max(length, 1)
  return (
    <svg class="sparkline" width="100%" height="32" role="img" aria-label={label}>
      <line class="grid" x1="0" x2="100%" y1="100%" y2="100%" />
      {places.flatMap((place) =>
        stacked(series, place).map(({ tone, from, value }) => (
          <rect
            key={`${place} ${tone}`}
            class={tone}
            x={`${round((place + 0.1) * step)}%`}
            width={`${round(0.8 * step)}%`}
            y={share(1 - (from + value) / most)}
            height={share(value / most)}
          />
        )),
      )}
    </svg>
  )
}

function stacked(series: readonly Series[], place: number) {
  let from = 0
  return series.flatMap(({ tone, values }) => {
    const value = values[place] ?? 0
    from += value
    return value === 0 ? [] : [{ tone, from: from - value, value }]
  })
}

/** Texts at either end would leave the drawing, so they stay within its middle. */
function tipPlace(place: number, of: number): string {
  const middle = (100 * (place + 0.5)) / of
  return `${round(Math.min(Math.max(middle, 30), 70))}%`
}

/** One digit before zeros, and an even one, so that half of it is round too. */
export function niceMaximum(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 4, 6, 8, 10].find((factor) => factor * power >= most) as number) * power
}

// Made once: `toLocaleString` makes a formatter at every call, which costs more than the rest of a bar.
const numbers = new Intl.NumberFormat("fr")
const shares = new Intl.NumberFormat("fr", { style: "percent" })

export function percent(part: number): string {
  return shares.format(part)
}

function count(value: number): string {
  return numbers.format(value)
}

/** Pixels of a share of the plot's height. */
function down(part: number): number {
  return round(plotHeight * part)
}

function share(part: number): string {
  return `${round(100 * part)}%`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
