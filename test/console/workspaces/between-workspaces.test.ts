import { afterAll, beforeAll, expect, test } from "bun:test"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import { apiOf, strangerOf } from "../../support/api.ts"
import { joinWorkspace, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

let service: Service
beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

const addSpace = (name: string) => insertWorkspace(service.app.db, name, service.app.clock.now())

test("that a workspace was added stands in its own audit log, and in no other", async () => {
  const lea = await signedIn(service)
  const name = "Mairie de Saint-Guénolé"
  expect((await lea.post("/console/settings/workspaces", { name })).status).toBe(303)
  expect((await lea.get("/console/journal")).text).toContain(name)
  const api = await apiOf(service)
  const { body } = await api.post("/api/v1/workspaces", { name: "Jardins partagés" })
  const elsewhere = await signedIn(service)
  const seen = (await elsewhere.get("/console/journal")).text
  expect([seen.includes(name), seen.includes("Jardins partagés")]).toEqual([false, false])
  const own = await fetch(`${service.url}/api/v1/journal`, {
    headers: { authorization: `Bearer ${body.token}` },
  })
  expect((await own.json()).items).toMatchObject([{ action: "workspace.added", subject: body.id }])
})

test("a member of one workspace sees its questions of the month; the total is for owners of the first one", async () => {
  const { app } = service
  const stranger = await strangerOf(service)
  const { id } = (await stranger.post("/api/v1/projects", { name: "Docs", site: "https://docs.fr" })).body
  const nowMs = app.clock.now()
  const [organisation] = await app.db.selectFrom("organisation").select("id").execute()
  const month = new Date(nowMs).toISOString().slice(0, 7)
  await app.db
    .insertInto("limit_count")
    .values({ subject: `organisation:${organisation?.id}`, period: month, used: 51 })
    .onConflict((conflict) => conflict.columns(["subject", "period"]).doUpdateSet({ used: 51 }))
    .execute()
  const owner = await signedIn(service, "owner", stranger.workspaceId)
  const alone = (await owner.get("/console/settings")).text
  expect(alone).toContain("Questions de ce mois, sans les salutations\u00a0: 0")
  // With the second workspace it is told what they share.
  expect(alone).not.toContain("quota")
  await joinWorkspace(service, owner.email, await insertWorkspace(app.db, "Autre", nowMs), "owner")
  const { text } = await owner.get("/console/settings")
  expect(text).toContain("Un quota mensuel est partagé entre tous les espaces")
  expect([text.includes("51 sur"), text.includes("20\u202f000")]).toEqual([false, false])
  expect((await stranger.get("/api/v1/usage")).body).toMatchObject({
    questions: 0,
    quota: null,
    projects: [{ id, questions_today: 0 }],
  })
  for (const [role, isTold] of [
    ["owner", true],
    ["viewer", false],
  ] as const) {
    const member = await signedIn(service, role)
    await joinWorkspace(service, member.email, stranger.workspaceId, "viewer")
    const told = (await member.get("/console/settings")).text
    expect([role, told.includes("51 sur 20\u202f000")]).toEqual([role, isTold])
  }
  expect((await (await apiOf(service)).get("/api/v1/usage")).body).toMatchObject({
    questions: 51,
    quota: 20_000,
  })
})

test("the state of the machine is shown to owners of the first workspace alone, whichever one they look at", async () => {
  const client = await addSpace("Boulangerie")
  const theirs = await signedIn(service, "owner", client)
  const path = "/console/settings/health"
  for (const other of [theirs, await signedIn(service, "editor")]) {
    const { text } = await other.get(path)
    expect(text).toContain("Seul ce qui concerne cet espace est montré")
    expect([text.includes("Index des documentations"), text.includes("Espace disque")]).toEqual([true, false])
  }
  const { items } = (await (await strangerOf(service)).get("/api/v1/checks")).body
  expect(items.map(({ name }: { name: string }) => name)).toEqual(["index", "answers"])

  const lea = await signedIn(service)
  await joinWorkspace(service, lea.email, client, "viewer")
  expect((await lea.post("/console/workspace", { workspace: client })).status).toBe(303)
  expect((await lea.get("/console/settings")).text).toContain("Boulangerie")
  expect((await lea.get(path)).text).toContain("Espace disque")
})

test("a page of another workspace of one's own is one click away; one of others does not exist", async () => {
  const mine = await addSpace("Fleuriste")
  const lea = await signedIn(service)
  const stranger = await strangerOf(service)
  const theirs = await stranger.post("/api/v1/projects", { name: "Docs", site: "https://docs.fr" })
  await joinWorkspace(service, lea.email, mine, "editor")
  const florist = await signedIn(service, "owner", mine)
  const made = await florist.post("/console/projects", { site: "https://fleurs.fr" })
  const [, project = ""] = /projects\/(\w+)/.exec(made.headers.get("location") ?? "") ?? []
  const wanted = `/console/projects/${project}/messages?search=rose%20rouge`
  const { status, text } = await lea.get(wanted)
  expect(status).toBe(404)
  expect(text).toContain("Elle appartient à l’espace «\u00a0Fleuriste\u00a0»")
  const [, action = ""] = /action="(\/console\/workspace\?next=[^"]+)"/.exec(text) ?? []
  const led = await lea.post(action, { workspace: mine })
  expect([led.status, led.headers.get("location")]).toEqual([303, wanted])
  expect((await lea.get(wanted)).status).toBe(200)
  const closed = await lea.get(`/console/projects/${theirs.body.id}`)
  expect([closed.status, closed.text.includes("Elle appartient à l’espace")]).toEqual([404, false])
})

test("so are a destination and a delivery", async () => {
  const client = await strangerOf(service)
  const lea = await signedIn(service)
  await joinWorkspace(service, lea.email, client.workspaceId, "viewer")
  const { body } = await client.post("/api/v1/endpoints", { kind: "test" })
  const sent = await client.post(`/api/v1/endpoints/${body.id}/test`)
  for (const page of [
    `/console/webhooks/${body.id}/deliveries`,
    `/console/deliveries/${sent.body.delivery_id}`,
  ]) {
    const { status, text } = await lea.get(page)
    expect([page, status, text.includes("Passer à l’espace")]).toEqual([page, 404, true])
  }
})
