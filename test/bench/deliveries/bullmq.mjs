import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:https"
import { Queue, Worker } from "bullmq"

/**
 * What a Node developer would pick: BullMQ on Redis, with the same handler: sign, POST over TLS to a pinned address, and the
 * outcome kept (as the job's return value). Prints how many jobs a second were drained.
 *
 *   node|bun bullmq.mjs REDIS_PORT RECEIVER_PORT NAME CA_FILE COUNT CONCURRENCY
 */
const [redisPort, port, name, caFile, count, concurrency] = process.argv.slice(2)
const connection = { host: "127.0.0.1", port: Number(redisPort), maxRetriesPerRequest: null }
const ca = readFileSync(caFile, "utf8")
const key = Buffer.alloc(32, 7)
const body = JSON.stringify({ type: "form.response.created", data: { values: { texte: "x".repeat(700) } } })
const total = Number(count)

const post = process.versions.bun ? postByFetch : postByHttps
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) })

async function postByFetch(headers) {
  const response = await fetch(`https://127.0.0.1:${port}/hook`, {
    method: "POST",
    body,
    headers: { host: name, ...headers },
    tls: { serverName: name, ca },
    keepalive: true,
  })
  return response.status
}

function postByHttps(headers) {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/hook", method: "POST", agent, ca, servername: name }
    const sent = request({ ...options, headers: { host: name, "content-length": Buffer.byteLength(body), ...headers } })
    sent.on("response", (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode))
    })
    sent.on("error", reject)
    sent.end(body)
  })
}

const queueName = `deliveries-${process.pid}`
const queue = new Queue(queueName, { connection })
for (let start = 0; start < total; start += 1000) {
  const jobs = Array.from({ length: Math.min(1000, total - start) }, (_, index) => ({
    name: "deliver",
    data: { id: `msg_${start + index}`, body },
  }))
  await queue.addBulk(jobs)
}

let done = 0
const drained = Promise.withResolvers ? Promise.withResolvers() : withResolvers()
const started = performance.now()
const worker = new Worker(
  queueName,
  async (job) => {
    const at = Math.floor(Date.now() / 1000)
    const signature = createHmac("sha256", key).update(`${job.data.id}.${at}.${job.data.body}`).digest("base64")
    const status = await post({
      "content-type": "application/json",
      "webhook-id": job.data.id,
      "webhook-timestamp": String(at),
      "webhook-signature": `v1,${signature}`,
    })
    return { at, status }
  },
  { connection, concurrency: Number(concurrency) },
)
worker.on("completed", () => {
  done++
  if (done === total) drained.resolve()
})
await drained.promise
const seconds = (performance.now() - started) / 1000
process.stdout.write(`${Math.round(total / seconds)}\n`)
await worker.close()
await queue.obliterate({ force: true })
await queue.close()
agent.destroy()

function withResolvers() {
  const made = {}
  made.promise = new Promise((resolve) => {
    made.resolve = resolve
  })
  return made
}
