/**
 * `bun test/bench/reindex.ts [--pages 5000] [--rate 20] [--rounds 3]`: how long questions take while the documentation that they
 * are about is read again, every page of it changed. Asked at a steady rate, whether or not the last answer has come.
 */
import { parseArgs } from "node:util"
import { saveFeed } from "../../src/reading/feed.ts"
import { demo, origin, type Site } from "../support/ask.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { distinctQuestions } from "./distinct-questions.ts"

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "5000" },
    rate: { type: "string", default: "20" },
    rounds: { type: "string", default: "3" },
  },
})
const quietMs = 8000
const plenty = "1000000000"

await using site = await aService()
  .withSettings({
    GUICHET_ASK_PER_MINUTE: plenty,
    GUICHET_ASK_PER_VISITOR_DAY: plenty,
    GUICHET_ASK_PER_PROJECT_DAY: plenty,
  })
  .withIndexedProject()
  .started()
using folder = temporaryFolder()
const { app } = site.service
const questions = await distinctQuestions(demo, 100_000)
const source = { kind: "dir", address: folder.path, baseUrl: origin, urlStyle: "clean" } as const
await saveFeed(app.db, site.project.id, source, app.clock.now())
await writePages(0)
await (await app.reindexing.readNow(site.project.id, { force: true })).done
for (let round = 1; round <= Number(values.rounds); round++) {
  const quiet = await askUntil(site, Bun.sleep(quietMs))
  await writePages(round)
  const startedAt = performance.now()
  const during = await askUntil(site, (await app.reindexing.readNow(site.project.id, { force: true })).done)
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(
    `round ${round}: otherwise ${described(quiet)}; while ${values.pages} pages are read (${seconds.toFixed(1)} s) ${described(during)}\n`,
  )
}

/** Pages of the demo's own sentences in another order, each time another one. */
async function writePages(round: number): Promise<void> {
  const texts = await Promise.all(
    [...new Bun.Glob("**/*.md").scanSync(demo)].sort().map((file) => Bun.file(`${demo}/${file}`).text()),
  )
  const lines = texts.flatMap((text) => text.split(/\n{2,}/)).filter((text) => /^\p{L}/u.test(text))
  for (let page = 0; page < Number(values.pages); page++) {
    const body = Array.from({ length: 8 }, (_, n) => lines[(page * 13 + n * 7 + round) % lines.length])
    await Bun.write(`${folder.path}/page-${page}.md`, `# Page ${page}\n\n${body.join("\n\n")}\n`)
  }
}

async function askUntil({ ask }: Site, end: Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  const asked: Promise<void>[] = []
  let isOver = false
  end.finally(() => {
    isOver = true
  })
  while (!isOver) {
    asked.push(timed(ask, took))
    await Bun.sleep(1000 / Number(values.rate))
  }
  await Promise.all(asked)
  return took.sort((one, other) => one - other)
}

async function timed(ask: Site["ask"], took: number[]): Promise<void> {
  const startedAt = performance.now()
  const { status } = await ask({ question: questions.pop() as string })
  if (status !== 200) throw new Error(`status ${status}`)
  took.push(performance.now() - startedAt)
}

function described(took: number[]): string {
  const at = (share: number) => `${(took[Math.floor(took.length * share)] as number).toFixed(1)} ms`
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, slowest ${at(0.999)} of ${took.length}`
}
