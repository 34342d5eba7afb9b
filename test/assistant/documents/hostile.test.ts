import { expect, test } from "bun:test"
import { join } from "node:path"
import { hostilePages, mostTimes } from "../../support/hostile-pages.ts"
import type { Line } from "../../support/read-hostile-pages.ts"

/** Length of all passages of a page, each with its title and headings, by the length of the page. */
const mostGrowth = 10
/** A reading that takes longer is killed. No mark for speed: it only ends one that would take hours. */
const hangsMs = 120_000

test(
  "a hostile page is read in time and to a size that grow with its length",
  async () => {
    const lines = await linesOf("read-hostile-pages.ts")
    const readings = lines.flatMap((line) => ("begins" in line ? [] : [line]))
    expect(readings.filter(({ threw }) => threw !== undefined)).toEqual([])
    // A small page may consist of tags alone, so it gets more time; a large page of that many tags is left out.
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

/** The output of a child process, which can be killed while a regular expression runs. */
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
  // The last line names the page that it was reading when it ended.
  expect({ exitCode: await child.exited, last: lines.at(-1) }).toEqual({
    exitCode: 0,
    last: expect.not.objectContaining({ begins: expect.anything() }),
  })
  return lines
}
