/**
 * `bun test/bench/soak.ts [--minutes 20] [--binary dist/guichet] [--dir FOLDER] [--asks 20] [--posts 10] [--reread 60]`: does the
 * service stay as it is? Questions and form posts at a steady rate a second, deliveries of which a tenth fail, the documentation
 * changing and read again every `--reread` seconds, a backup every two minutes. What the service holds is sampled every 5 seconds and
 * printed every minute; it is judged by its slope over the last two thirds of the run, within the tolerances of soak/growth.ts.
 * Exit 1 when something grew that must not. Run from the sources it also tells which JavaScript objects became more.
 */

import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { openAuthority } from "../support/authority.ts"
import { program as bundled } from "../support/cli.ts"
import { manyPosts } from "../support/many-posts.ts"
import { settingsFor, startReceiver } from "../support/receiver.ts"
import { startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"
import { distinctQuestions } from "./distinct-questions.ts"
import { evenly } from "./soak/evenly.ts"
import { growth } from "./soak/growth.ts"
import { type Held, held, row, title } from "./soak/held.ts"
import { becameMore, objectsOf } from "./soak/object-counts.ts"

const main = await bundled()

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    binary: { type: "string" },
    dir: { type: "string", default: join(import.meta.dir, "../../data/demo") },
    asks: { type: "string", default: "20" },
    posts: { type: "string", default: "10" },
    reread: { type: "string", default: "60" },
  },
})
const objectsFile = join(import.meta.dir, "soak/objects.ts")
const program = values.binary ? [values.binary] : [process.execPath, "--preload", objectsFile, main]
const site = "https://docs.exemple.fr"
const plenty = "1000000000"
const metricsToken = "a-token-of-sixteen-characters"
const sampleMs = 5000
const printMs = 60_000

using folder = temporaryFolder()
using authority = openAuthority()
await using receiver = await startReceiver(authority, "hooks.acme.fr", (_, number) => {
  receiver.received.length = 0
  return new Response("ok", { status: number % 10 === 0 ? 503 : 200 })
})
const dataDir = join(folder.path, "data")
mkdirSync(dataDir)
const documents = join(folder.path, "documents")
cpSync(values.dir, documents, { recursive: true })
const environment = {
  GUICHET_DATA_DIR: dataDir,
  GUICHET_LOG_LEVEL: "warning",
  GUICHET_ASK_PER_MINUTE: plenty,
  GUICHET_ASK_PER_VISITOR_DAY: plenty,
  GUICHET_ASK_PER_PROJECT_DAY: plenty,
  GUICHET_ASK_PER_ORGANISATION_MONTH: plenty,
  ...manyPosts,
  GUICHET_METRICS_TOKEN: metricsToken,
  ...settingsFor(authority, receiver),
}
const { id: project } = JSON.parse(
  await guichet("project", "add", "--name", "Guide", "--site", site, "--json"),
)
await guichet("index", project, "--dir", documents, "--base-url", site)
const { token } = JSON.parse(await guichet("token", "create", "--json"))

await using service = await startServe({ ...environment, GUICHET_LOG_LEVEL: "info" }, program)
const fields = [{ name: "texte", label: "Texte", type: "text" }]
const form = await api("/api/v1/forms", { project, name: "Contact", fields })
await api("/api/v1/endpoints", { url: "https://hooks.acme.fr/hook" })
const questions = await distinctQuestions(values.dir, 200_000)
const took: number[] = []
const counts = { asks: 0, posts: 0, readings: 0, failures: 0, backups: 0 }

const startedAt = performance.now()
const endsAt = startedAt + Number(values.minutes) * 60_000
const samples: Held[] = []
/** How many of which objects there were, early and late. */
const objects: Record<string, number>[] = []
let printedAt = startedAt
say(title)
await Promise.all([
  evenly(1000 / Number(values.asks), endsAt, ask),
  evenly(1000 / Number(values.posts), endsAt, post),
  evenly(1000 * Number(values.reread), endsAt, reread),
  evenly(120_000, endsAt, backUp),
  evenly(sampleMs, endsAt, sample),
])
await sample()
const stored = `${counts.asks} asks, ${counts.posts} form posts, ${counts.readings} readings, ${counts.backups} backups, ${counts.failures} failures`
say(`\n${stored}; the service said ${service.log().split("\n").length} lines`)
const grown = growth(samples)
for (const { what, median, grown: by, most, perHour, flat } of grown)
  say(
    `${what}: median ${median.toFixed(1)}, grown by ${by.toFixed(1)} (at most ${most.toFixed(1)}; ${perHour.toFixed(0)} an hour): ${flat ? "flat" : "GREW"}`,
  )
for (const line of becameMore(...(objects as [Record<string, number>?, Record<string, number>?]))) say(line)
service.stop()
const exitCode = await service.exited
say(`stopped: exit ${exitCode}`)
process.exitCode = grown.every(({ flat }) => flat) && counts.failures === 0 && exitCode === 0 ? 0 : 1

async function sample(): Promise<void> {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const figures = await (await fetch(`${service.url}/metrics`, { headers })).text()
  const atMs = performance.now()
  const now = held(service.pid, dataDir, figures, (atMs - startedAt) / 60_000, took)
  samples.push(now)
  const isLast = atMs >= endsAt
  if (samples.length > 1 && atMs - printedAt < printMs && !isLast) return
  printedAt = atMs
  took.length = 0
  say(row(now))
  const isEarly = objects.length === 0 && atMs - startedAt > (endsAt - startedAt) / 3
  if (!values.binary && (isEarly || isLast)) objects.push(await objectsOf(service.pid))
}

async function ask(): Promise<void> {
  const question = questions[counts.asks++ % questions.length]
  const askedAt = performance.now()
  await expectOk("/api/v1/ask", { project, question }, site)
  took.push(performance.now() - askedAt)
}

async function post(): Promise<void> {
  counts.posts++
  await expectOk(`/f/${form.public_id}`, { texte: "x".repeat(700) }, site)
}

async function expectOk(path: string, body: object, origin: string): Promise<void> {
  const headers = { origin, "content-type": "application/json" }
  try {
    const reply = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    await reply.text()
    if (!reply.ok) fail(`${path} ${reply.status}`)
  } catch (error) {
    fail(`${path} ${(error as { code?: string }).code}`)
  }
}

function fail(what: string): void {
  counts.failures++
  say(`minute ${((performance.now() - startedAt) / 60_000).toFixed(1)}: ${what}`)
}

/**
 * One page of the documentation is another text each time: the reading makes a new generation of the index.
 */
async function reread(): Promise<void> {
  writeFileSync(join(documents, "journal.md"), `# Journal\n\nMise à jour ${performance.now()}.\n`)
  await api(`/api/v1/projects/${project}/index-runs`, {})
  counts.readings++
}

async function backUp(): Promise<void> {
  const file = join(folder.path, "backups", "guichet.db")
  rmSync(join(folder.path, "backups"), { recursive: true, force: true })
  mkdirSync(join(folder.path, "backups"))
  await guichet("backup", file)
  counts.backups++
}

async function api(path: string, body: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const reply = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(await reply.text())
  return reply.json()
}

async function guichet(...argv: string[]): Promise<string> {
  const child = Bun.spawn([...program, ...argv], { env: { PATH: "", ...environment }, stderr: "inherit" })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`failed: guichet ${argv[0]}`)
  return text
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
