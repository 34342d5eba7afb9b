import { afterAll, beforeAll, expect, test } from "bun:test"
import { changePassword } from "../../src/accounts/operator.ts"
import { openSession } from "../../src/accounts/session.ts"
import { createToken } from "../../src/accounts/token.ts"
import { insertWorkspace } from "../../src/accounts/workspace.ts"
import { minuteMs } from "../../src/base/clock.ts"
import { insertRows } from "../../src/db/store.ts"
import { type Api, apiOf, strangerOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import { consoleClient, joinWorkspace, password, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const clock = movableClock()
let service: Service
let api: Api

beforeAll(async () => {
  service = await aService().withClock(clock).started()
  api = await apiOf(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const other = "un tout autre mot de passe"
const change = (by: Api, id: string, present: string, wanted: string = other) =>
  by.call("PUT", `/api/v1/operators/${id}/password`, { present_password: present, password: wanted })
const signIn = async (email: string, given: string) =>
  (await consoleClient(service).post("/console/sign-in", { email, password: given }, { token: null })).status

test("a password is changed by whoever knows the present one, and every session ends", async () => {
  const camille = await signedIn(service)
  expect((await change(api, camille.operatorId, password)).status).toBe(204)
  expect((await camille.get("/console/projects")).status).toBe(303)
  expect([await signIn(camille.email, password), await signIn(camille.email, other)]).toEqual([401, 303])
})

test("a token alone changes nobody's password: a wrong present one is refused at its field, and guessing waits", async () => {
  const camille = await signedIn(service)
  for (let guess = 0; guess < 5; guess++) {
    const { status, body } = await change(api, camille.operatorId, "pas le bon mot de passe")
    expect([status, Object.keys(body.error.fields)]).toEqual([400, ["present_password"]])
  }
  expect((await change(api, camille.operatorId, password)).status).toBe(429)
  clock.move(minuteMs)
  expect((await change(api, camille.operatorId, password, "court")).body.error.fields).toHaveProperty(
    "password",
  )
  expect((await camille.get("/console/projects")).status).toBe(200)
  expect(await signIn(camille.email, password)).toBe(303)
})

test("a role is judged by what the operator is when the whole request is there", async () => {
  const narrow = await apiOf(service, ["workspace:write"])
  const { app } = service
  const { id: tokenId, text } = await createToken(app.db, narrow.workspaceId, "slow", clock.now(), [
    "workspace:write",
  ])
  const used = () =>
    app.db.selectFrom("token").select("last_used_at").where("id", "=", tokenId).executeTakeFirstOrThrow()
  const { operatorId: id } = await signedIn(service, "owner")
  const demoted = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slowly = new ReadableStream({
    async pull(stream) {
      stream.enqueue(new TextEncoder().encode('{"role":'))
      begun.resolve()
      await demoted.promise
      stream.enqueue(new TextEncoder().encode('"owner"}'))
      stream.close()
    },
  })
  const raising = fetch(`${service.url}/api/v1/operators/${id}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${text}`, "content-type": "application/json" },
    body: slowly,
  })
  await begun.promise
  // The token is accepted. Checks that run before the body is complete run in the next rounds of the event
  // loop.
  while ((await used()).last_used_at === null) await Bun.sleep(1)
  for (let round = 0; round < 10; round++) await new Promise(setImmediate)
  await api.patch(`/api/v1/operators/${id}`, { role: "viewer" })
  demoted.resolve()
  expect((await raising).status).toBe(403)
  expect((await api.get(`/api/v1/operators/${id}`)).body.role).toBe("viewer")
  expect((await narrow.patch(`/api/v1/operators/${id}`, {})).body.role).toBe("viewer")
})

test("an operator of another workspace is 404, whatever is known of the password", async () => {
  const camille = await signedIn(service)
  const stranger = await strangerOf(service)
  expect((await change(stranger, camille.operatorId, password)).status).toBe(404)
  expect((await stranger.delete(`/api/v1/operators/${camille.operatorId}/sessions`)).status).toBe(404)
  expect((await camille.get("/console/projects")).status).toBe(200)
})

test("who has a second factor is told", async () => {
  const camille = await signedIn(service, "editor")
  const told = async () => (await api.get(`/api/v1/operators/${camille.operatorId}`)).body.second_factor
  expect(await told()).toBe(false)
  const totp = { operator_id: camille.operatorId, sealed: "", last_step: 0, created_at: clock.now() }
  await insertRows(service.app.db, "totp", totp)
  expect(await told()).toBe(true)
})

test("an operator is signed out of the token's workspace in every browser, and of no other one", async () => {
  const camille = await signedIn(service)
  const elsewhere = await signedInAgain(camille.email)
  const second = await insertWorkspace(service.app.db, "Deuxième", clock.now())
  await joinWorkspace(service, camille.email, second, "viewer")
  expect((await elsewhere.post("/console/workspace", { workspace: second })).status).toBe(303)
  const third = await signedInAgain(camille.email)
  expect((await api.delete(`/api/v1/operators/${camille.operatorId}/sessions`)).status).toBe(204)
  expect((await camille.get("/console/projects")).status).toBe(303)
  expect((await third.get("/console/projects")).status).toBe(303)
  expect((await elsewhere.get("/console/projects")).status).toBe(200)
})

test("a session that was ended in a workspace does not come back by switching; whoever signs in anew does", async () => {
  const camille = await signedIn(service)
  const away = await signedInAgain(camille.email)
  const second = await insertWorkspace(service.app.db, "Ailleurs", clock.now())
  await joinWorkspace(service, camille.email, second, "viewer")
  await away.post("/console/workspace", { workspace: second })
  // Concurrent switches change nothing: in any order, the workspace is closed to the browser once the reply
  // is there.
  const switching = Array.from({ length: 20 }, (_, round) =>
    away.post("/console/workspace", { workspace: round % 2 ? second : api.workspaceId }),
  )
  expect((await api.delete(`/api/v1/operators/${camille.operatorId}/sessions`)).status).toBe(204)
  await Promise.all(switching)
  const shut = await away.post("/console/workspace", { workspace: api.workspaceId })
  expect([303, 403]).toContain(shut.status)
  expect(shut.text === "" || shut.text.includes("déconnecté de cet espace")).toBe(true)
  expect(await workspacesShown(camille.operatorId)).not.toContain(api.workspaceId)
  const anew = await signedInAgain(camille.email)
  expect((await anew.post("/console/workspace", { workspace: api.workspaceId })).status).toBe(303)
})

test("who is taken out and invited again has no session left from before", async () => {
  const there = await strangerOf(service)
  const camille = await signedIn(service, "editor", there.workspaceId)
  await joinWorkspace(service, camille.email, api.workspaceId, "viewer")
  expect((await there.delete(`/api/v1/operators/${camille.operatorId}`)).status).toBe(204)
  await joinWorkspace(service, camille.email, there.workspaceId, "viewer")
  expect((await camille.get("/console/projects")).status).toBe(303)
})

test("whoever signs in with a password while it is changed has no session afterwards", async () => {
  const camille = await signedIn(service)
  const signing = Array.from({ length: 4 }, () => signedInAgain(camille.email))
  expect(await changePassword(service.app.db, camille.operatorId, other)).toBe(true)
  await Promise.all(signing)
  expect(await workspacesShown(camille.operatorId)).toEqual([])
  const { id, email } = { id: camille.operatorId, email: camille.email }
  const stale = { id, email, passwordHash: "what it was" }
  expect(await openSession(service.app.db, stale, clock.now())).toBeUndefined()
})

test("whoever joined last is listed first, however old the account", async () => {
  const there = await strangerOf(service)
  const elsewhere = await signedIn(service)
  const first = await signedIn(service, "viewer", there.workspaceId)
  clock.move(minuteMs)
  await joinWorkspace(service, elsewhere.email, there.workspaceId, "viewer")
  const { body } = await there.get("/api/v1/operators?limit=1")
  const { body: rest } = await there.get(`/api/v1/operators?limit=1&cursor=${body.next_cursor}`)
  expect([body.items[0].id, rest.items[0].id, rest.next_cursor]).toEqual([
    elsewhere.operatorId,
    first.operatorId,
    null,
  ])
})

test("who is a member of no other workspace goes with it, and may be invited as a new person", async () => {
  const doomed = await strangerOf(service)
  const alone = await signedIn(service, "owner", doomed.workspaceId)
  const both = await signedIn(service)
  await joinWorkspace(service, both.email, doomed.workspaceId, "viewer")
  expect((await doomed.delete(`/api/v1/workspaces/${doomed.workspaceId}`)).status).toBe(204)
  expect(await signIn(alone.email, password)).toBe(401)
  const { body } = await api.post("/api/v1/operators", { email: alone.email, role: "viewer" })
  const path = new URL(body.link).pathname
  const again = await consoleClient(service).post(path, { password: other }, { token: null })
  expect(again.status).toBe(303)
  expect((await both.get("/console/projects")).status).toBe(200)
})

async function workspacesShown(operatorId: string): Promise<string[]> {
  const rows = await service.app.db
    .selectFrom("session")
    .select("workspace_id")
    .where("operator_id", "=", operatorId)
    .execute()
  return rows.map((row) => row.workspace_id)
}

async function signedInAgain(email: string) {
  const client = consoleClient(service)
  await client.post("/console/sign-in", { email, password }, { token: null })
  await client.get("/console/projects")
  return client
}
