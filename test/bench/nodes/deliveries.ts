import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type App, openApp } from "../../../src/app.ts"
import { readConfig } from "../../../src/config/config.ts"
import { type Authority, openAuthority } from "../../support/authority.ts"
import { manyPosts } from "../../support/many-posts.ts"
import { serverSettings } from "../../support/postgres.ts"
import { temporaryFolder } from "../../support/service.ts"
import { fill, openDestinations } from "../deliveries/drain.ts"
import { quantile, report, say } from "../figures.ts"
import { memoryOfTree } from "../process-tree.ts"
import { type Child, startChild } from "./child.ts"
import type { OutpostWork } from "./outpost.ts"
import type { PeerWork } from "./peer.ts"
import type { SenderWork } from "./sender.ts"
import type { BenchServer } from "./server.ts"

/** How much is drained, and how often. */
export interface DrainPlan {
  count: number
  endpoints: number
  warm: number
  rounds: number
  /** Milliseconds that a simulated attempt takes; undefined: receivers over TLS. */
  simulatedMs: number | undefined
  /** Beside graphile-worker and pg-boss. */
  peers: boolean
  /** One node and one process of each, on PostgreSQL alone. */
  one: boolean
  /** Folder with the programs of Outpost, to be measured beside. */
  outpost: string | undefined
}

/** One who drains: Guichet on a database, or another queue. */
interface Contestant extends AsyncDisposable {
  name: string
  nodes: readonly Child[]
  /** Address of its database on the server. */
  database: string | undefined
  fill(count: number): Promise<void>
  /** Whether nothing is left. */
  isDrained(): Promise<boolean>
  /** Throws when something was lost, or, with Guichet, sent twice. */
  check(): Promise<void>
}

interface Drained {
  rate: number
  /** Microseconds of a processor for each delivery. */
  server: number
  nodes: number
}

const host = "hooks.acme.fr"

/**
 * Deliveries a second until everything due has been sent and written down, contestant after contestant and round after
 * round, with the processor time of all nodes and of all processes of PostgreSQL.
 */
export async function drainTable(server: BenchServer, plan: DrainPlan): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(temporaryFolder()).path
  const authority = resources.use(openAuthority())
  const receiver = resources.use(await startReceiver(authority, folder))
  const settings = (data: string) => ({
    GUICHET_DATA_DIR: join(folder, data),
    GUICHET_PORT: "0",
    GUICHET_LOG_LEVEL: "error",
    GUICHET_EMBEDDING: "none",
    ...manyPosts,
    GUICHET_WEBHOOK_RESOLVE: `${host}=127.0.0.1:${receiver.greeting}`,
    GUICHET_WEBHOOK_CA_FILE: authority.caFile,
  })
  const contestants: Contestant[] = []
  const add = async (made: Promise<Contestant>) => contestants.push(resources.use(await made))
  if (!plan.one) await add(guichet("Guichet on SQLite", [settings("sqlite")], plan))
  const several = plan.one ? [1] : [1, 3]
  for (const nodes of several) {
    const database = serverSettings(await server.database())
    const all = Array.from({ length: nodes }, (_, node) => ({ ...settings(`${nodes}-${node}`), ...database }))
    await add(guichet(`Guichet on PostgreSQL, ${nodes === 1 ? "one node" : "three nodes"}`, all, plan))
  }
  if (plan.peers)
    for (const kind of ["graphile-worker", "pg-boss"] as const)
      for (const log of plan.one ? (["each"] as const) : (["each", "together"] as const))
        for (const nodes of log === "each" ? several : [3]) {
          const work: PeerWork = {
            kind,
            log,
            database: await server.database(),
            receiver: { port: Number(receiver.greeting), host, caFile: authority.caFile },
            simulatedMs: plan.simulatedMs,
          }
          const processes = nodes === 1 ? "one process" : "three processes"
          await add(peer(`${kind}, ${processes}${log === "each" ? "" : ", log in sets"}`, nodes, work))
        }
  if (plan.outpost !== undefined)
    await add(
      outpost({
        programs: plan.outpost,
        database: await server.database(),
        receiver: { port: Number(receiver.greeting), host: "localhost", caFile: authority.caFile },
        endpoints: plan.endpoints,
      }),
    )
  const seen = new Map<Contestant, Drained[]>(contestants.map((each) => [each, []]))
  for (let round = -plan.warm; round < plan.rounds; round++)
    for (const contestant of contestants) {
      const drained = await drain(contestant, server, plan.count)
      if (round < 0) continue
      report({ [contestant.name]: drained.rate })
      seen.get(contestant)?.push(drained)
    }
  const way = plan.simulatedMs === undefined ? "receivers over TLS" : `${plan.simulatedMs} ms simulated`
  const head = [
    `deliveries a second, ${way}, ${plan.endpoints} endpoints`,
    `in the middle of ${plan.rounds} rounds`,
    "least to most",
    "server, µs each",
    "nodes, µs each",
    "memory of a node",
    "connections",
  ]
  say(`| ${head.join(" | ")} |\n|${"---|".repeat(head.length)}`)
  for (const [{ name, database, nodes }, all] of seen) {
    const of = (what: keyof Drained, share = 0.5) =>
      Math.round(
        quantile(
          all.map((each) => each[what]),
          share,
        ),
      )
    const memory = nodes.map(({ pid }) => memoryOfTree(pid).pss)
    const cells = [
      name,
      of("rate"),
      `${of("rate", 0)} to ${of("rate", 1)}`,
      database ? of("server") : "–",
      of("nodes"),
      `${quantile(memory, 0.5)} MB`,
      database ? await connectionsOf(server, database) : "–",
    ]
    say(`| ${cells.join(" | ")} |`)
  }
}

/** Open ones of its database, those included that the bench fills it by. */
async function connectionsOf(server: BenchServer, database: string): Promise<number> {
  const [row] = await server.run<{ open: number }>(
    database,
    "SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  )
  return row?.open ?? 0
}

async function drain(contestant: Contestant, server: BenchServer, count: number): Promise<Drained> {
  const { nodes } = contestant
  await contestant.fill(count)
  Bun.spawnSync(["sync"])
  const processorMs = () => nodes.reduce((sum, node) => sum + node.processorMs(), 0)
  const before = { server: server.processorMs(), nodes: processorMs() }
  const startedMs = performance.now()
  await Promise.all(nodes.map((node) => node.tell("start")))
  // The database is asked at the end alone: looking for what is left takes it longer, the more was there before.
  while ((await attemptsOf(nodes)) < count || !(await contestant.isDrained())) {
    await Bun.sleep(10)
    if (performance.now() - startedMs > 120_000) throw new Error(`${contestant.name} does not come to an end`)
  }
  const seconds = (performance.now() - startedMs) / 1000
  const each = (ms: number) => (ms * 1000) / count
  const drained = {
    rate: count / seconds,
    server: each(server.processorMs() - before.server),
    nodes: each(processorMs() - before.nodes),
  }
  await Promise.all(nodes.map((node) => node.tell("stop")))
  await contestant.check()
  return drained
}

async function attemptsOf(nodes: readonly Child[]): Promise<number> {
  const counts = await Promise.all(nodes.map((node) => node.tell("count")))
  return counts.reduce((sum, count) => sum + Number(count), 0)
}

async function guichet(
  name: string,
  settings: readonly Record<string, string>[],
  { endpoints, simulatedMs }: DrainPlan,
): Promise<Contestant> {
  await using resources = new AsyncDisposableStack()
  const app = resources.use(await openApp(readConfig(settings[0] as Record<string, string>)))
  const destinations = await openDestinations(app, host, endpoints)
  const nodes: Child[] = []
  for (const each of settings) {
    const work: SenderWork = { settings: each, ...(simulatedMs !== undefined && { simulatedMs }) }
    nodes.push(resources.use(await startChild("sender.ts", JSON.stringify(work))))
  }
  let filled = 0
  const kept = resources.move()
  return {
    name,
    nodes,
    database: settings[0]?.["GUICHET_DATABASE_URL"],
    async fill(count) {
      await fill(app, destinations, count)
      filled += count
    },
    isDrained: async () =>
      (
        await app.db
          .selectFrom("delivery")
          .select("number")
          .where("due_at", "is not", null)
          .limit(1)
          .execute()
      ).length === 0,
    check: () => checkLog(app, filled),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Everything delivered, by one attempt each. */
async function checkLog({ db }: App, filled: number): Promise<void> {
  const { deliveries } = await db
    .selectFrom("delivery")
    .where("state", "=", "delivered")
    .select(({ fn }) => fn.countAll<number>().as("deliveries"))
    .executeTakeFirstOrThrow()
  const { attempts } = await db
    .selectFrom("attempt")
    .where("outcome", "=", "delivered")
    .select(({ fn }) => fn.countAll<number>().as("attempts"))
    .executeTakeFirstOrThrow()
  if (deliveries !== filled || attempts !== filled)
    throw new Error(`${filled} were to be sent; ${deliveries} are delivered by ${attempts} attempts`)
}

async function peer(name: string, count: number, work: PeerWork): Promise<Contestant> {
  await using resources = new AsyncDisposableStack()
  const nodes: Child[] = []
  for (let node = 0; node < count; node++)
    nodes.push(resources.use(await startChild("peer.ts", JSON.stringify(work))))
  const sql = new Bun.SQL(work.database, { max: 1 })
  resources.defer(() => sql.close())
  const left =
    work.kind === "graphile-worker"
      ? "SELECT 1 FROM graphile_worker._private_jobs LIMIT 1"
      : "SELECT 1 FROM pgboss.job WHERE name = 'deliver' AND state < 'completed' LIMIT 1"
  let filled = 0
  const kept = resources.move()
  return {
    name,
    nodes,
    database: work.database,
    async fill(jobs) {
      await nodes[0]?.tell(`fill ${jobs}`)
      filled += jobs
    },
    isDrained: async () => (await sql.unsafe(left)).length === 0,
    async check() {
      const [{ attempts }] = await sql`SELECT count(*)::int AS attempts FROM bench_attempt`
      // A stop may have repeated some.
      if (attempts < filled) throw new Error(`${name}: ${attempts} attempts of ${filled} jobs`)
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Its services, its Redis and its RabbitMQ count as one node. */
async function outpost(work: OutpostWork): Promise<Contestant> {
  const node = await startChild("outpost.ts", JSON.stringify(work))
  return {
    name: "Outpost, an API, a delivery and a log service, Redis, RabbitMQ",
    nodes: [node],
    database: work.database,
    async fill(count) {
      await node.tell(`fill ${count}`)
    },
    // An attempt is counted once it is in the log.
    isDrained: async () => true,
    async check() {},
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  }
}

async function startReceiver(authority: Authority, folder: string): Promise<Child> {
  const { cert, key } = authority.certify([host, "localhost"])
  const files = [join(folder, "cert.pem"), join(folder, "key.pem")] as const
  writeFileSync(files[0], cert)
  writeFileSync(files[1], key)
  return startChild("../deliveries/receiver.ts", ...files)
}
