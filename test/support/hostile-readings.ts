import { join } from "node:path"
import type { Format, Line, Reading } from "./read-hostile-pages.ts"

/** Of the longest reading: no mark, but the end of one that would take hours. */
const hangsMs = 120_000

/**
 * Reads one hostile page in so many, of every format or this one, in a process of its own, which can be ended while an expression holds
 * it; rejects when the process does not come to its end, with what it was reading.
 */
export async function hostileReadings(every = 1, format?: Format): Promise<Reading[]> {
  const path = join(import.meta.dir, "read-hostile-pages.ts")
  await using child = Bun.spawn([process.execPath, path, String(every), ...(format ? [format] : [])], {
    stdout: "pipe",
    stderr: "inherit",
  })
  const lines: Line[] = []
  let watchdog: Timer | undefined
  const stillAlive = () => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => child.kill("SIGKILL"), hangsMs)
  }
  stillAlive()
  let rest = ""
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    stillAlive()
    const parts = (rest + text).split("\n")
    rest = parts.pop() as string
    lines.push(...parts.map((part) => JSON.parse(part) as Line))
  }
  clearTimeout(watchdog)
  const last = lines.at(-1)
  if ((await child.exited) !== 0 || !last || "begins" in last)
    throw new Error(`the reader stood still: ${JSON.stringify(last)}`)
  return lines.flatMap((line) => ("begins" in line ? [] : [line]))
}

/** The passages of a page are together that many times as long, titles and headings said again with each. */
const mostGrowth = 10

/** Those that threw, took too long or grew too much. */
export function unboundedOf(readings: readonly Reading[], mostTimes: number): Reading[] {
  return readings.filter(
    ({ threw, isSmall, cpuMs, harmlessMs, grewBy }) =>
      threw !== undefined ||
      // A small page may be made of tags alone: a large one of as many is left out.
      cpuMs > (isSmall ? 4 : 1) * mostTimes * harmlessMs ||
      grewBy > mostGrowth,
  )
}
