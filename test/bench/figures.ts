/** Milliseconds as a line of figures. */
export function described(took: readonly number[]): string {
  const at = (share: number) => quantile(took, share).toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${at(1)} ms at most (${took.length} asked)`
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One round's figures by their names, as a line that `bun test/bench/all.ts` reads. */
export function report(figures: Readonly<Record<string, number>>): void {
  say(
    JSON.stringify(figures, (_, value) => (typeof value === "number" ? Number(value.toPrecision(5)) : value)),
  )
}

/** Limits that nobody reaches. */
export const plenty = {
  GUICHET_ASK_PER_MINUTE: "1000000",
  GUICHET_ASK_PER_VISITOR_DAY: "1000000",
  GUICHET_ASK_PER_PROJECT_DAY: "1000000",
  GUICHET_ASK_PER_ORGANISATION_MONTH: "1000000",
  GUICHET_LOG_LEVEL: "error",
}
