import { afterAll, test as anyTest, beforeAll, expect } from "bun:test"
import { type App, openApp } from "../../src/app.ts"
import { dayMs, systemClock } from "../../src/base/clock.ts"
import { startLog } from "../../src/base/log.ts"
import { readConfig } from "../../src/config/config.ts"
import { lastRun } from "../../src/db/job-run.ts"
import { beat, listNodes } from "../../src/db/node.ts"
import { openConnection } from "../../src/db/postgres/connection.ts"
import { migrate } from "../../src/db/postgres/migrate.ts"
import { openNode } from "../../src/jobs/node.ts"
import { type Job, startSchedule } from "../../src/jobs/schedule.ts"
import { runChecks } from "../../src/ops/checks/checks.ts"
import { apiOf } from "../support/api.ts"
import { guichet } from "../support/cli.ts"
import { movableClock } from "../support/clock.ts"
import { dirFeed, newProject } from "../support/documentation.ts"
import { type Nodes, twoNodes } from "../support/nodes.ts"
import { signedIn } from "../support/operator.ts"
import { createDatabase, serverSettings } from "../support/postgres.ts"
import { administer, noPostgres, startPostgres } from "../support/postgres-server.ts"
import { eventually } from "../support/processes.ts"
import { openProxy } from "../support/proxy.ts"
import { startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { startMailServer } from "../support/smtp.ts"

/* Several nodes share PostgreSQL alone, whatever the engine of the run is. */

const test = anyTest.skipIf(noPostgres())

const token = "a-token-of-sixteen-characters"
let nodes: Nodes
let database: string
/** Ids of the mails that the two nodes sent. */
const sent: string[] = []
/** Indexing commands that the two nodes began, and when they may go on. */
const begun: string[][] = []
let indexed = Promise.withResolvers<void>()

beforeAll(async () => {
  if (noPostgres()) return
  database = await createDatabase()
  nodes = await twoNodes({
    database,
    settings: () => ({ GUICHET_METRICS_TOKEN: token }),
    overrides: () => ({
      nodeTimes: { beatEveryMs: 100, deadAfterMs: 1000 },
      sendMail: async ({ id }) => void sent.push(id),
      async runChild(argv) {
        begun.push(argv)
        await indexed.promise
        return { exitCode: 0, stderrTail: "", exceededMemory: false }
      },
    }),
  })
})
afterAll(async () => {
  if (!noPostgres()) await nodes[Symbol.asyncDispose]()
})

const mail = { to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }
const dead = { id: "node_dead", host: "gone", version: "0.0.0", arithmetic: "", started_at: 0, beat_at: 0 }

async function queueMails(app: App, workspaces: readonly string[]): Promise<void> {
  await app.db.transaction().execute(async (transaction) => {
    for (const workspaceId of workspaces)
      await app.mailer.queue(transaction, { ...mail, workspaceId }, app.clock.now())
  })
}

const mailsOf = (app: App) => app.db.selectFrom("mail").selectAll().execute()

test("of nodes that start together, one runs the job that is due", async () => {
  const clock = movableClock()
  let runs = 0
  const job: Job = { name: "nightly", pattern: "17 3 * * *", run: async () => void runs++ }
  for (let round = 1; round <= 5; round++) {
    const schedules = await Promise.all(
      [0, 1, 0, 1].map((node) => {
        const { db, node: self } = nodes.app(node)
        return startSchedule({ db, clock, log: startLog("fatal"), timezone: "Europe/Paris", node: self }, [
          job,
        ])
      }),
    )
    for (const schedule of schedules) await schedule[Symbol.asyncDispose]()
    expect(runs).toBe(round)
    clock.move(dayMs)
  }
})

test("at each of its times one node runs a job; what concerns a machine runs on each", async () => {
  const { db } = nodes.app(0)
  const slots: number[] = []
  const local: number[] = []
  const schedules = await Promise.all(
    [0, 1].map((index) => {
      const deps = { clock: systemClock, log: startLog("fatal"), timezone: "Europe/Paris" }
      const { node, db: own } = nodes.app(index)
      return startSchedule({ ...deps, db: own, node }, [
        {
          name: "each second",
          pattern: "* * * * * *",
          run: async () => void slots.push(Math.floor(((await lastRun(db, "each second")) as number) / 1000)),
        },
        {
          name: "here",
          pattern: "0 0 1 1 *",
          onEveryNode: true,
          run: async () => void local.push(index),
        },
      ])
    }),
  )
  await eventually(() => slots.length >= 4)
  for (const schedule of schedules) await schedule[Symbol.asyncDispose]()
  expect(new Set(slots).size).toBe(slots.length)
  expect(local.toSorted()).toEqual([0, 1])
})

test("a job that still runs on another node begins on none", async () => {
  const held = Promise.withResolvers<void>()
  const began = Promise.withResolvers<void>()
  let runs = 0
  const clock = movableClock()
  const start = (index: number, run: () => Promise<void>) => {
    const { db, node } = nodes.app(index)
    const deps = { db, node, clock, log: startLog("fatal"), timezone: "Europe/Paris" }
    return startSchedule(deps, [{ name: "long", pattern: "17 3 * * *", run }])
  }
  const first = await start(0, () => {
    began.resolve()
    return held.promise
  })
  await began.promise
  clock.move(dayMs)
  await (await start(1, async () => void runs++))[Symbol.asyncDispose]()
  expect(runs).toBe(0)
  held.resolve()
  await first[Symbol.asyncDispose]()
  await (await start(1, async () => void runs++))[Symbol.asyncDispose]()
  expect(runs).toBe(1)
})

test("each mail is sent by one node", async () => {
  sent.length = 0
  const workspaces = Array.from({ length: 40 }, (_, index) => `ws_${index % 8}`)
  await queueMails(nodes.app(0), workspaces)
  await Promise.all([0, 1, 0, 1].map((node) => nodes.app(node).mailer.sendDue()))
  await eventually(async () => (await mailsOf(nodes.app(0))).length === 0)
  expect([sent.length, new Set(sent).size]).toEqual([workspaces.length, workspaces.length])
})

test("an index is built again by one node, however many find that it has to be", async () => {
  const project = await newProject(nodes.app(0))
  begun.length = 0
  indexed = Promise.withResolvers()
  const asked = [0, 1, 0, 1].map((node) => nodes.app(node).reindexing.rebuild(project.id))
  await eventually(() => begun.length > 0)
  expect(await Promise.all([0, 1].map((node) => nodes.app(node).reindexing.isBusy(project.id)))).toEqual([
    true,
    true,
  ])
  indexed.resolve()
  await Promise.all(asked)
  expect(begun.filter((argv) => argv.includes(project.id))).toHaveLength(1)
})

test("what a dead node held is taken over, once: its job, its mail, its reading", async () => {
  const { db, clock } = nodes.app(0)
  const project = await newProject(nodes.app(0))
  await dirFeed(nodes.app(0), project, nodes.docs)
  begun.length = 0
  sent.length = 0
  const request = JSON.stringify({ kind: "read", force: false })
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto("node").values(dead).execute()
    await nodes.app(0).mailer.queue(transaction, { ...mail, workspaceId: "ws_1" }, clock.now())
    // The lease of the mail would last for ten minutes more.
    await transaction
      .updateTable("mail")
      .set({ node_id: dead.id, due_at: clock.now() + 600_000 })
      .execute()
    await transaction
      .updateTable("job")
      .set({ node_id: dead.id, last_run_at: clock.now() + 1 })
      .where("name", "=", "purge sessions")
      .execute()
    const asked = { project_id: project.id, request, node_id: dead.id }
    await transaction.insertInto("indexing_request").values(asked).execute()
  })
  await eventually(() => sent.length > 0)
  await eventually(() => begun.length > 0)
  await eventually(async () => (await lastRun(db, "purge sessions")) === clock.now())
  await eventually(async () => (await db.selectFrom("indexing_request").selectAll().execute()).length === 0)
  expect((await listNodes(db)).map(({ id }) => id)).not.toContain(dead.id)
  expect(sent).toHaveLength(1)
  expect(begun.filter((argv) => argv.includes("--words") && argv.includes(project.id))).toHaveLength(1)
})

test("every face shows a row for each node, with its version and its beat", async () => {
  const app = nodes.app(0)
  const ids = (await listNodes(app.db)).map(({ id }) => id)
  expect(ids.toSorted()).toEqual([0, 1].map((node) => nodes.app(node).node.id as string).sort())
  const checks = (await runChecks(app, { wholeDatabase: false })).filter(({ name }) => name === "node")
  expect(checks.map(({ detail }) => detail)).toEqual(
    ids.map((id) => ({
      code: "checks.node",
      params: { id, host: expect.any(String), version: expect.any(String), seconds: expect.any(Number) },
    })),
  )
  const camille = await signedIn(nodes.service(0))
  const { text } = await camille.get("/console/settings/health")
  for (const id of ids) expect(text).toContain(id)
  const metrics = await fetch(`${nodes.service(1).url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await metrics.text()).toMatch(/^guichet_nodes 2$/m)
  const api = await apiOf(nodes.service(1))
  const listed = (await api.get("/api/v1/checks")).body.items as { name: string; detail: string }[]
  using folder = temporaryFolder()
  const command = await guichet(["check"], { ...serverSettings(database), GUICHET_DATA_DIR: folder.path })
  for (const id of ids) {
    expect(listed.some(({ name, detail }) => name === "node" && detail.includes(id))).toBe(true)
    expect(command.stdout).toMatch(new RegExp(`^ok +node: .*${id}`, "m"))
  }
})

test("nodes whose processors make unlike vectors are named", async () => {
  const { db } = nodes.app(0)
  const [one, other] = (await listNodes(db)).map(({ id }) => id)
  const set = (id: string, arithmetic: string) =>
    db.updateTable("node").set({ arithmetic }).where("id", "=", id).execute()
  const unlike = (id: string | undefined, arithmetic: string) => ({
    code: "checks.unlikeNode",
    params: expect.objectContaining({ id, arithmetic }),
  })
  const nodeChecks = async () =>
    (await runChecks(nodes.app(0), { wholeDatabase: false })).filter(({ name }) => name === "node")
  await set(one as string, "x64-vnni")
  await set(other as string, "x64-avx2")
  expect((await nodeChecks()).map(({ state, detail }) => [state, detail])).toEqual([
    ["warning", unlike(one, "x64-vnni")],
    ["warning", unlike(other, "x64-avx2")],
  ])
  // The same kind, and one that makes no vectors or is of a version before.
  for (const alike of ["x64-vnni", ""]) {
    await set(other as string, alike)
    expect((await nodeChecks()).map(({ state }) => state)).toEqual(["ok", "ok"])
  }
})

test("a node that stops leaves at once", async () => {
  await nodes.stop(1)
  expect((await listNodes(nodes.app(0).db)).map(({ id }) => id)).toEqual([nodes.app(0).node.id as string])
  await nodes.start(1)
})

test("of nodes with two keys that start on a new database, one alone goes on", async () => {
  const url = await createDatabase()
  using one = temporaryFolder()
  using other = temporaryFolder()
  const open = (path: string, key: number) =>
    openApp(
      readConfig({
        GUICHET_DATABASE_URL: url,
        GUICHET_SECRET_KEY: Buffer.alloc(32, key).toString("base64"),
        GUICHET_DATA_DIR: path,
        GUICHET_LOG_LEVEL: "error",
        GUICHET_EMBEDDING: "none",
      }),
    )
  const opened = await Promise.allSettled([open(one.path, 1), open(other.path, 2)])
  const failures = opened.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []))
  for (const each of opened) if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]()
  expect(failures).toEqual([expect.stringContaining("is not the key this database was written with")])
})

test("a node without a key of its settings does not start on PostgreSQL", () => {
  expect(() => readConfig({ GUICHET_DATABASE_URL: database })).toThrow("needs GUICHET_SECRET_KEY")
})

test("/readyz is 503 while PostgreSQL is away", async () => {
  const server = await startPostgres(["fsync=off"])
  try {
    await using service = await aService()
      .withSettings(serverSettings(server.url("postgres")))
      .started()
    const ready = async () => (await fetch(`${service.url}/readyz`)).status
    expect(await ready()).toBe(200)
    server[Symbol.dispose]()
    await eventually(async () => (await ready()) === 503)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  } finally {
    server[Symbol.dispose]()
  }
})

test("after a while without PostgreSQL, the node that comes back first does not take the others for dead", async () => {
  const url = new URL(await createDatabase())
  const server = (href: string) => ({ url: href, ca: undefined, tls: undefined })
  await migrate(server(url.href))
  await using direct = await openConnection(server(url.href))
  using proxy = openProxy(Number(url.port))
  url.port = String(proxy.port)
  await using connection = await openConnection(server(url.href))
  const times = { beatEveryMs: 200, deadAfterMs: 3000 }
  const identity = { host: "here", version: "1", arithmetic: "", log: startLog("fatal") }
  await using node = openNode({ db: connection.queue, times, ...identity })
  await node.join(async () => {})
  const other = { id: "node_other", host: "there", version: "1", arithmetic: "" }
  // So long that the first one would find out that the other one is dead.
  for (const endsMs = performance.now() + 3500; performance.now() < endsMs; await Bun.sleep(200))
    await beat(direct.db, other)
  proxy.refuse()
  await Bun.sleep(2000)
  proxy.pass()
  await Bun.sleep(1700)
  expect((await listNodes(direct.db)).map(({ id }) => id)).toContain(other.id)
  // It never comes back: the first one finds out after all.
  await eventually(async () => (await listNodes(direct.db)).length === 1)
})

test("a mail that a node was sending when it was killed is sent by another one", async () => {
  const url = await createDatabase()
  const environment = serverSettings(url)
  using folder = temporaryFolder()
  using first = temporaryFolder()
  using second = temporaryFolder()
  const connected = Promise.withResolvers<void>()
  using silent = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: () => connected.resolve(), data() {} },
  })
  await using server = await startMailServer()
  await using app = await openApp(
    readConfig({
      ...environment,
      GUICHET_DATA_DIR: folder.path,
      GUICHET_EMBEDDING: "none",
      GUICHET_LOG_LEVEL: "error",
    }),
  )
  await queueMails(app, ["ws_1"])
  const silentUrl = `smtp://127.0.0.1:${silent.port}`
  await using killed = await startServe({
    ...environment,
    GUICHET_DATA_DIR: first.path,
    GUICHET_SMTP_URL: silentUrl,
  })
  await connected.promise
  await using _heir = await startServe({
    ...environment,
    GUICHET_DATA_DIR: second.path,
    GUICHET_SMTP_URL: server.url,
  })
  killed.stop("SIGKILL")
  const [taken] = await server.waitFor(1)
  expect(taken?.to).toEqual([mail.to])
  await eventually(async () => (await mailsOf(app)).length === 0)
  expect(await listNodes(app.db)).toHaveLength(1)
})

test("a start that fails at its last step ends, instead of staying without serving anybody", async () => {
  const url = await createDatabase()
  using folder = temporaryFolder()
  const environment = { ...serverSettings(url), GUICHET_DATA_DIR: folder.path, GUICHET_EMBEDDING: "none" }
  await (await openApp(readConfig({ ...environment, GUICHET_LOG_LEVEL: "error" })))[Symbol.asyncDispose]()
  await administer(url, "ALTER TABLE job RENAME TO lost")
  const ended = await Promise.race([
    startServe(environment).then(
      () => "ready",
      () => "ended",
    ),
    Bun.sleep(20_000),
  ])
  expect(ended).toBe("ended")
})
