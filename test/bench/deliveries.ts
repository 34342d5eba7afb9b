import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config/config.ts"
import { startServer } from "../../src/server.ts"
import { openFindDue } from "../../src/webhooks/delivery/claim.ts"
import { claimStatements } from "../../src/webhooks/delivery/sqlite/claim.ts"
import { cancel } from "../../src/webhooks/endpoints/cancel.ts"
import { insertEndpoint } from "../../src/webhooks/endpoints/endpoint.ts"
import { apiOf } from "../support/api.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { manyPosts } from "../support/many-posts.ts"
import { bareLoop } from "./deliveries/bare.ts"
import { clearUp, drain, fill, openDestinations, storeDelivered } from "./deliveries/drain.ts"
import { report, say } from "./figures.ts"
import { requirePackage } from "./packages.ts"

/**
 * Deliveries drained per second with the log written, side by side with BullMQ on Redis (appendfsync always)
 * doing the same, and with a bare loop of pinned TLS posts in the same process, just before and after
 * (`drain`); all to one endpoint, BullMQ with as little as a success needs, and the bare loop with fewer at
 * once (`variants`); form responses accepted per second, each on the disk, while they are delivered; the time
 * from post to receiver at 50 and 200 a second; the time of a claim with 1,000 and 1,000,000 deliveries
 * stored; how evenly a backlog on 50 endpoints drains. Receiver and visitors are processes of their own;
 * everything is on loopback.
 *
 * Each drains as many three times before, without being measured: programs are compiled while they run, and
 * their first seconds are not what they do for weeks. They take turns, a line for each round, since the
 * machine is another one from minute to minute.
 *
 *   bun test/bench/deliveries.ts [--count 20000] [--warm 3] [--rounds 5] [--only drain,variants,accept,latency,claim,fairness]
 */
const name = "hooks.acme.fr"
const site = "https://www.acme.fr"
const endpoints = 50
/**
 * What the bare loop does best with: beyond, fetch makes a connection for each request. Guichet has three
 * times as many at once.
 */
const concurrency = 64
const all = ["drain", "variants", "accept", "latency", "claim", "fairness"]
const count = Number(argument("--count") ?? 20_000)
/**
 * How often the same is done before it is measured, as the bare loop has had its rows of fewer at once. The
 * runtime throws compiled code away that rests as long as the others take, so that everybody must be warmed
 * up again in each round; and it compiles anew what comes to an end and begins again, so that one long
 * warm-up leaves more to do than three short ones.
 */
const warm = Number(argument("--warm") ?? 3)
const rounds = Number(argument("--rounds") ?? 5)
const only = argument("--only")?.split(",") ?? all
const redisServer = Bun.which("redis-server") ?? Bun.which("valkey-server")
const isDraining = only.includes("drain") || only.includes("variants")
if (isDraining && redisServer) requirePackage("bullmq")

const folder = mkdtempSync(join(tmpdir(), "guichet-bench-"))
const authority = openAuthority()
const ca = readFileSync(authority.caFile, "utf8")
const receiver = await startReceiver(authority)
try {
  if (isDraining) await drains()
  if (only.includes("accept")) await accept()
  if (only.includes("latency")) for (const rate of [50, 200]) await latency(rate)
  if (only.includes("claim")) for (const stored of [1000, 1_000_000]) await claimTime(stored)
  if (only.includes("fairness")) await fairness()
} finally {
  receiver.child.kill()
  await receiver.child.exited
  authority[Symbol.dispose]()
  rmSync(folder, { recursive: true })
}

/** A second; round after round, since the machine is another one from minute to minute. */
async function drains(): Promise<void> {
  const redis = await startRedis()
  if (!redis) say("BullMQ is left out: redis-server is not installed")
  const runtimes = { Bun: process.execPath, ...(Bun.which("node") && { Node: "node" }) }
  for (let round = 0; round < rounds; round++) {
    const figures: Record<string, number> = {}
    if (only.includes("drain")) {
      const { drained, beside } = await guichet(`drain-${round}`, endpoints)
      Object.assign(figures, { Guichet: drained, [bareName(concurrency)]: beside })
    }
    if (only.includes("variants")) {
      for (const atOnce of [8, 16, 32]) figures[bareName(atOnce)] = await bare(atOnce)
      figures["Guichet, all to one endpoint"] = (await guichet(`drain-one-${round}`, 1)).drained
    }
    for (const [name, program] of Object.entries(redis ? runtimes : {})) {
      const { port } = redis as NonNullable<typeof redis>
      if (only.includes("drain")) figures[`BullMQ on ${name}`] = await bullmq(program, port, "whole")
      if (only.includes("variants")) figures[`lean BullMQ on ${name}`] = await bullmq(program, port, "lean")
    }
    report(figures)
  }
  redis?.child.kill()
  await redis?.child.exited
}

function environmentOf(data: string): Record<string, string> {
  return {
    GUICHET_DATA_DIR: join(folder, data),
    GUICHET_PORT: "0",
    GUICHET_LOG_LEVEL: "error",
    ...manyPosts,
    GUICHET_WEBHOOK_RESOLVE: `${name}=127.0.0.1:${receiver.port}`,
    GUICHET_WEBHOOK_CA_FILE: authority.caFile,
  }
}

function bare(atOnce: number): Promise<number> {
  return bareLoop(`https://127.0.0.1:${receiver.port}/hook`, name, ca, count, atOnce)
}

function bareName(atOnce: number): string {
  return `bare loop, ${atOnce} at once`
}

/** Deliveries a second, and posts a second of the bare loop just before and after, on average. */
async function guichet(data: string, endpoints: number): Promise<{ drained: number; beside: number }> {
  await using app = await openApp(readConfig(environmentOf(data)))
  const destinations = await openDestinations(app, name, endpoints)
  for (let before = 0; before < warm; before++) {
    await fill(app, destinations, count)
    await drain(app)
  }
  await fill(app, destinations, count)
  const before = await bare(concurrency)
  const drained = count / (await drain(app))
  const after = await bare(concurrency)
  return { drained, beside: (before + after) / 2 }
}

/** Answered 201, hence on the disk; they are delivered meanwhile. */
async function accept(): Promise<void> {
  await using service = await openForm("accept")
  await service.visit(1000, 0)
  for (let round = 0; round < rounds; round++) report({ "form responses": await service.visit(5000, 0) })
  await service.work.dispatcher.settled()
  await marks()
}

/** From just before the form is posted until the receiver has read the message. */
async function latency(rate: number): Promise<void> {
  await using service = await openForm(`latency-${rate}`)
  await service.visit(rate, rate)
  await service.work.dispatcher.settled()
  await marks()
  await service.visit(rate * 10, rate)
  await service.work.dispatcher.settled()
  const took = (await marks()).map(([sent, arrived]) => arrived - sent).sort((a, b) => a - b)
  const at = (share: number) => (took[Math.floor(share * (took.length - 1))] as number).toFixed(1)
  row(
    `post to receiver at ${rate} a second`,
    `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms (${took.length} of ${rate * 10} received)`,
  )
}

/**
 * A running service with one form and one endpoint. `visit` posts so many responses and gives how many a
 * second were accepted.
 */
async function openForm(data: string) {
  const resources = new AsyncDisposableStack()
  const app = resources.use(await openApp(readConfig(environmentOf(data))))
  const work = resources.use(app.work())
  const server = resources.use(startServer(app))
  const api = await apiOf({ app, url: server.url } as never)
  const project = await api.post("/api/v1/projects", { name: "Acme", site })
  const fields = ["sent", "texte"].map((field) => ({ name: field, label: field, type: "text" }))
  const form = await api.post("/api/v1/forms", { project: project.body.id, name: "Contact", fields })
  const wanted = { url: `https://${name}/hook`, description: "", active: true, projects: [], forms: [] }
  await insertEndpoint(app.db, app.vault, api.workspaceId, wanted, app.clock.now())

  async function visit(count: number, rate: number): Promise<number> {
    const script = join(import.meta.dir, "deliveries/visitors.ts")
    const args = [`${server.url}/f/${form.body.public_id}`, site, String(count), String(rate)]
    const child = Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" })
    return Number((await new Response(child.stdout).text()).trim())
  }

  return { work, visit, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function marks(): Promise<[number, number][]> {
  const url = `https://127.0.0.1:${receiver.port}/marks`
  const response = await fetch(url, {
    headers: { host: name },
    tls: { serverName: name, ca },
  } as BunFetchRequestInit)
  return (await response.json()).marks
}

/** One claim of what is due among so many stored deliveries, nearly all of them delivered. */
async function claimTime(stored: number): Promise<void> {
  await using app = await openApp(readConfig(environmentOf(`claim-${stored}`)))
  const destinations = await openDestinations(app, name, endpoints)
  await fill(app, destinations, 1)
  await storeDelivered(app, destinations, stored)
  const findDue = openFindDue(app.db, claimStatements)
  const capacity = { total: 64, shared: 64, perKey: 5, lowPriority: 32, of: () => 5 }
  const heldByOthers = { automatic: [], manual: [], endpoints: new Set<string>(), senders: 1 }
  const tookMs: number[] = []
  for (let round = 0; round < 50; round++) {
    await fill(app, destinations, 50)
    await app.db.transaction().execute(async (transaction) => {
      const started = performance.now()
      const claimed = await findDue(transaction, {
        capacity,
        held: [],
        heldByOthers,
        nowMs: app.clock.now(),
      })
      tookMs.push((performance.now() - started) / Math.max(claimed.length, 1))
      const numbers = claimed.map(({ deliveryNumber }) => deliveryNumber)
      await cancel(transaction, numbers, app.clock.now())
    })
  }
  tookMs.sort((a, b) => a - b)
  row(
    `claim of a delivery with ${stored} stored`,
    `${((tookMs[25] as number) * 1000).toFixed(1)} µs (median of 50 claims)`,
  )
}

/** A backlog due at a start: when the first and the last endpoint have had half of theirs. */
async function fairness(): Promise<void> {
  await using app = await openApp(readConfig(environmentOf("fairness")))
  const destinations = await openDestinations(app, name, endpoints)
  const each = 10_000 / endpoints
  // Endpoint after endpoint, as after an outage: in order of age the last one would wait for all others.
  for (const destination of destinations) await fill(app, [destination], each)
  const seconds = await drain(app)
  const halves = sql<{ half: number }>`
    SELECT min(at) AS half FROM (
      SELECT endpoint_id, attempt.at, row_number() OVER (PARTITION BY endpoint_id ORDER BY attempt.at) AS number
      FROM attempt JOIN delivery ON delivery.number = attempt.delivery_number)
    WHERE number = ${each / 2} GROUP BY endpoint_id ORDER BY half`
  const { rows } = await app.db.transaction().execute((transaction) => halves.execute(transaction))
  const spreadMs = (rows.at(-1)?.half ?? 0) - (rows[0]?.half ?? 0)
  row(
    `10,000 due on ${endpoints} endpoints`,
    `drained in ${seconds.toFixed(2)} s; ${spreadMs} ms between the first and the last endpoint to have half of theirs`,
  )
}

async function bullmq(runtime: string, redisPort: number, extent: "whole" | "lean"): Promise<number> {
  const script = join(import.meta.dir, "deliveries/bullmq.mjs")
  const args = [redisPort, receiver.port, name, authority.caFile, warm, count, concurrency, extent].map(
    String,
  )
  clearUp()
  const child = Bun.spawn([runtime, script, ...args], { stdout: "pipe", stderr: "inherit" })
  return Number((await new Response(child.stdout).text()).trim())
}

async function startReceiver(authority: Authority) {
  const { cert, key } = authority.certify([name])
  writeFileSync(join(folder, "cert.pem"), cert)
  writeFileSync(join(folder, "key.pem"), key)
  const script = join(import.meta.dir, "deliveries/receiver.ts")
  const child = Bun.spawn([process.execPath, script, join(folder, "cert.pem"), join(folder, "key.pem")], {
    stdout: "pipe",
  })
  const { value } = await child.stdout.getReader().read()
  return { child, port: Number(new TextDecoder().decode(value)) }
}

/** On a free port, with every write on the disk before it is acknowledged, as ours are. */
async function startRedis() {
  if (!redisServer) return undefined
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
  const durable = ["--appendonly", "yes", "--appendfsync", "always"]
  const child = Bun.spawn([redisServer, ...settings, ...durable], { stdout: "ignore" })
  await Bun.sleep(500)
  return { child, port }
}

function argument(flag: string): string | undefined {
  const index = process.argv.indexOf(flag)
  return index < 0 ? undefined : process.argv[index + 1]
}

function row(what: string, figure: string): void {
  say(`${what}: ${figure}`)
}
