import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config.ts"
import { startServer } from "../../src/server.ts"
import { claimer } from "../../src/webhooks/claim.ts"
import { addEndpoint } from "../../src/webhooks/endpoint.ts"
import { apiOf } from "../support/api.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { drain, fill, openLanes, storeDelivered } from "./deliveries/drain.ts"

/**
 * Deliveries drained per second with the log written, side by side with BullMQ on Redis (appendfsync always) and with a bare loop
 * of pinned TLS posts in the same process. The receiver is a process of its own; everything is on loopback.
 *
 * Then the time from post to receiver at 50 and 200 form responses a second; the time of a claim with 1,000 and 1,000,000
 * deliveries stored; and how evenly a backlog on 50 endpoints drains.
 *
 *   bun test/bench/deliveries.ts [--count 20000] [--only bare,drain,bullmq,latency,claim,fairness]
 */
const name = "hooks.acme.fr"
const endpoints = 50
/** Bun keeps 64 idle connections: more at once would measure handshakes. */
const concurrency = 64
const all = ["bare", "drain", "bullmq", "latency", "claim", "fairness"]
const count = Number(argument("--count") ?? 20_000)
const only = argument("--only")?.split(",") ?? all

const folder = mkdtempSync(join(tmpdir(), "guichet-bench-"))
const authority = openAuthority()
const receiver = await startReceiver(authority)
try {
  const rates: Record<string, number> = {}
  if (only.includes("bare")) rates["bare loop of pinned TLS posts"] = await bareLoop()
  if (only.includes("drain")) rates["guichet"] = await guichet()
  if (only.includes("bullmq")) {
    const redis = await startRedis()
    if (redis) {
      rates["BullMQ on Node"] = await bullmq("node", redis.port)
      rates["BullMQ on Bun"] = await bullmq(process.execPath, redis.port)
      redis.child.kill()
      await redis.child.exited
    } else say("redis-server is not installed: no comparison with BullMQ")
  }
  for (const [what, rate] of Object.entries(rates)) say(`${what}: ${Math.round(rate)} deliveries/s`)
  if (only.includes("latency")) for (const rate of [50, 200]) await latency(rate)
  if (only.includes("claim")) for (const stored of [1000, 1_000_000]) await claimTime(stored)
  if (only.includes("fairness")) await fairness()
} finally {
  receiver.child.kill()
  await receiver.child.exited
  authority[Symbol.dispose]()
  rmSync(folder, { recursive: true })
}

function environmentOf(data: string): Record<string, string> {
  return {
    GUICHET_DATA_DIR: join(folder, data),
    GUICHET_PORT: "0",
    GUICHET_LOG_LEVEL: "error",
    GUICHET_FORM_PER_VISITOR_MINUTE: "1000000",
    GUICHET_WEBHOOK_RESOLVE: `${name}=127.0.0.1:${receiver.port}`,
    GUICHET_WEBHOOK_CA_FILE: authority.caFile,
  }
}

async function guichet(): Promise<number> {
  await using app = await openApp(readConfig(environmentOf("drain")))
  const lanes = await openLanes(app, name, endpoints)
  await fill(app, lanes, Math.min(count, 2000))
  await drain(app)
  await fill(app, lanes, count)
  return count / (await drain(app))
}

/** From just before the form is posted until the receiver has read the message. */
async function latency(rate: number): Promise<void> {
  await using app = await openApp(readConfig(environmentOf(`latency-${rate}`)))
  await using _work = app.work()
  await using server = startServer(app)
  const site = "https://www.acme.fr"
  const api = await apiOf({ app, url: server.url } as never)
  const project = await api.post("/api/v1/projects", { name: "Acme", site })
  const fields = ["sent", "texte"].map((field) => ({ name: field, label: field, type: "text" }))
  const form = await api.post("/api/v1/forms", { project: project.body.id, name: "Contact", fields })
  const wanted = { url: `https://${name}/hook`, description: "", active: true, projects: [], forms: [] }
  await addEndpoint(app.db, app.vault, api.workspaceId, wanted, app.clock.now())

  async function post(): Promise<void> {
    const sent = String(performance.timeOrigin + performance.now())
    await fetch(`${server.url}/f/${form.body.public_id}`, {
      method: "POST",
      headers: { origin: site, "content-type": "application/json" },
      body: JSON.stringify({ sent, texte: "x".repeat(700) }),
    })
  }

  await marks()
  const seconds = 10
  const posts: Promise<void>[] = []
  const started = performance.now()
  for (let number = 0; number < rate * seconds; number++) {
    const waitMs = started + (number * 1000) / rate - performance.now()
    if (waitMs > 0) await Bun.sleep(waitMs)
    posts.push(post())
  }
  await Promise.all(posts)
  await Bun.sleep(500)
  const took = (await marks()).map(([sent, arrived]) => arrived - sent).sort((a, b) => a - b)
  const at = (share: number) => (took[Math.floor(share * (took.length - 1))] as number).toFixed(1)
  say(
    `post to receiver at ${rate}/s: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms (${took.length})`,
  )
}

async function marks(): Promise<[number, number][]> {
  const ca = readFileSync(authority.caFile, "utf8")
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
  const lanes = await openLanes(app, name, endpoints)
  await fill(app, lanes, 1)
  await storeDelivered(app, lanes, stored)
  const claim = claimer(app.db)
  const room = { total: 64, late: 32, of: () => 5, full: [] }
  const tookMs: number[] = []
  for (let round = 0; round < 50; round++) {
    await fill(app, lanes, 50)
    await app.db.transaction().execute(async (transaction) => {
      const started = performance.now()
      const claimed = await claim(transaction, room, app.clock.now())
      tookMs.push((performance.now() - started) / Math.max(claimed.length, 1))
    })
  }
  tookMs.sort((a, b) => a - b)
  say(
    `claim with ${stored} stored: ${((tookMs[25] as number) * 1000).toFixed(1)} µs a delivery (median of 50 claims)`,
  )
}

/** A backlog due at a start: when the first and the last endpoint have had half of theirs. */
async function fairness(): Promise<void> {
  await using app = await openApp(readConfig(environmentOf("fairness")))
  const lanes = await openLanes(app, name, endpoints)
  const each = 10_000 / endpoints
  // Endpoint after endpoint, as after an outage: in order of age the last one would wait for all others.
  for (const lane of lanes) await fill(app, [lane], each)
  const seconds = await drain(app)
  const { rows } = await sql<{ half: number }>`
    SELECT min(at) AS half FROM (
      SELECT endpoint_id, attempt.at, row_number() OVER (PARTITION BY endpoint_id ORDER BY attempt.at) AS number
      FROM attempt JOIN delivery ON delivery.id = attempt.delivery_id)
    WHERE number = ${each / 2} GROUP BY endpoint_id ORDER BY half`.execute(app.db)
  const spreadMs = (rows.at(-1)?.half ?? 0) - (rows[0]?.half ?? 0)
  say(
    `10,000 due on ${endpoints} endpoints: drained in ${seconds.toFixed(2)} s; between the first and the last endpoint to have half of theirs: ${spreadMs} ms`,
  )
}

async function bareLoop(): Promise<number> {
  const ca = readFileSync(authority.caFile, "utf8")
  const body = new TextEncoder().encode(JSON.stringify({ texte: "x".repeat(900) }))
  let left = count
  async function loop(): Promise<void> {
    while (left-- > 0) {
      const response = await fetch(`https://127.0.0.1:${receiver.port}/hook`, {
        method: "POST",
        body,
        headers: { host: name, "content-type": "application/json" },
        tls: { serverName: name, ca },
        redirect: "manual",
        proxy: false,
        decompress: false,
        keepalive: true,
        signal: AbortSignal.timeout(10_000),
      } as BunFetchRequestInit)
      await response.body?.cancel()
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: concurrency }, loop))
  return count / ((performance.now() - started) / 1000)
}

async function bullmq(runtime: string, redisPort: number): Promise<number> {
  const script = join(import.meta.dir, "deliveries/bullmq.mjs")
  const args = [redisPort, receiver.port, name, authority.caFile, count, concurrency].map(String)
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
  if (!Bun.which("redis-server")) return undefined
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
  const durable = ["--appendonly", "yes", "--appendfsync", "always"]
  const child = Bun.spawn(["redis-server", ...settings, ...durable], { stdout: "ignore" })
  await Bun.sleep(500)
  return { child, port }
}

function argument(flag: string): string | undefined {
  const index = process.argv.indexOf(flag)
  return index < 0 ? undefined : process.argv[index + 1]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
