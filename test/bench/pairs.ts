/**
 * Whether changes made SQLite slower: the same work of two checkouts, in turn, in so many pairs; told are the ratios
 * of the second over the first, the one in the middle and an interval for it. The first is that of `base`. Both
 * checkouts need their dependencies (`bun install`).
 *
 *   git worktree add ../base 68248da9 && (cd ../base && bun install)
 *   bun test/bench/pairs.ts ../base . [--pairs 7] [--only drain,post,ask] [--count 20000] [--seconds 3]
 */
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { quantile, say } from "./figures.ts"

/**
 * Everything is held against one commit: steps that each kept .95 of the step before had cost a third in three days.
 * What it did a second on two quiet cores; its posts were only ever measured with deliveries that failed.
 */
const base = { commit: "68248da9", perSecond: { drain: 32_000, ask: 425 } }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "7" },
    only: { type: "string", default: "drain,post,ask" },
    count: { type: "string", default: "20000" },
    seconds: { type: "string", default: "3" },
  },
})
const [before, after] = positionals.map((folder) => resolve(folder))
if (!before || !after) throw new Error("name two checkouts")
const pairs = Number(values.pairs)
const { stdout } = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: before })
if (!stdout.toString().startsWith(base.commit))
  say(`before is not ${base.commit}, which did ${JSON.stringify(base.perSecond)} a second\n`)

const measures: Record<string, (checkout: string) => Promise<number>> = {
  /** Deliveries a second over TLS, after two drains that are not measured. */
  drain: (checkout) =>
    figureOf(checkout, [join(import.meta.dir, "pairs/drain.ts"), checkout, values.count], /^(\d+)$/m),
  /** Form posts a second at 16 at once, in the middle of three rounds. */
  post: (checkout) =>
    figureOf(checkout, [join(import.meta.dir, "pairs/post.ts"), checkout, values.seconds], /^(\d+)$/m),
  /** Questions a second at 16 at once about the documentation of the second, in the middle of three rounds. */
  ask: (checkout) =>
    figureOf(
      checkout,
      ["test/bench/ask.ts", "--dir", join(after, "data/demo"), "--rounds", "3", "--seconds", values.seconds],
      /POST \/api\/v1\/ask (\d+)\/s/g,
    ),
}

say(
  `| on SQLite, ${pairs} pairs | before | after | ratio in the middle | interval (of ${coverage(pairs)} %) | all |`,
)
say("|---|---|---|---|---|---|")
for (const name of values.only.split(",")) {
  const measure = measures[name]
  if (!measure) throw new Error(`there is no part ${name}`)
  const seen: { before: number; after: number }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    // Whoever comes second may find a machine that others have heated up: they take turns.
    const isTurned = pair % 2 === 1
    const first = await measure(isTurned ? after : before)
    const second = await measure(isTurned ? before : after)
    seen.push(isTurned ? { before: second, after: first } : { before: first, after: second })
    process.stderr.write(`${name}, pair ${pair + 1}: ${JSON.stringify(seen.at(-1))}\n`)
  }
  const ratios = seen.map((pair) => pair.after / pair.before).sort((one, other) => one - other)
  const middle = (which: "before" | "after") =>
    Math.round(
      quantile(
        seen.map((pair) => pair[which]),
        0.5,
      ),
    )
  const told = ratios.map((ratio) => ratio.toFixed(2))
  say(
    `| ${name}, a second | ${middle("before")} | ${middle("after")} | ${quantile(ratios, 0.5).toFixed(2)} | ${told[0]} to ${told.at(-1)} | ${told.join(" ")} |`,
  )
}

/** How sure it is that the median lies between the least and the greatest of so many. */
function coverage(count: number): string {
  return ((1 - 2 ** (1 - count)) * 100).toFixed(1)
}

/** The figure that a program prints; of several the one in the middle. */
async function figureOf(checkout: string, argv: string[], pattern: RegExp): Promise<number> {
  const child = Bun.spawn([process.execPath, ...argv], {
    cwd: checkout,
    env: { ...process.env, GUICHET_EMBEDDING: "none" },
    stdout: "pipe",
    stderr: "inherit",
  })
  const said = await new Response(child.stdout).text()
  const figures = [...said.matchAll(new RegExp(pattern, "gm"))].map(([, figure]) => Number(figure))
  if ((await child.exited) !== 0 || figures.length === 0) throw new Error(`${argv.join(" ")}: ${said}`)
  return quantile(figures, 0.5)
}
