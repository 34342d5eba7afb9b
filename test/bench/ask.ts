/**
 * `bun test/bench/ask.ts [--dir FOLDER] [--seconds 3] [--rounds 6] [--connections 16] [--meaning]` measures
 * what a question costs beside its retrieval. Each round asks distinct questions in two ways. The first is
 * retrieval alone, in a loop in the service's process. The second is `POST /api/v1/ask` over keep-alive
 * connections, which also checks, limits, answers and durably stores each question; with meaning both make
 * the vector of the question. The two alternate because a machine's speed varies. The last line summarises
 * all rounds.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { retrieve } from "../../src/answering/retrieval/retrieve.ts"
import { minuteMs } from "../../src/base/clock.ts"
import type { LiveIndex } from "../../src/indexing/live-index.ts"
import { demo, indexFolder, origin, type Site } from "../support/ask.ts"
import { aService } from "../support/service-builder.ts"
import type { Measured, Work } from "./ask-client.ts"
import { distinctQuestions } from "./distinct-questions.ts"
import { report, say } from "./figures.ts"

const { values } = parseArgs({
  options: {
    dir: { type: "string", default: demo },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "6" },
    connections: { type: "string", default: "16" },
    meaning: { type: "boolean", default: false },
  },
})
const ms = Number(values.seconds) * 1000
const connections = Number(values.connections)
const plenty = "1000000000"

const unlimited = {
  GUICHET_ASK_PER_MINUTE: plenty,
  GUICHET_ASK_PER_VISITOR_DAY: plenty,
  GUICHET_ASK_PER_PROJECT_DAY: plenty,
  GUICHET_ASK_PER_ORGANISATION_MONTH: plenty,
  GUICHET_EMBEDDING: values.meaning ? "local" : "none",
}
await using site = await aService().withSettings(unlimited).withIndexedProject().started()
if (values.dir !== demo || values.meaning) await indexFolder(site.service.app, site.project, values.dir)
// Moves the clock so that the last minute never has more questions than a real site gets.
setInterval(() => site.clock.move(minuteMs), 100).unref()
const live = (await site.service.app.assistant.liveIndex(site.project.id)) as LiveIndex
const questions = await distinctQuestions(values.dir, 400_000)
const [bareName, wholeName] = ["retrieval alone", "POST /api/v1/ask"] as const
const shares: number[] = []
for (let round = 1; round <= Number(values.rounds); round++) {
  const bare = await askBare(live, questions)
  const whole = await askOverSocket(site, questions)
  report({ [bareName]: perSecond(bare), [wholeName]: perSecond(whole) })
  const share = perSecond(whole) / perSecond(bare)
  shares.push(share)
  say(`round ${round}: ${described(bareName, bare)}; ${described(wholeName, whole)}: ${percent(share)}`)
}
shares.sort((one, other) => one - other)
const [lowest, median, highest] = [0, 0.5, 1].map((at) => shares[Math.floor(at * (shares.length - 1))] ?? 0)
say(`median ${percent(median as number)}, from ${percent(lowest as number)} to ${percent(highest as number)}`)

async function askBare({ index }: LiveIndex, questions: string[]): Promise<Measured> {
  const startedAt = performance.now()
  const took: number[] = []
  const understanding = values.meaning ? site.service.app.assistant.localUnderstanding : undefined
  const { signal } = new AbortController()
  const loop = async () => {
    while (performance.now() - startedAt < ms) {
      const askedAt = performance.now()
      const question = questions.pop() as string
      const vector = await understanding?.vectorOf(question, signal)
      await retrieve(index, { question, previous: [], page: undefined, vector })
      took.push(performance.now() - askedAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  took.sort((one, other) => one - other)
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0
  return { asked: took.length, ms: performance.now() - startedAt, p50: at(0.5), p95: at(0.95) }
}

async function askOverSocket({ service, project }: Site, questions: string[]): Promise<Measured> {
  const work: Work = {
    url: service.url,
    origin,
    project: project.id,
    questions: questions.splice(-20_000),
    connections,
    ms,
  }
  const client = Bun.spawn([process.execPath, join(import.meta.dir, "ask-client.ts")], {
    stdin: new TextEncoder().encode(JSON.stringify(work)),
  })
  return (await new Response(client.stdout).json()) as Measured
}

function perSecond({ asked, ms }: Measured): number {
  return (asked / ms) * 1000
}

function described(name: string, measured: Measured): string {
  const { p50, p95 } = measured
  return `${name} ${Math.round(perSecond(measured))}/s (p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms)`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
