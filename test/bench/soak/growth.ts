import type { Held } from "./held.ts"

/** Whether something grew that must not, over the last two thirds of a run: the first is for warming up. */
export interface Growth {
  what: string
  /** In the middle of what was seen. */
  median: number
  /** By its slope, over the minutes judged. */
  grown: number
  most: number
  perHour: number
  flat: boolean
}

/**
 * How much of its median, and how much more, each may grow by: what lies below is the noise of a collector
 * and of files in passing.
 */
const tolerances: { name: keyof Held; what: string; share: number; plus: number }[] = [
  { name: "memoryMb", what: "memory MB", share: 0.04, plus: 4 },
  { name: "anonymousMb", what: "its own memory MB", share: 0.05, plus: 4 },
  { name: "heapMb", what: "heap MB", share: 0.1, plus: 4 },
  { name: "externalMb", what: "external MB", share: 0.2, plus: 4 },
  { name: "descriptors", what: "file descriptors", share: 0, plus: 6 },
  { name: "threads", what: "threads", share: 0, plus: 3 },
  { name: "walMb", what: "WAL MB", share: 0.2, plus: 4 },
  { name: "indexMb", what: "index MB", share: 0.3, plus: 3 },
  { name: "indexFiles", what: "index files", share: 0.3, plus: 40 },
]

export function growth(samples: readonly Held[]): Growth[] {
  const judged = samples.slice(Math.floor(samples.length / 3))
  const minutes = (judged.at(-1)?.minute ?? 0) - (judged[0]?.minute ?? 0)
  return tolerances.map(({ name, what, share, plus }) => {
    const points = judged.map((sample) => ({ at: sample.minute, value: sample[name] }))
    const middle = median(points.map(({ value }) => value))
    const perMinute = slope(points)
    const grown = perMinute * minutes
    const most = share * middle + plus
    return { what, median: middle, grown, most, perHour: perMinute * 60, flat: grown <= most }
  })
}

/** The median of the slopes between all pairs (Theil and Sen): a peak here or there does not turn it. */
function slope(points: readonly { at: number; value: number }[]): number {
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.value - one.value) / (other.at - one.at)),
  )
  return median(slopes)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}
