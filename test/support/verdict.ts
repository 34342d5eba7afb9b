/** One row of a table of results: what was tried, what must hold, what was found. */
export interface Verdict {
  name: string
  mark: string
  found: string
  passed: boolean
  /** Whether it is how long something took that came to its end: that depends on the machine too. */
  isTime?: boolean
}

/** Runs one after the other, printing each row as it is known; resolves to true when all passed. */
export async function judge(
  trials: readonly { name: string; run(): Promise<Verdict[]> }[],
): Promise<boolean> {
  let all = true
  for (const { name, run } of trials) {
    const startedAt = performance.now()
    const verdicts = await run().catch((error) => [
      { name, mark: "runs to its end", found: String(error?.stack ?? error), passed: false },
    ])
    for (const verdict of verdicts) process.stdout.write(`${line(verdict)}\n`)
    process.stdout.write(`       ${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
    all &&= verdicts.every(({ passed }) => passed)
  }
  process.stdout.write(all ? "all passed\n" : "FAILED\n")
  return all
}

/** A row whose mark is a number that must be found exactly. */
export function exactly(name: string, mark: number, found: number): Verdict {
  return { name, mark: `= ${mark}`, found: String(found), passed: found === mark }
}

/** A row whose mark is a text that must be found exactly, but for white space around it. */
export function is(name: string, mark: string, found: string): Verdict {
  return { name, mark: mark || "–", found: found.trim() || "–", passed: found.trim() === mark }
}

export function atMost(name: string, mark: number, found: number, unit = ""): Verdict {
  const isTime = unit === " ms" && Number.isFinite(found)
  return { name, mark: `≤ ${mark}${unit}`, found: `${round(found)}${unit}`, passed: found <= mark, isTime }
}

export function atLeast(name: string, mark: number, found: number, unit = ""): Verdict {
  return { name, mark: `≥ ${mark}${unit}`, found: `${round(found)}${unit}`, passed: found >= mark }
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}

function line({ name, mark, found, passed }: Verdict): string {
  return `${passed ? "pass" : "FAIL"} | ${name.padEnd(72)} | ${mark.padStart(10)} | ${found}`
}
