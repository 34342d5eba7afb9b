/** Milliseconds as a line of figures. */
export function described(took: readonly number[]): string {
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${sorted.at(-1)?.toFixed(1)} ms at most (${sorted.length} asked)`
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Limits that nobody reaches. */
export const plenty = {
  GUICHET_ASK_PER_MINUTE: "1000000",
  GUICHET_ASK_PER_VISITOR_DAY: "1000000",
  GUICHET_ASK_PER_PROJECT_DAY: "1000000",
  GUICHET_ASK_PER_ORGANISATION_MONTH: "1000000",
  GUICHET_LOG_LEVEL: "error",
}
