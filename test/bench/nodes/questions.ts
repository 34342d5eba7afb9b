import { join } from "node:path"
import { demo, origin } from "../../support/ask.ts"
import { serverSettings } from "../../support/postgres.ts"
import type { Measured, Work } from "../ask-client.ts"
import { distinctQuestions } from "../distinct-questions.ts"
import { plenty, quantile, say } from "../figures.ts"
import type { Answering } from "./answerer.ts"
import { type Child, startChild } from "./child.ts"
import type { BenchServer } from "./server.ts"

interface AskPlan {
  embedding: "none" | "local"
  rounds: number
  warm: number
  seconds: number
}

const connections = 16

interface Asked extends Measured {
  /** Milliseconds of a processor for each question. */
  service: number
  server: number
}

/** Distinct questions at 16 at once, one engine after the other in each round. */
export async function askTable(server: BenchServer, plan: AskPlan): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const settings = { ...plenty, GUICHET_EMBEDDING: plan.embedding }
  const database = serverSettings(await server.database())
  const services = new Map<string, Child>()
  for (const [name, own] of [
    ["SQLite", settings],
    ["PostgreSQL", { ...settings, ...database }],
  ] as const)
    services.set(name, resources.use(await startChild("answerer.ts", JSON.stringify(own))))
  const questions = await distinctQuestions(demo, 400_000)
  const seen = new Map<string, Asked[]>([...services.keys()].map((name) => [name, []]))
  for (let round = -plan.warm; round < plan.rounds; round++)
    for (const [name, service] of services) {
      const asked = await askFor(service, server, questions.splice(-20_000), plan.seconds * 1000)
      process.stderr.write(`round ${round + 1}: ${name}: ${Math.round(rateOf(asked))}/s\n`)
      if (round >= 0) seen.get(name)?.push(asked)
    }
  say(
    `| questions at ${connections} at once, ${plan.embedding === "none" ? "words alone" : "with meaning"} | a second | least to most | p50 | p95 | service, ms each | server, ms each |`,
  )
  say("|---|---|---|---|---|---|---|")
  const middle = (name: string, of: (asked: Asked) => number, share = 0.5) =>
    quantile((seen.get(name) as Asked[]).map(of), share)
  for (const name of seen.keys())
    say(
      `| ${name} | ${Math.round(middle(name, rateOf))} | ${Math.round(middle(name, rateOf, 0))} to ${Math.round(middle(name, rateOf, 1))} | ${middle(name, ({ p50 }) => p50).toFixed(1)} ms | ${middle(name, ({ p95 }) => p95).toFixed(1)} ms | ${middle(name, ({ service }) => service).toFixed(2)} | ${middle(name, ({ server }) => server).toFixed(2)} |`,
    )
  const ratios = (of: (asked: Asked) => number) =>
    (seen.get("PostgreSQL") as Asked[]).map(
      (asked, round) => of(asked) / of(seen.get("SQLite")?.[round] as Asked),
    )
  const told = (all: number[]) =>
    `${quantile(all, 0.5).toFixed(2)} (${quantile(all, 0).toFixed(2)} to ${quantile(all, 1).toFixed(2)})`
  say(
    `\nPostgreSQL of one round over SQLite: rate ${told(ratios(rateOf))}, p50 ${told(ratios(({ p50 }) => p50))}`,
  )
}

function rateOf({ asked, ms }: Measured): number {
  return (asked / ms) * 1000
}

async function askFor(service: Child, server: BenchServer, questions: string[], ms: number): Promise<Asked> {
  const { url, project } = JSON.parse(service.greeting) as Answering
  const work: Work = { url, origin, project, questions, connections, ms }
  const before = { service: service.processorMs(), server: server.processorMs() }
  const client = Bun.spawn([process.execPath, join(import.meta.dir, "../ask-client.ts")], {
    stdin: new TextEncoder().encode(JSON.stringify(work)),
  })
  const measured = (await new Response(client.stdout).json()) as Measured
  return {
    ...measured,
    service: (service.processorMs() - before.service) / measured.asked,
    server: (server.processorMs() - before.server) / measured.asked,
  }
}
