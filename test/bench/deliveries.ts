import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { drain, fill, openLanes } from "./deliveries/drain.ts"

/**
 * Deliveries drained per second with the log written, side by side with BullMQ on Redis (appendfsync always) and with a bare loop
 * of pinned TLS posts in the same process. The receiver is a process of its own; everything is on loopback.
 *
 *   bun test/bench/deliveries.ts [--count 20000] [--only drain,bare,bullmq]
 */
const name = "hooks.acme.fr"
const endpoints = 50
const concurrency = 128
const count = Number(argument("--count") ?? 20_000)
const only = argument("--only")?.split(",") ?? ["bare", "drain", "bullmq"]

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
} finally {
  receiver.child.kill()
  await receiver.child.exited
  authority[Symbol.dispose]()
  rmSync(folder, { recursive: true })
}

async function guichet(): Promise<number> {
  const config = readConfig({
    GUICHET_DATA_DIR: join(folder, "guichet"),
    GUICHET_LOG_LEVEL: "error",
    GUICHET_WEBHOOK_RESOLVE: `${name}=127.0.0.1:${receiver.port}`,
    GUICHET_WEBHOOK_CA_FILE: authority.caFile,
  })
  await using app = await openApp(config)
  const lanes = await openLanes(app, name, endpoints)
  await fill(app, lanes, Math.min(count, 2000))
  await drain(app)
  await fill(app, lanes, count)
  return count / (await drain(app))
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
