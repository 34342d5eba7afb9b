/**
 * graphile-worker or pg-boss as whoever has PostgreSQL would use them, in a process of its own: does what Guichet does
 * with each job. Signs, posts over TLS within 10 seconds and without redirects, and logs every attempt in a table.
 * Takes `fill N`, `start` and `stop`; `count` tells the attempts since.
 */
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { type Runner, run as runGraphile, runMigrations } from "graphile-worker"
import { Pool } from "pg"
import { PgBoss } from "pg-boss"
import { answerCommands } from "./child.ts"

export interface PeerWork {
  kind: "graphile-worker" | "pg-boss"
  database: string
  receiver: { port: number; host: string; caFile: string }
  simulatedMs: number | undefined
  /**
   * `each`: every attempt is logged by a statement of its own, as a handler does it. `together`: attempts that end
   * together are logged by one statement, which is our work and not the queue's.
   */
  log: "each" | "together"
}

interface Job {
  id: string
  body: string
}

interface Attempt {
  job: string
  at: number
  durationMs: number
  outcome: string
  status: number | null
  excerpt: string | null
}

/** Attempts at once, as many as Guichet's. */
const concurrency = 240
/** As long as Guichet's. */
const body = JSON.stringify({ type: "form.response.created", data: { values: { texte: "x".repeat(1010) } } })
const maxAttempts = 8
const key = Buffer.alloc(32, 7)

const {
  kind,
  database,
  receiver,
  simulatedMs,
  log: logging,
} = JSON.parse(process.argv[2] as string) as PeerWork
const ca = readFileSync(receiver.caFile, "utf8")
const pool = new Pool({ connectionString: database, max: 16 })
pool.on("error", () => {})
pool.on("connect", (client) => client.on("error", () => {}))
await pool.query(`CREATE TABLE IF NOT EXISTS bench_attempt (
  job text NOT NULL, at bigint NOT NULL, duration_ms bigint NOT NULL, outcome text NOT NULL, status int, excerpt text)`)

async function deliver({ id, body }: Job): Promise<Attempt> {
  const startedMs = performance.now()
  const at = Date.now()
  const ended = (outcome: string, status: number | null, excerpt: string | null): Attempt => {
    const durationMs = Math.round(performance.now() - startedMs)
    return { job: id, at, durationMs, outcome, status, excerpt }
  }
  if (simulatedMs !== undefined) {
    await Bun.sleep(simulatedMs)
    return ended("delivered", 204, null)
  }
  try {
    const seconds = Math.floor(at / 1000)
    const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")
    const response = await fetch(`https://127.0.0.1:${receiver.port}/hook`, {
      method: "POST",
      body,
      headers: {
        host: receiver.host,
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": `v1,${signature}`,
      },
      tls: { serverName: receiver.host, ca },
      keepalive: true,
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    } as BunFetchRequestInit)
    const excerpt = (await response.text()).slice(0, 4096)
    return ended(response.ok ? "delivered" : "http_status", response.status, excerpt || null)
  } catch {
    return ended("connection", null, null)
  }
}

/** One statement for as many attempts as there are. */
async function log(attempts: readonly Attempt[]): Promise<void> {
  await pool.query(
    `INSERT INTO bench_attempt SELECT job, at, "durationMs", outcome, status, excerpt FROM json_to_recordset($1)
     AS a (job text, at bigint, "durationMs" bigint, outcome text, status int, excerpt text)`,
    [JSON.stringify(attempts)],
  )
  made += attempts.length
}

let made = 0

const jobsOf = (count: number): Job[] =>
  Array.from({ length: count }, () => ({ id: `msg_${crypto.randomUUID().replaceAll("-", "")}`, body }))

interface Queue {
  fill(jobs: readonly Job[]): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** With its local queue and its batched completions: the settings that its authors measure with. */
async function graphile(): Promise<Queue> {
  await runMigrations({ connectionString: database })
  let runner: Runner | undefined
  return {
    async fill(jobs) {
      const specs = jobs.map((payload) => ({ identifier: "deliver", payload, max_attempts: maxAttempts }))
      await pool.query(
        "SELECT graphile_worker.add_jobs(array(SELECT json_populate_recordset(NULL::graphile_worker.job_spec, $1::json)))",
        [JSON.stringify(specs)],
      )
    },
    async start() {
      runner = await runGraphile({
        pgPool: pool,
        noHandleSignals: true,
        logger: quiet,
        preset: {
          worker: {
            concurrentJobs: concurrency,
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
            localQueue: { size: 500, refetchDelay: { durationMs: 10 } },
          },
        },
        taskList: {
          deliver: async (payload) => {
            const attempt = await deliver(payload as Job)
            await (logging === "each" ? log([attempt]) : logged(attempt))
            if (attempt.outcome !== "delivered") throw new Error(attempt.outcome)
          },
        },
      })
    },
    async stop() {
      await runner?.stop()
    },
  }
}

/** Sets of jobs, fetched, done and completed with one statement each: nothing that it offers is faster. */
async function pgBoss(): Promise<Queue> {
  const boss = new PgBoss({ connectionString: database, max: 16, supervise: false, schedule: false })
  boss.on("error", () => {})
  await boss.start()
  await boss.createQueue("deliver", { retryLimit: maxAttempts - 1, retryDelay: 5, retryBackoff: true })
  let isOver = false
  let loops: Promise<void>[] = []
  async function loop(): Promise<void> {
    while (!isOver) {
      const jobs = await boss.fetch<Job>("deliver", { batchSize: concurrency })
      if (jobs.length === 0) {
        await Bun.sleep(10)
        continue
      }
      const attempts = await Promise.all(
        jobs.map(async ({ data }) => {
          const attempt = await deliver(data)
          if (logging === "each") await log([attempt])
          return attempt
        }),
      )
      if (logging === "together") await log(attempts)
      const done = jobs.filter((_, index) => attempts[index]?.outcome === "delivered").map(({ id }) => id)
      const failed = jobs.filter((_, index) => attempts[index]?.outcome !== "delivered").map(({ id }) => id)
      if (done.length > 0) await boss.complete("deliver", done)
      if (failed.length > 0) await boss.fail("deliver", failed)
    }
  }
  return {
    async fill(jobs) {
      await boss.insert(
        "deliver",
        jobs.map((data) => ({ data })),
      )
    },
    async start() {
      isOver = false
      // Two, so that one sends while the other one writes down.
      loops = [loop(), loop()]
    },
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}

/** Attempts that end together are logged together. */
const waiting: { attempt: Attempt; resolve(): void; reject(error: unknown): void }[] = []
let isLogging = false

function logged(attempt: Attempt): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.push({ attempt, resolve, reject })
    if (!isLogging) void logAll()
  })
}

async function logAll(): Promise<void> {
  isLogging = true
  while (waiting.length > 0) {
    const batch = waiting.splice(0)
    const failure = await log(batch.map(({ attempt }) => attempt)).then(
      () => undefined,
      (error) => ({ error }),
    )
    for (const { resolve, reject } of batch)
      if (failure) reject(failure.error)
      else resolve()
  }
  isLogging = false
}

const { Logger } = await import("graphile-worker")
const quiet = new Logger(() => () => {})
const queue = await (kind === "graphile-worker" ? graphile() : pgBoss())
await answerCommands("ready", async (command) => {
  const [what, count] = command.split(" ")
  if (what === "count") return String(made)
  if (what === "fill") {
    const perStatement = 1000
    for (let left = Number(count); left > 0; left -= perStatement)
      await queue.fill(jobsOf(Math.min(left, perStatement)))
  } else if (what === "start") {
    made = 0
    await queue.start()
  } else await queue.stop()
  return command
})
process.exit()
