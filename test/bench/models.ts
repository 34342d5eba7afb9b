/**
 * `bun test/bench/models.ts [--asks 300] [--crowd 1000]`: what our own code adds to an answer around a model that answers in
 * 0 ms, and what a crowd before a model that stalls costs this process and a site without a model in it.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { origin, type Site, startSite } from "../support/ask.ts"
import { type Behaviour, honest } from "../support/models/behaviour.ts"
import { providers } from "../support/models/server.ts"
import { startModelSite } from "../support/models/site.ts"
import type { Crowd, Told } from "./crowd-client.ts"

const { values } = parseArgs({
  options: { asks: { type: "string", default: "300" }, crowd: { type: "string", default: "1000" } },
})
const plenty = {
  GUICHET_ASK_PER_MINUTE: "1000000",
  GUICHET_ASK_PER_VISITOR_DAY: "1000000",
  GUICHET_ASK_PER_PROJECT_DAY: "1000000",
  GUICHET_ASK_PER_ORGANISATION_MONTH: "1000000",
  GUICHET_LOG_LEVEL: "error",
}
const subjects = [
  "la signature d’un webhook",
  "le secret d’un endpoint",
  "la sauvegarde",
  "le quota",
  "le widget",
]
const question = (at: number) => `Comment vérifier ${subjects[at % subjects.length]} ${at} ?`

for (const provider of providers) {
  const spent = { ms: 0 }
  await using site = await startModelSite(provider, timed(honest, spent), plenty)
  for (let at = 0; at < 20; at++) await site.ask({ question: question(at) })
  const took: number[] = []
  for (let at = 100; at < 100 + Number(values.asks); at++) {
    spent.ms = 0
    const askedAt = performance.now()
    const { status } = await site.ask({ question: question(at) })
    if (status !== 200) throw new Error(`status ${status}`)
    took.push(performance.now() - askedAt - spent.ms)
  }
  say(`${provider}: a written answer, less what the model itself took: ${described(took)}`)
}

{
  await using site = await startModelSite("openai", { ...honest, write: () => ({ silent: true }) }, plenty, {
    firstPieceMs: 12_000,
    answerMs: 24_000,
    helpMs: 3000,
  })
  await using other = await startSite(plenty)
  const alone = await series(50, () => other.ask({ question: anyQuestion() }))
  say(`a site without a model: alone ${described(alone)}`)
  for (const round of [1, 2, 3]) {
    Bun.gc(true)
    const before = process.memoryUsage().rss
    let over = false
    const crowd = askAtOnce(
      site,
      Array.from({ length: Number(values.crowd) }, (_, at) => question(at)),
    ).finally(() => {
      over = true
    })
    const beside: number[] = []
    let most = before
    while (!over) {
      beside.push(...(await series(1, () => other.ask({ question: anyQuestion() }))))
      most = Math.max(most, process.memoryUsage().rss)
      await Bun.sleep(50)
    }
    const told = await crowd
    const statuses = [...Map.groupBy(told, ([status]) => status)]
    Bun.gc(true)
    say(
      `round ${round}: ${values.crowd} at once before a model that stalls: ${statuses.map(([status, replies]) => `${replies.length} × ${status}`).join(", ")}, ${described(told.map(([, ms]) => ms))}; ${site.server.mostInFlight} requests at the model at most; memory ${megabytes(before)} before, ${megabytes(most)} at most, ${megabytes(process.memoryUsage().rss)} after; the site without a model meanwhile ${described(beside)}`,
    )
    // The model's rest is over: the next crowd finds it stalling again.
    site.clock.move(3_600_000)
  }
}

function anyQuestion(): string {
  return question(Math.floor(Math.random() * 1e9))
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

async function askAtOnce({ service, project }: Site, questions: string[]): Promise<Told> {
  const crowd: Crowd = { url: service.url, origin, project: project.id, questions }
  const client = Bun.spawn([process.execPath, join(import.meta.dir, "crowd-client.ts")], {
    stdin: new TextEncoder().encode(JSON.stringify(crowd)),
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "5000" },
  })
  return (await new Response(client.stdout).json()) as Told
}

/** The time that the fake model needs is not ours. */
function timed(behaviour: Behaviour, spent: { ms: number }): Behaviour {
  return {
    write(received) {
      const startedAt = performance.now()
      const reply = behaviour.write(received)
      spent.ms += performance.now() - startedAt
      return reply
    },
    embed(texts) {
      const startedAt = performance.now()
      const vectors = behaviour.embed(texts)
      spent.ms += performance.now() - startedAt
      return vectors
    },
  }
}

async function series(count: number, work: () => Promise<{ status: number }>): Promise<number[]> {
  const took: number[] = []
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now()
    const { status } = await work()
    if (status !== 200) throw new Error(`status ${status}`)
    took.push(performance.now() - startedAt)
  }
  return took
}

function described(took: number[]): string {
  const sorted = took.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (${sorted.length} asked)`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
