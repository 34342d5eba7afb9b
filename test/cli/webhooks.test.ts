import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Api, apiOf } from "../support/api.ts"
import { guichet } from "../support/cli.ts"
import { type Service, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// `guichet endpoint` and `guichet delivery` as processes, beside a service that runs on the same data folder.

const folder = temporaryFolder()
const environment = {
  GUICHET_DATA_DIR: folder.path,
  // Nothing listens there.
  GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1",
}
let service: Service
let api: Api
beforeAll(async () => {
  service = await aService().withSettings(environment).started()
  api = await apiOf(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (...argv: string[]) => guichet(argv, environment)
const told = async (...argv: string[]) => JSON.parse((await run(...argv, "--json")).stdout)

test("an endpoint is listed, shown and tested; its deliveries are listed and sent again by the running service", async () => {
  const endpoint = (await api.post("/api/v1/endpoints", { kind: "test" })).body
  const { id } = endpoint
  expect(await told("endpoint", "list")).toMatchObject({ items: [{ id, url: endpoint.url, active: true }] })
  expect((await run("endpoint", "list")).stdout).toBe(`${id}  active  ${endpoint.url}\n`)
  expect(await told("endpoint", "show", id)).toMatchObject({ id, created_at: endpoint.created_at })
  expect((await run("endpoint", "show", id)).stdout).toContain(`url: ${endpoint.url}\n`)

  const tested = await run("endpoint", "test", id)
  const delivery = tested.stdout.trim()
  expect(tested.stderr).toBe(`guichet delivery show ${delivery} shows its attempts\n`)
  const attempts = async () => (await told("delivery", "list", id)).items[0].attempts.length
  while ((await attempts()) === 0) await Bun.sleep(50)
  expect((await run("delivery", "list", id)).stdout).toMatch(
    new RegExp(`^${delivery}  delivered  \\S+  delivered\n$`),
  )
  expect(await told("delivery", "list", id, "--state", "failed")).toEqual({ items: [] })
  expect(await told("delivery", "resend", delivery)).toEqual({ delivery_id: delivery })
  while ((await attempts()) === 1) await Bun.sleep(50)

  expect((await run("delivery", "cancel", delivery)).stderr).toContain(
    "no attempt of this delivery is to come",
  )

  const { items } = (await api.get("/api/v1/journal")).body
  expect(items.slice(0, 2)).toMatchObject([
    { action: "delivery.resent", subject: delivery, actor: { name: "guichet delivery resend" } },
    { action: "endpoint.tested", subject: id, actor: { name: "guichet endpoint test" } },
  ])
})

test("a delivery that failed tells why in its line of the list, and where in words of its own", async () => {
  const { id } = (await api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/hook" })).body
  const delivery = (await told("endpoint", "test", id)).delivery_id
  const shown = () => told("delivery", "show", delivery)
  while ((await shown()).attempts.length === 0) await Bun.sleep(50)
  const { attempts: made, ...failed } = await shown()
  expect(failed).toMatchObject({ id: delivery, last_cause: "refused" })
  // On a slow machine the second attempt, 5 seconds later, is made meanwhile.
  expect(made[0]).toMatchObject({ outcome: "connection", cause: "refused", address: "127.0.0.1:1" })
  expect((await run("delivery", "show", delivery)).stdout).toMatch(
    /^attempt 1 {2}\S+ {2}connection {2}\d+ ms {2}127\.0\.0\.1:1 {2}refused: connection refused: .+$/m,
  )
  expect((await run("delivery", "list", id)).stdout).toMatch(/ {2}refused\n$/)
})

test("a delivery that was answered with a failing status is shown with how to mend it", async () => {
  const { items } = (await api.get("/api/v1/endpoints")).body
  const { id } = items.find(({ kind }: { kind: string }) => kind === "test")
  expect((await api.patch(`/api/v1/endpoints/${id}`, { test_answer: "error" })).status).toBe(200)
  const delivery = (await told("endpoint", "test", id)).delivery_id
  while ((await told("delivery", "show", delivery)).attempts.length === 0) await Bun.sleep(50)
  expect((await run("delivery", "show", delivery)).stdout).toMatch(
    /attempt 1 .* HTTP 500 .* the error is in the application/,
  )
})

test("an endpoint or a delivery that is not there is refused", async () => {
  for (const argv of [
    ["endpoint", "show", "ep_none"],
    ["endpoint", "test", "ep_none"],
    ["delivery", "list", "ep_none"],
  ]) {
    const refused = await run(...argv)
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""])
    expect(refused.stderr).toContain("no such endpoint")
  }
  for (const command of ["show", "resend"])
    expect((await run("delivery", command, "dlv_none")).stderr).toContain("no such delivery")
  expect((await run("endpoint", "list", "--workspace", "ws_none")).stderr).toContain("no workspace ws_none")
})
