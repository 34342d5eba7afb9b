import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { hostname } from "node:os"
import { join } from "node:path"
import packageFile from "../../package.json" with { type: "json" }
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import type { App } from "../../src/app.ts"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { localEmbeddingName } from "../../src/index/embedding/embeddings.ts"
import { indexFormatFor } from "../../src/index/lance/index-format.ts"
import { openMetrics } from "../../src/ops/metrics.ts"
import { movableClock } from "../support/clock.ts"
import { lock } from "../support/lock.ts"
import { isMissing } from "../support/missing.ts"
import { createDatabase, engine, onSqlite, serverSettings } from "../support/postgres.ts"
import { noPostgres } from "../support/postgres-server.ts"
import { eventually } from "../support/processes.ts"
import { openProxy } from "../support/proxy.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const token = "a-token-of-sixteen-characters"

async function scrape(service: Service, bearer = token): Promise<string> {
  const reply = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${bearer}` } })
  expect(reply.status).toBe(200)
  expect(reply.headers.get("content-type")).toStartWith("text/plain; version=0.0.4")
  return withoutNode(await reply.text())
}

/** What the database holds is of no node: every node says the same. */
const shared = [
  "guichet_deliveries_waiting",
  "guichet_oldest_due_delivery_seconds",
  "guichet_endpoints_failing",
  "guichet_index_passages",
  "guichet_index_passages_without_vectors",
  "guichet_nodes",
  "guichet_mails_waiting",
  "guichet_last_mail_timestamp_seconds",
  "guichet_last_purge_timestamp_seconds",
  "guichet_last_reading_timestamp_seconds",
]

/** On PostgreSQL every other series has the label of its node; on SQLite none has. */
function withoutNode(text: string): string {
  const label = `node="${hostname()}"`
  const series = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  const own = series.filter((line) => !shared.includes(line.split(" ")[0] as string))
  expect(series.filter((line) => line.includes(label))).toEqual(engine === "postgres" ? own : [])
  return text.replaceAll(`{${label}}`, "").replaceAll(`,${label}`, "").replaceAll(`${label},`, "")
}

test("/metrics does not exist without a token, and opens to that token alone", async () => {
  await using closed = await aService().started()
  expect((await fetch(`${closed.url}/metrics`)).status).toBe(404)
  await using service = await aService().withSettings({ GUICHET_METRICS_TOKEN: token }).started()
  for (const authorization of [undefined, "Bearer ", "Bearer wrong", `Bearer ${token}x`, `Basic ${token}`]) {
    const reply = await fetch(`${service.url}/metrics`, { headers: authorization ? { authorization } : {} })
    expect(reply.status).toBe(401)
  }
  const text = await scrape(service)
  for (const name of [
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "guichet_index_bytes",
    "guichet_index_passages",
    "guichet_deliveries_waiting",
    'guichet_limits_hit_total{code="quota_exceeded"} 0',
  ])
    expect(text).toContain(name)
})

test("questions are counted by status or code, with their time", async () => {
  await using forms = await aService().withSettings({ GUICHET_METRICS_TOKEN: token }).withForms().started()
  const ask = (project: string) =>
    fetch(`${forms.service.url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://www.exemple.fr" },
      body: JSON.stringify({ project, question: "Où est la mairie ?" }),
    })
  await ask(forms.projectId)
  await ask("nobodynobody")
  const text = await scrape(forms.service)
  expect(text).toContain('guichet_ask_duration_seconds_count{result="not_indexed"} 1')
  expect(text).toContain('guichet_ask_duration_seconds_count{result="project_not_found"} 1')
  expect(text).not.toContain(forms.projectId)
})

test("attempts are counted by outcome, and what waits by its age", async () => {
  await using webhooks = await aService()
    .withSettings({ GUICHET_METRICS_TOKEN: token })
    .withReceivers([() => new Response("", { status: 500 })])
    .started()
  await webhooks.endpoint()
  await webhooks.respond()
  await webhooks.settled()
  const failed = await scrape(webhooks.service)
  expect(failed).toContain('guichet_delivery_attempt_duration_seconds_count{outcome="http_status"} 1')
  expect(failed).toContain("\nguichet_deliveries_waiting 1\n")
  expect(failed).toContain("\nguichet_oldest_due_delivery_seconds 0\n")
  expect(failed).toContain("\nguichet_endpoints_failing 1\n")
  webhooks.receiver.answer = () => new Response("")
  await webhooks.pass(6000)
  const delivered = await scrape(webhooks.service)
  expect(delivered).toContain('guichet_delivery_attempt_duration_seconds_count{outcome="delivered"} 1')
  expect(delivered).toContain("\nguichet_deliveries_waiting 0\n")
})

test("an endpoint that fails is counted until it goes, with its workspace too", async () => {
  const refusing = () => new Response("", { status: 500 })
  await using webhooks = await aService()
    .withSettings({ GUICHET_METRICS_TOKEN: token })
    .withReceivers([refusing])
    .started()
  const stranger = await webhooks.stranger()
  const url = "https://hooks0.acme.fr/hook"
  for (const api of [webhooks.api, stranger]) {
    const { id } = (await api.post("/api/v1/endpoints", { url })).body
    expect((await api.post(`/api/v1/endpoints/${id}/tests`)).status).toBe(202)
  }
  await webhooks.settled()
  expect(await scrape(webhooks.service)).toContain("\nguichet_endpoints_failing 2\n")
  expect((await stranger.delete(`/api/v1/workspaces/${stranger.workspaceId}`)).status).toBe(204)
  expect(await scrape(webhooks.service)).toContain("\nguichet_endpoints_failing 1\n")
})

test("what is due and does not leave is counted by its age", async () => {
  await using webhooks = await aService()
    .withSettings({ GUICHET_METRICS_TOKEN: token })
    .withReceivers([() => new Response("")])
    .started()
  await webhooks.endpoint()
  await webhooks.stopWork()
  await webhooks.respond()
  webhooks.clock.move(90_000)
  expect(await scrape(webhooks.service)).toContain("\nguichet_oldest_due_delivery_seconds 90\n")
})

const noTracing = ({ authorities }: App) => ({
  settings: undefined,
  headers: undefined,
  proxy: undefined,
  authorities,
})

test("the example alerts and dashboard use figures that exist", async () => {
  await using service = await aService().started()
  const counts = { calls: { write: 3 }, failures: { timeout: 1 }, inFlight: 1, waiting: 0 }
  const metrics = openMetrics({
    node: undefined,
    db: service.app.db,
    log: service.app.log,
    version: "1",
    dataDir: "/none",
    indexDir: "/none",
    backupDir: undefined,
    now: () => 0,
    modelCounts: () => counts,
    indexFetches: () => ({ fetched: 2, failed: 1 }),
    localModelStatus: () => undefined,
    wordsOnlyIndexes: async () => [],
    tracing: noTracing(service.app),
  })
  metrics.observeAsk("answered", 0.1)
  const delivered = { outcome: "delivered", durationMs: 100, status: 200, cause: null }
  metrics.observeAttempt(delivered, { endpointId: "e", messageId: "m", kind: "automatic", attemptsMade: 0 })
  const { body } = await metrics.text()
  expect(body).toContain('guichet_model_calls_total{use="write"} 3')
  expect(body).toContain('guichet_index_fetches_total{outcome="failed"} 1')
  expect(body).toContain('guichet_model_failures_total{reason="timeout"} 1')
  for (const file of ["alerts.yml", "grafana.json"]) {
    const text = await Bun.file(join(import.meta.dir, "../../data/operate", file)).text()
    const names = new Set(text.match(/\b(guichet|process)_[a-z_]+\b/g))
    expect(names.size).toBeGreaterThan(5)
    for (const name of names) expect(body, `${file}: ${name}`).toContain(name)
  }
})

const noPromtool = isMissing(
  Bun.which("promtool") !== null,
  "tests of the figures and alerts with promtool are skipped: apt-get install prometheus",
)

test.skipIf(noPromtool)("promtool finds nothing to say of the figures and the example alerts", async () => {
  await using forms = await aService().withSettings({ GUICHET_METRICS_TOKEN: token }).withForms().started()
  await (await forms.form()).json({ nom: "Camille" })
  await fetch(`${forms.service.url}/api/v1/ask`, { method: "POST" })
  await fetch(`${forms.service.url}/metrics`, { headers: { authorization: "Bearer wrong" } })
  const checked = (args: string[], stdin = "") => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", "check", ...args], {
      stdin: Buffer.from(stdin),
    })
    return { exitCode, said: `${stdout}${stderr}` }
  }
  const text = await scrape(forms.service)
  expect(checked(["metrics"], text)).toEqual({ exitCode: 0, said: "" })
  // It would have said so otherwise.
  expect(
    checked(
      ["metrics"],
      text.replace("TYPE process_cpu_seconds_total counter", "TYPE process_cpu_seconds_total gauge"),
    ).said,
  ).toContain("process_cpu_seconds_total")
  const alerts = join(import.meta.dir, "../../data/operate/alerts.yml")
  expect(checked(["rules", alerts])).toMatchObject({ exitCode: 0 })
})

test("the process, its version and the free disk are told by the usual names", async () => {
  await using service = await aService().withSettings({ GUICHET_METRICS_TOKEN: token }).started()
  const text = await scrape(service)
  expect(text).toContain("# TYPE process_cpu_seconds_total counter\n")
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1])
  expect(value("process_start_time_seconds")).toBeCloseTo(performance.timeOrigin / 1000, 1)
  expect(value("guichet_disk_free_bytes")).toBeGreaterThan(0)
  expect(text).toContain(`\nguichet_build_info{version="${packageFile.version}",bun="${Bun.version}"} 1\n`)
  expect(await scrape(service)).toContain(
    `\nprocess_start_time_seconds ${value("process_start_time_seconds")}\n`,
  )
})

test("form posts are counted by what became of them", async () => {
  await using forms = await aService().withSettings({ GUICHET_METRICS_TOKEN: token }).withForms().started()
  const form = await forms.form()
  const key = { guichet_key: "the same key" }
  await form.json({ nom: "Camille", ...key })
  await form.json({ nom: "Camille", ...key })
  await form.json({ nom: "Camille", guichet_trap: "a program" })
  await form.json({ nom: "" })
  await form.json({ nom: "Camille" }, { origin: "https://elsewhere.fr" })
  const text = await scrape(forms.service)
  for (const result of ["received", "repeated", "unwanted", "invalid_request", "origin_not_allowed"])
    expect(text).toContain(`\nguichet_form_posts_total{result="${result}"} 1\n`)
})

test("the last purge, mail and reading that succeeded are told, and nothing before the first", async () => {
  const clock = movableClock()
  let isMailServerUp = false
  await using site = await aService()
    .withClock(clock)
    .withSettings({ GUICHET_METRICS_TOKEN: token })
    .withOverrides({
      sendMail: async () => {
        if (!isMailServerUp) throw new Error("away")
      },
    })
    .withIndexedProject()
    .started()
  const { app } = site.service
  const figure = async (name: string) =>
    new RegExp(`^guichet_${name} (\\S+)$`, "m").exec(await scrape(site.service))?.[1]
  const seconds = () => String(clock.now() / 1000)
  // The jobs that never ran begin with the service.
  await eventually(async () => (await figure("last_purge_timestamp_seconds")) === seconds())
  expect(await figure("last_mail_timestamp_seconds")).toBeUndefined()
  const workspaceId = await defaultWorkspaceId(app.db)
  const mail = { to: "a@exemple.fr", subject: "Bonjour", text: "Bonjour", workspaceId }
  await app.db.transaction().execute((transaction) => app.mailer.queue(transaction, mail, clock.now()))
  await app.mailer.sendDue()
  expect(await figure("mails_waiting")).toBe("1")
  expect(await figure("last_mail_timestamp_seconds")).toBeUndefined()
  isMailServerUp = true
  clock.move(3_600_000)
  await app.mailer.sendDue()
  expect(await figure("mails_waiting")).toBe("0")
  expect(await figure("last_mail_timestamp_seconds")).toBe(seconds())
  const row = { project_id: site.project.id, started_at: 0, beat_at: 0, phase: "reading" as const, done: 0 }
  const ends = (outcome: object, endedAt: number) =>
    app.db
      .insertInto("indexing_run")
      .values({ ...row, total: null, ended_at: endedAt, outcome: JSON.stringify(outcome) })
      .execute()
  await app.db.deleteFrom("indexing_run").execute()
  expect(await figure("last_reading_timestamp_seconds")).toBeUndefined()
  await ends({ trouble: { told: "away", reason: "", isForcible: false } }, 7000)
  expect(await figure("last_reading_timestamp_seconds")).toBeUndefined()
  await app.db.deleteFrom("indexing_run").execute()
  await ends({ documents: 3, passages: 9 }, 8000)
  expect(await figure("last_reading_timestamp_seconds")).toBe("8")
})

test("/metrics counts the passages that words alone find until their vectors are made", async () => {
  await using site = await aService()
    .withSettings({ GUICHET_METRICS_TOKEN: token, GUICHET_EMBEDDING: "local" })
    .withOverrides({ runChild: async () => ({ exitCode: 1, stderrTail: "", exceededMemory: false }) })
    .withIndexedProject()
    .started()
  const { app } = site.service
  const all = /\nguichet_index_passages (\d+)\n/.exec(await scrape(site.service))?.[1]
  const waiting = (count = "") => `\nguichet_index_passages_without_vectors ${count}\n`
  expect(await scrape(site.service)).toContain(waiting(all))
  const index_format = indexFormatFor(site.project, localEmbeddingName)
  await app.db.updateTable("generation").set({ index_format }).execute()
  expect(await scrape(site.service)).toContain(waiting("0"))
})

test("one figure that cannot be read is missing, and the others are there", async () => {
  await using service = await aService().started()
  const metrics = openMetrics({
    node: "one",
    db: service.app.db,
    log: service.app.log,
    version: "1",
    dataDir: "/none",
    indexDir: "/none",
    backupDir: undefined,
    now: () => 0,
    modelCounts: undefined,
    indexFetches: undefined,
    localModelStatus: () => ({ state: "idle", busyQuestions: 0 }),
    wordsOnlyIndexes: () => Promise.reject(new Error("away")),
    tracing: noTracing(service.app),
  })
  const { body } = await metrics.text()
  expect(body).toContain('\nguichet_database_up{node="one"} 0\n')
  expect(body).not.toMatch(/^guichet_index_passages_without_vectors /m)
  expect(body).toMatch(/^guichet_deliveries_waiting 0$/m)
})

test.skipIf(noPostgres())(
  "while PostgreSQL does not answer, /metrics says so in time, with everything else",
  async () => {
    const url = new URL(await createDatabase())
    using proxy = openProxy(Number(url.port))
    url.port = String(proxy.port)
    await using service = await aService()
      .withSettings({ ...serverSettings(url.href), GUICHET_METRICS_TOKEN: token })
      .started()
    const authorization = `Bearer ${token}`
    const read = async () => {
      const reply = await fetch(`${service.url}/metrics`, { headers: { authorization } })
      expect(reply.status).toBe(200)
      return reply.text()
    }
    expect(await read()).toMatch(/^guichet_database_up\{[^}]*\} 1$/m)
    for (const take of ["silence", "refuse"] as const) {
      proxy[take]()
      const text = await read()
      expect(text).toMatch(/^guichet_database_up\{[^}]*\} 0$/m)
      expect(text).toMatch(/^process_uptime_seconds/m)
      for (const name of shared) expect(text).not.toMatch(new RegExp(`^${name} `, "m"))
    }
    proxy.pass()
    await eventually(async () => /^guichet_deliveries_waiting 0$/m.test(await read()))
  },
)

onSqlite("/metrics is read, and takes no lock, while another process writes", async () => {
  await using service = await aService().withSettings({ GUICHET_METRICS_TOKEN: token }).started()
  using other = new Database(databasePath(service.app.config.dataDir), { strict: true })
  await lock(other)
  expect(await scrape(service)).toContain("guichet_deliveries_waiting 0")
  other.run("ROLLBACK")
})
