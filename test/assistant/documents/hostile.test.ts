import { expect, test } from "bun:test"
import { join } from "node:path"
import { hostilePages, mostTimes } from "../../support/hostile-pages.ts"
import type { Line } from "../../support/read-hostile-pages.ts"

/** The passages of a page are together that many times as long, titles and headings said again with each. */
const mostGrowth = 10
/** Of the longest reading: no mark, but the end of one that would take hours. */
const hangsMs = 120_000

test(
  "a page made to wear the reader out is read in time and to a size that grow with its length",
  async () => {
    const lines = await linesOf("read-hostile-pages.ts")
    const readings = lines.flatMap((line) => ("begins" in line ? [] : [line]))
    expect(readings.filter(({ threw }) => threw !== undefined)).toEqual([])
    // A small page may be made of tags alone: a large one of as many is left out.
    const tooSlow = readings.filter(
      ({ isSmall, cpuMs, harmlessMs }) => cpuMs > (isSmall ? 4 : 1) * mostTimes * harmlessMs,
    )
    expect(tooSlow).toEqual([])
    expect(readings.filter(({ grewBy }) => grewBy > mostGrowth)).toEqual([])
    const shapes = hostilePages().map(({ name }) => name)
    expect(new Set(shapes).size).toBeGreaterThan(200)
    for (const kinds of [[".md", ".mdx"], [".html"]])
      expect(new Set(readings.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name))).toEqual(
        new Set(shapes),
      )
  },
  10 * hangsMs,
)

/** In a process of its own, which can be ended while an expression holds it. */
async function linesOf(program: string): Promise<Line[]> {
  const path = join(import.meta.dir, "../../support", program)
  await using child = Bun.spawn([process.execPath, path], { stdout: "pipe", stderr: "inherit" })
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
  // What it was reading when it ended.
  expect({ exitCode: await child.exited, last: lines.at(-1) }).toEqual({
    exitCode: 0,
    last: expect.not.objectContaining({ begins: expect.anything() }),
  })
  return lines
}
