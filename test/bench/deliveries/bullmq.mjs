import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:https"
import { Queue, Worker } from "bullmq"

/**
 * What a Node developer would pick: BullMQ on Redis. `whole` does what Guichet does: sign, POST over TLS to a pinned address within 10
 * seconds and without redirects, every attempt logged with its time and the beginning of its answer, 8 attempts, all of it kept for 30 days.
 * `lean` leaves out what a success can do without: one attempt, no time limit, and its outcome only, as the job's return value. Prints
 * how many jobs a second were drained, after as many have been WARM times.
 *
 *   node|bun bullmq.mjs REDIS_PORT RECEIVER_PORT NAME CA_FILE WARM COUNT CONCURRENCY whole|lean
 */
const [redisPort, port, name, caFile, warm, count, concurrency, extent] = process.argv.slice(2)
const connection = { host: "127.0.0.1", port: Number(redisPort), maxRetriesPerRequest: null }
const ca = readFileSync(caFile, "utf8")
const key = Buffer.alloc(32, 7)
// As long as Guichet's.
const body = JSON.stringify({ type: "form.response.created", data: { values: { texte: "x".repeat(1010) } } })
const keptSeconds = 30 * 24 * 3600
const delaysSeconds = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]
const isWhole = extent === "whole"

const post = process.versions.bun ? postByFetch : postByHttps
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) })

async function postByFetch(headers, limits) {
  const response = await fetch(`https://127.0.0.1:${port}/hook`, {
    method: "POST",
    body,
    headers: { host: name, ...headers },
    tls: { serverName: name, ca },
    keepalive: true,
    redirect: "manual",
    ...limits,
  })
  return { status: response.status, answer: await response.text() }
}

function postByHttps(headers, limits) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/hook", method: "POST", agent, ca, servername: name, ...limits }
    const sent = request({ ...options, headers: { host: name, "content-length": Buffer.byteLength(body), ...headers } })
    sent.on("response", (response) => {
      let answer = ""
      response.on("data", (part) => {
        answer += part
      })
      response.on("end", () => resolve({ status: response.statusCode, answer }))
    })
    sent.on("error", reject)
    sent.end(body)
  })
}

function signed({ data }, at) {
  const signature = createHmac("sha256", key).update(`${data.id}.${at}.${data.body}`).digest("base64")
  return {
    "content-type": "application/json",
    "webhook-id": data.id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${signature}`,
  }
}

async function deliverWhole(job) {
  const startedMs = performance.now()
  const at = Math.floor(Date.now() / 1000)
  let outcome = { outcome: "connection" }
  try {
    const { status, answer } = await post(signed(job, at), { signal: AbortSignal.timeout(10_000) })
    outcome = { outcome: status < 300 ? "delivered" : "http_status", status, excerpt: answer.slice(0, 4096) }
    if (status >= 300) throw new Error(`answered ${status}`)
  } finally {
    await job.log(JSON.stringify({ at, durationMs: Math.round(performance.now() - startedMs), ...outcome }))
  }
}

async function deliverLean(job) {
  const at = Math.floor(Date.now() / 1000)
  const { status } = await post(signed(job, at), {})
  return { at, status }
}

const queueName = `deliveries-${process.pid}`
const queue = new Queue(queueName, { connection })
const kept = { age: keptSeconds }
const whole = { attempts: 8, backoff: { type: "published" }, removeOnComplete: kept, removeOnFail: kept }
for (let before = 0; before < Number(warm); before++) await drained(Number(count))
const seconds = await drained(Number(count))
process.stdout.write(`${Math.round(Number(count) / seconds)}\n`)
await queue.obliterate({ force: true })
await queue.close()
agent.destroy()

/** Seconds until so many new jobs are done. */
async function drained(total) {
  for (let start = 0; start < total; start += 1000) {
    const jobs = Array.from({ length: Math.min(1000, total - start) }, (_, index) => ({
      name: "deliver",
      data: { id: `msg_${start + index}`, body },
      opts: isWhole ? whole : {},
    }))
    await queue.addBulk(jobs)
  }
  let left = total
  const over = withResolvers()
  const started = performance.now()
  const worker = new Worker(queueName, isWhole ? deliverWhole : deliverLean, {
    connection,
    concurrency: Number(concurrency),
    settings: { backoffStrategy: (made) => (delaysSeconds[made - 1] ?? 0) * 1000 },
  })
  worker.on("completed", () => {
    if (--left === 0) over.resolve()
  })
  if (total > 0) await over.promise
  const seconds = (performance.now() - started) / 1000
  await worker.close()
  return seconds
}

function withResolvers() {
  const made = {}
  made.promise = new Promise((resolve) => {
    made.resolve = resolve
  })
  return made
}
