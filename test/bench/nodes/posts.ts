import { join } from "node:path"
import { openApp } from "../../../src/app.ts"
import { readConfig } from "../../../src/config/config.ts"
import { insertEndpoint } from "../../../src/webhooks/endpoints/endpoint.ts"
import { apiOf } from "../../support/api.ts"
import { manyPosts } from "../../support/many-posts.ts"
import { serverSettings } from "../../support/postgres.ts"
import { temporaryFolder } from "../../support/service.ts"
import { quantile, say } from "../figures.ts"
import { type Child, startChild } from "./child.ts"
import type { SenderWork } from "./sender.ts"
import type { BenchServer } from "./server.ts"

interface PostPlan {
  count: number
  rounds: number
  warm: number
}

const site = "https://www.acme.fr"

interface Service {
  name: string
  nodes: readonly Child[]
  form: string
}

/**
 * Form posts answered 201, hence on the disk, while their deliveries are made (2 ms each, simulated): 64 visitors for
 * each node, each as fast as it is answered.
 */
export async function acceptTable(server: BenchServer, plan: PostPlan): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(temporaryFolder()).path
  const settings = (data: string) => ({
    GUICHET_DATA_DIR: join(folder, data),
    GUICHET_PORT: "0",
    GUICHET_LOG_LEVEL: "error",
    GUICHET_EMBEDDING: "none",
    ...manyPosts,
  })
  const services = [resources.use(await open("SQLite", [settings("sqlite")]))]
  for (const count of [1, 3]) {
    const database = serverSettings(await server.database())
    const all = Array.from({ length: count }, (_, node) => ({ ...settings(`${count}-${node}`), ...database }))
    const name = `PostgreSQL, ${count === 1 ? "one node" : "three nodes"}`
    services.push(resources.use(await open(name, all)))
  }
  const seen = new Map<Service, { rate: number; server: number; nodes: number }[]>()
  for (let round = -plan.warm; round < plan.rounds; round++)
    for (const service of services) {
      const { nodes } = service
      const nodesMs = () => nodes.reduce((sum, node) => sum + node.processorMs(), 0)
      const before = { server: server.processorMs(), nodes: nodesMs() }
      const rate = await visit(service, plan.count)
      const each = (ms: number) => (ms * 1000) / plan.count
      const row = {
        rate,
        server: each(server.processorMs() - before.server),
        nodes: each(nodesMs() - before.nodes),
      }
      process.stderr.write(`round ${round + 1}: ${service.name}: ${Math.round(rate)}/s\n`)
      if (round >= 0) seen.set(service, [...(seen.get(service) ?? []), row])
      // The deliveries of this round end before the next one begins.
      await Bun.sleep(1000)
    }
  say(
    `| form posts accepted a second | in the middle of ${plan.rounds} rounds | least to most | server, µs each | nodes, µs each |`,
  )
  say("|---|---|---|---|---|")
  for (const [{ name }, rows] of seen) {
    const of = (what: "rate" | "server" | "nodes", share = 0.5) =>
      Math.round(
        quantile(
          rows.map((row) => row[what]),
          share,
        ),
      )
    say(
      `| ${name} | ${of("rate")} | ${of("rate", 0)} to ${of("rate", 1)} | ${name === "SQLite" ? "–" : of("server")} | ${of("nodes")} |`,
    )
  }
}

async function open(
  name: string,
  settings: readonly Record<string, string>[],
): Promise<Service & AsyncDisposable> {
  await using resources = new AsyncDisposableStack()
  const nodes: Child[] = []
  for (const each of settings) {
    const work: SenderWork = { settings: each, simulatedMs: 2 }
    nodes.push(resources.use(await startChild("sender.ts", JSON.stringify(work))))
  }
  await using app = await openApp(readConfig(settings[0] as Record<string, string>))
  const api = await apiOf({ app, url: nodes[0]?.greeting } as never)
  const project = await api.post("/api/v1/projects", { name: "Acme", site })
  const fields = ["sent", "texte"].map((field) => ({ name: field, label: field, type: "text" }))
  const form = await api.post("/api/v1/forms", { project: project.body.id, name: "Contact", fields })
  const wanted = { url: "https://hooks.acme.fr/hook", description: "", active: true, projects: [], forms: [] }
  await insertEndpoint(app.db, app.vault, api.workspaceId, wanted, app.clock.now())
  for (const node of nodes) await node.tell("start")
  const kept = resources.move()
  return { name, nodes, form: form.body.public_id, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Posts a second, over all nodes. */
async function visit({ nodes, form }: Service, count: number): Promise<number> {
  const script = join(import.meta.dir, "../deliveries/visitors.ts")
  const own = Math.ceil(count / nodes.length)
  const rates = await Promise.all(
    nodes.map(async ({ greeting }) => {
      const args = [`${greeting}/f/${form}`, site, String(own), "0"]
      const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" })
      return Number((await new Response(child.stdout).text()).trim())
    }),
  )
  return count / (own / Math.min(...rates))
}
