import { expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { detail } from "../../src/base/errors.ts"
import { runChecks } from "../../src/ops/checks/checks.ts"
import { checkClock } from "../../src/ops/checks/data.ts"
import { checkPublicUrl } from "../../src/ops/checks/services.ts"
import { openAuthority } from "../support/authority.ts"
import { guichet } from "../support/cli.ts"
import { engine } from "../support/postgres.ts"
import { eventually } from "../support/processes.ts"
import { startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const names = [
  "database",
  "index",
  "storage",
  "disk",
  "backup",
  "clock",
  "dns",
  "smtp",
  "model",
  "meaning",
  "authorities",
  "public_url",
  "proxies",
  "deliveries",
  "answers",
]

test("check says one line a part, or JSON, and exits 1 when a part failed", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_SMTP_URL: "smtp://127.0.0.1:1" }
  const json = await guichet(["check", "--json"], environment)
  const { checks } = JSON.parse(json.stdout)
  expect(checks.map((one: { name: string }) => one.name)).toEqual(names)
  expect(checks.find((one: { name: string }) => one.name === "smtp").state).toBe("failed")
  expect(json.exitCode).toBe(1)
  const text = await guichet(["check"], environment)
  expect(text.stdout.trim().split("\n")).toHaveLength(names.length)
  const found = engine === "sqlite" ? "sound, and can be written to" : "can be written to"
  expect(text.stdout).toContain(`ok      database: ${found}`)
})

test("every row is shown, and the database's says why, when the database cannot be used", async () => {
  using folder = temporaryFolder()
  const away: Record<string, string>[] = [
    {
      GUICHET_DATABASE_URL: "postgres://nobody:secret@127.0.0.1:1/none",
      GUICHET_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    },
  ]
  if (engine === "sqlite") {
    const damaged = join(folder.path, "damaged")
    mkdirSync(damaged)
    writeFileSync(join(damaged, "guichet.db"), "no database".repeat(1000))
    away.push({ GUICHET_DATA_DIR: damaged })
  }
  for (const settings of away) {
    const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_SMTP_URL: "smtp://127.0.0.1:1", ...settings }
    const { exitCode, stdout, stderr } = await guichet(["check", "--json"], environment)
    expect(exitCode, stderr).toBe(1)
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; detail: string }[] }
    expect(checks.map(({ name }) => name)).toEqual(names)
    const found = (name: string) => checks.find((one) => one.name === name)
    expect(found("database")?.state).toBe("failed")
    expect(found("database")?.detail).not.toContain("secret")
    expect(found("deliveries")?.detail).toBe("not looked at: the database cannot be used")
    // Looked at all the same.
    expect([found("smtp")?.state, found("disk")?.state]).toEqual(["failed", expect.not.stringMatching(/^$/)])
    const text = await guichet(["check"], environment)
    expect([text.exitCode, text.stdout.trim().split("\n").length]).toEqual([1, names.length])
  }
})

test("X-Forwarded-For from a sender that is not trusted is one warning in the log, and a row", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_TRUSTED_PROXIES: "10.9.9.9" }
  await using served = await startServe(environment)
  const row = async () => {
    const { stdout } = await guichet(["check", "--json"], environment)
    return JSON.parse(stdout).checks.find((one: { name: string }) => one.name === "proxies").state
  }
  await fetch(`${served.url}/console`)
  expect(await row()).toBe("ok")
  for (const from of ["203.0.113.7", "203.0.113.8"])
    await fetch(`${served.url}/console`, { headers: { "x-forwarded-for": from } })
  await eventually(async () => (await row()) === "warning")
  const warnings = served.log().match(/.*GUICHET_TRUSTED_PROXIES does not name.*/g) ?? []
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('"peer":"127.0.0.1"')
  expect(warnings[0]).not.toContain("203.0.113")
})

test("a second service on the same data folder is refused, and told which process has it", async () => {
  using folder = temporaryFolder()
  await using served = await startServe({ GUICHET_DATA_DIR: folder.path })
  const second = await guichet(["serve"], { GUICHET_DATA_DIR: folder.path, GUICHET_PORT: "0" })
  expect(second.exitCode).not.toBe(0)
  expect(second.stderr).toContain(`process ${served.pid} serves from the data folder ${folder.path} already`)
  served.stop("SIGKILL")
  await served.exited
  await using _again = await startServe({ GUICHET_DATA_DIR: folder.path })
})

test("a machine whose clock is not PostgreSQL's is told so", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const state = async (aheadMs: number) =>
    (await checkClock(db, clock.now(), { now: () => Date.now() + aheadMs })).state
  const apart = engine === "postgres" ? "warning" : "ok"
  expect([await state(0), await state(60_000), await state(-60_000)]).toEqual(["ok", apart, apart])
})

test("--ready loads the settings and nothing else of the program", async () => {
  const loaded = join(import.meta.dir, "../../src/cli/kit/ready.ts")
  const { outputs } = await Bun.build({ entrypoints: [loaded], target: "bun" })
  // The whole program is some 8 MB; without the limit one import of a domain would bring it back.
  expect((outputs[0] as Blob).size).toBeLessThan(200_000)
})

test("--ready asks the running service alone, whatever proxy the environment names", async () => {
  const statuses = [200, 503, 200, 503]
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response("said\n", { status: statuses.shift() ?? 500 }),
  })
  const environment = {
    GUICHET_HOST: "0.0.0.0",
    GUICHET_PORT: String(server.port),
    GUICHET_DATA_DIR: "/nowhere",
    http_proxy: "http://127.0.0.1:1",
  }
  const ready = (...options: string[]) => guichet(["check", "--ready", ...options], environment)
  expect(await ready()).toMatchObject({ exitCode: 0, stdout: "said\n" })
  expect(await ready()).toMatchObject({ exitCode: 1, stdout: "said\n" })
  const json = async () => {
    const { exitCode, stdout } = await ready("--json")
    return [exitCode, JSON.parse(stdout)]
  }
  expect(await json()).toEqual([0, { ready: true, status: 200, said: "said" }])
  expect(await json()).toEqual([1, { ready: false, status: 503, said: "said" }])
  await server.stop(true)
  expect(await ready()).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("no answer"),
  })
  expect(await json()).toEqual([1, { ready: false, status: null, said: null }])
})

test("what has been due for long, and a clock behind what is stored, are found", async () => {
  await using webhooks = await aService().withReceivers().started()
  const { service, clock } = webhooks
  const stateOf = async (name: string) =>
    (await runChecks(service.app, { wholeDatabase: false })).find((one) => one.name === name)
  await webhooks.endpoint()
  await webhooks.stopWork()
  await webhooks.respond()
  expect(await stateOf("deliveries")).toMatchObject({ state: "ok" })
  clock.move(90_000)
  expect(await stateOf("deliveries")).toMatchObject({
    state: "warning",
    detail: detail("checks.deliveriesDue", { seconds: 90 }),
  })
  clock.move(7_200_000)
  expect(await stateOf("deliveries")).toMatchObject({ state: "failed" })
  expect(await stateOf("clock")).toMatchObject({ state: "ok" })
  clock.move(-86_400_000)
  expect(await stateOf("clock")).toMatchObject({
    state: "failed",
    detail: expect.objectContaining({ code: "checks.clockSetBack" }),
  })
})

test("the public address must lead to the service", async () => {
  await using service = await aService().started()
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("hello") })
  const { authorities } = service.app
  const byAnotherName = (port: number) => `http://[::ffff:127.0.0.1]:${port}`
  expect(await checkPublicUrl(byAnotherName(Number(new URL(service.url).port)), authorities)).toMatchObject({
    state: "ok",
  })
  expect(await checkPublicUrl(byAnotherName(other.port as number), authorities)).toMatchObject({
    state: "failed",
  })
  expect(await checkPublicUrl("http://localhost:3000", authorities)).toMatchObject({ state: "warning" })
  using authority = openAuthority()
  using unknown = Bun.serve({ port: 0, tls: authority.certify(["other.test"]), fetch: () => new Response() })
  const secured = byAnotherName(unknown.port as number).replace("http", "https")
  expect(await checkPublicUrl(secured, authorities)).toMatchObject({
    state: "failed",
    detail: { code: "checks.publicUrlTls" },
  })
})
