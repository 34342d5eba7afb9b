import type { ComponentChildren } from "preact"
import { Table } from "./components.tsx"
import { words } from "./words.fr.ts"

/** A part of each bar, from the bottom upwards. The tone is a class of chart.css, in light and dark. */
export interface Series {
  name: string
  tone: "main" | "good" | "warn" | "bad"
  values: readonly number[]
}

interface ChartProps {
  /** Says what the chart shows, for those who do not see it. */
  label: string
  /** Name of the first column of the table, such as `Jour`. */
  unit: string
  labels: readonly string[]
  series: readonly Series[]
  /** A share from 0 to 1 of each bar, in its words and in the table; null for a bar without one. */
  rate?: { name: string; values: readonly (number | null)[] }
}

/** In pixels. Above the bars stand the end of the axis and the figures of one bar. */
const top = 28
const plotHeight = 140
/** As a share of the width in percent, where there are few. */
const widestBar = 12

/**
 * Stacked bars, with a table of the same figures. Each bar tells its figures when the pointer is on it; the bars are
 * one stop of the keyboard, from which the arrow keys lead on (script.ts). Places are shares of the width, so that
 * texts keep their size on a phone.
 */
export function Chart({ label, unit, ...whole }: ChartProps) {
  const { labels, series, rate, totals } = fromFirstData(whole)
  const most = niceMaximum(Math.max(1, ...totals))
  const step = 100 / Math.max(labels.length, 1)
  const width = Math.min(0.76 * step, widestBar)
  const rateAt = (place: number) =>
    rate?.values[place] == null ? words.none : percent(rate.values[place] as number)
  const pointLabel = (place: number) =>
    `${labels[place]}${words.colon}${[
      ...series.map(({ name, values }) => `${count(values[place] ?? 0)} ${name}`),
      ...(rate?.values[place] == null ? [] : [`${rateAt(place)} ${rate.name}`]),
    ].join(", ")}`
  return (
    <figure class="chart">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of an image is no set of fields */}
      <svg class="plot" width="100%" height={top + plotHeight} role="group" aria-label={label} data-points>
        <g transform={`translate(0 ${top})`}>
          {[0, 0.5, 1].map((part) => (
            <line key={part} class="grid" x1="0" x2="100%" y1={down(1 - part)} y2={down(1 - part)} />
          ))}
          <text x="0" y="-4">
            {count(most)}
          </text>
          {labels.map((each, place) => (
            <g key={each} class="point" tabindex={place === labels.length - 1 ? 0 : -1}>
              <rect class="hit" x={`${round(place * step)}%`} width={`${round(step)}%`} height={plotHeight} />
              {stacked(series, place).map(({ tone, from, value }) => (
                <rect
                  key={tone}
                  class={tone}
                  x={`${round((place + 0.5) * step - width / 2)}%`}
                  width={`${round(width)}%`}
                  y={down(1 - (from + value) / most)}
                  height={down(value / most)}
                />
              ))}
              <text class="tip" x={tipPlace(place, labels.length)} y="-16" text-anchor="middle">
                {pointLabel(place)}
              </text>
            </g>
          ))}
        </g>
      </svg>
      <p class="ends">
        {axisLabels(labels).map((each) => (
          <span key={each}>{each}</span>
        ))}
      </p>
      <details>
        <summary>{words.chartTable}</summary>
        <Table
          label={label}
          head={[unit, ...series.map(({ name }) => name), ...(rate ? [rate.name] : [])]}
          figures={series.length + (rate ? 1 : 0)}
        >
          {labels.map((each, place) => (
            <tr key={each}>
              <th scope="row">{each}</th>
              {series.map(({ name, values }) => (
                <td key={name} class="number">
                  {count(values[place] ?? 0)}
                </td>
              ))}
              {rate && <td class="number">{rateAt(place)}</td>}
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  )
}

/** Leaves out what comes before the first bar that shows something. */
function fromFirstData({ labels, series, rate }: Pick<ChartProps, "labels" | "series" | "rate">) {
  const totals = labels.map((_, place) => sum(series.map(({ values }) => values[place] ?? 0)))
  const start = Math.max(
    totals.findIndex((total) => total > 0),
    0,
  )
  return {
    labels: labels.slice(start),
    totals: totals.slice(start),
    series: series.map((each) => ({ ...each, values: each.values.slice(start) })),
    rate: rate && { ...rate, values: rate.values.slice(start) },
  }
}

/** The first, the middle and the last of many, which have room below the bars. */
function axisLabels(labels: readonly string[]): string[] {
  const middle = labels.length >= 5 ? [Math.round((labels.length - 1) / 2)] : []
  return [...new Set([0, ...middle, labels.length - 1])].map((place) => labels[place] ?? "")
}

/** The sum of a chart, a word about it, and the part of each series in it. */
export function ChartSum({ series, children }: { series: readonly Series[]; children?: ComponentChildren }) {
  const whole = sum(series.map(({ values }) => sum(values)))
  return (
    <div class="figure">
      <strong>{count(whole)}</strong> {children}
      {series.length > 1 && <ChartKeys series={series} />}
    </div>
  )
}

/** The colours of a chart, each with the sum of its series. */
export function ChartKeys({ series }: { series: readonly Series[] }) {
  return (
    <div class="keys">
      {series.map(({ name, tone, values }) => (
        <span key={name} class={`key ${tone}`}>
          {count(sum(values))} {name}{" "}
        </span>
      ))}
    </div>
  )
}

interface SparklineProps {
  /** Says what the bars show and their figures, for those who do not see them. */
  label: string
  series: readonly Series[]
}

/** On a grid of its own, stretched over the width that is there. */
const sparkHeight = 32

/** Stacked bars without axes, the size of a word: a text beside them tells the figures. One path for each series. */
export function Sparkline({ label, series }: SparklineProps) {
  const length = Math.max(1, ...series.map(({ values }) => values.length))
  const places = Array.from({ length }, (_, place) => place)
  const most = Math.max(1, ...places.map((place) => sum(series.map(({ values }) => values[place] ?? 0))))
  const parts = places.flatMap((place) => stacked(series, place).map((part) => ({ place, ...part })))
  const high = (value: number) => round((sparkHeight * value) / most)
  return (
    <svg
      class="sparkline"
      width="100%"
      height={sparkHeight}
      viewBox={`0 0 ${length * 10} ${sparkHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="grid" d={`M0 ${sparkHeight}h${length * 10}`} />
      {series.map(({ tone }) => (
        <path
          key={tone}
          class={tone}
          d={parts
            .filter((part) => part.tone === tone)
            .map(
              ({ place, from, value }) =>
                `M${place * 10 + 1} ${sparkHeight - high(from)}v${-high(value)}h8v${high(value)}z`,
            )
            .join("")}
        />
      ))}
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

/** Texts at either end would leave the drawing, on a phone those further in too, so they stay near its middle. */
function tipPlace(place: number, of: number): string {
  const middle = (100 * (place + 0.5)) / of
  return `${round(Math.min(Math.max(middle, 38), 62))}%`
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

function down(part: number): number {
  return round(plotHeight * part)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
