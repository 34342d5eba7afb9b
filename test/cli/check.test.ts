import { expect, test } from "bun:test"
import { detail } from "../../src/base/errors.ts"
import { runChecks } from "../../src/ops/checks/checks.ts"
import { checkPublicUrl } from "../../src/ops/checks/services.ts"
import { guichet } from "../support/cli.ts"
import { engine } from "../support/postgres.ts"
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
  "public_url",
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
  const byAnotherName = (port: number) => `http://[::ffff:127.0.0.1]:${port}`
  expect(await checkPublicUrl(byAnotherName(Number(new URL(service.url).port)))).toMatchObject({
    state: "ok",
  })
  expect(await checkPublicUrl(byAnotherName(other.port as number))).toMatchObject({ state: "failed" })
  expect(await checkPublicUrl("http://localhost:3000")).toMatchObject({ state: "warning" })
})
