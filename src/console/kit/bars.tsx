/** @jsxImportSource preact */

/** A day of a small chart: what went well and what did not, one above the other. */
export interface Bar {
  good: number
  bad: number
  /** Shown by a pointer that rests on the day. */
  title?: string
}

interface BarsProps {
  bars: readonly Bar[]
  /** The chart in words, for those who do not see it. */
  label: string
  size: "small" | "large"
}

const sizes = { small: { width: 240, height: 36 }, large: { width: 640, height: 120 } } as const

/**
 * A chart of days without axes. The small one is two paths, so that a page of many stays light; the large one has a
 * column for each day, with its title.
 */
export function Bars({ bars, label, size }: BarsProps) {
  const { width, height } = sizes[size]
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  const step = width / Math.max(bars.length, 1)
  const tall = (count: number) => (count === 0 ? 0 : Math.max((count / most) * height, 1.5))
  const columns = bars.map(({ good, bad, title }, place) => {
    const x = round(place * step + step * 0.1)
    const [goodHeight, badHeight] = [tall(good), tall(bad)]
    const top = height - goodHeight
    return { title, place, x, good: box(x, top, goodHeight), bad: box(x, top - badHeight, badHeight) }
  })

  /** As a piece of a path, cut off at the upper edge. */
  function box(x: number, y: number, tall: number): string {
    return tall === 0
      ? ""
      : `M${x} ${round(Math.max(y, 0))}h${round(step * 0.8)}v${round(tall)}h${round(-step * 0.8)}z`
  }

  return (
    <svg class={`bars ${size}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      <path class="floor" d={`M0 ${height}H${width}`} />
      {size === "small" ? (
        <>
          <path class="good" d={columns.map(({ good }) => good).join("")} />
          <path class="bad" d={columns.map(({ bad }) => bad).join("")} />
        </>
      ) : (
        columns.map(({ title, place, good, bad }) => (
          <g key={place}>
            <title>{title}</title>
            <rect class="day" x={round(place * step)} y={0} width={round(step)} height={height} />
            <path class="good" d={good} />
            <path class="bad" d={bad} />
          </g>
        ))
      )}
    </svg>
  )
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
