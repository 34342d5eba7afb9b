import { afterAll, beforeAll, expect, test } from "bun:test"
import { createToken } from "../../../src/accounts/token.ts"
import { dayMs } from "../../../src/base/clock.ts"
import {
  type Action,
  auditKinds,
  listAuditLog,
  purgeAuditLog,
  recordAction,
} from "../../../src/operations/audit-log.ts"
import { type Api, apiOf, strangerOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { signedIn } from "../../support/operator.ts"
import { textOf } from "../../support/page-text.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
const contactFields = [{ name: "email", label: "Votre adresse", type: "email" }]
let service: Service
let api: Api

beforeAll(async () => {
  service = await aService().withClock(clock).started()
  api = await apiOf(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const auditLog = async () => (await api.get("/api/v1/journal")).body.items

/** Forms that perform no operation, by why the audit log need not be told by one. */
const notPerforming = {
  "it is about the operator's own session": [
    "/console/sign-in",
    "/console/sign-in/second-step",
    "/console/sign-in/passkey",
    "/console/sign-out",
    "/console/workspace",
  ],
  "strangers would write there": ["/console/password-reset"],
  "whoever has a link is recorded in the audit log of the workspace joined, or of the account": [
    "/console/password-reset/:link",
    "/console/setup/:link",
    "/console/invitations/:link",
    "/console/invitations/:link/acceptance",
  ],
  "nothing changes but who has seen what": [
    "/console/projects/:project/messages/read",
    "/console/projects/:project/forms/:form/responses/:response/unread",
  ],
  "it shows what is typed": [
    "/console/projects/:project/forms/preview",
    "/console/projects/:project/appearance/preview/:typed/api/v1/ask",
    "/console/projects/:project/appearance/preview/:typed/api/v1/search",
  ],
}

test("every other form and every file of the console performs an operation, which the audit log is told of", () => {
  const routes = service.routes.filter((route) => /^POST \/console|^GET \/console.*\.(csv|xlsx)$/.test(route))
  const performed = new Set(service.performing.map(({ method, path }) => `${method} ${path}`))
  const others = routes.filter((route) => !performed.has(route))
  const named = Object.values(notPerforming).flatMap((paths) => paths.map((path) => `POST ${path}`))
  expect(others.sort()).toEqual(named.sort())
  const told = service.performing.filter(
    ({ path, operation }) => path.startsWith("/console") && operation.audit,
  )
  expect(told.length).toBeGreaterThan(40)
})

test("who takes questions or responses out as a table stands in the audit log", async () => {
  const camille = await signedIn(service)
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.fr" })).body
  const form = (await api.post("/api/v1/forms", { project: id, name: "Contact", fields: contactFields })).body
  for (const path of [`questions/questions.csv`, `forms/${form.id}/responses.csv`]) {
    clock.move(1)
    const file = await camille.get(`/console/projects/${id}/${path}`)
    expect(file.status).toBe(200)
    // Which customer's, and of when.
    expect(file.headers.get("content-disposition")).toMatch(
      /filename="(questions-espace-docs|messages-espace-contact)-\d{4}-\d\d-\d\d\.csv"/,
    )
    expect((await camille.get(`/console/projects/autre/${path}`)).status).toBe(404)
  }
  for (const path of [`projects/${id}/answers.csv`, `forms/${form.id}/responses.csv`]) {
    clock.move(1)
    expect((await api.get(`/api/v1/${path}`)).status).toBe(200)
  }
  // HEAD downloads nothing, so it is not recorded.
  expect((await api.call("HEAD", `/api/v1/forms/${form.id}/responses.csv`)).status).toBe(200)
  expect((await auditLog()).slice(0, 4)).toMatchObject([
    { actor: { kind: "token" }, action: "responses.exported", subject: form.id },
    { actor: { kind: "token" }, action: "questions.exported", subject: id },
    { actor: { id: camille.operatorId }, action: "responses.exported", subject_name: "Contact" },
    { actor: { id: camille.operatorId }, action: "questions.exported", subject_name: "Docs" },
  ])
})

test("an address stands in the audit log without its query: it may hold a password", async () => {
  const environment = { GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" }
  await using other = await aService().withSettings(environment).withClock(clock).started()
  const apiOfOther = await apiOf(other)
  const url = "https://hooks.acme.fr/in?cle=motdepasse"
  expect((await apiOfOther.post("/api/v1/endpoints", { url })).body.url).toBe(url)
  const [entry] = (await apiOfOther.get("/api/v1/journal")).body.items
  expect(entry).toMatchObject({ action: "endpoint.added", subject_name: "https://hooks.acme.fr/in?…" })
  const camille = await signedIn(other)
  clock.move(1)
  expect((await camille.post("/console/webhooks", { url })).status).toBeLessThan(400)
  expect(JSON.stringify((await apiOfOther.get("/api/v1/journal")).body)).not.toContain("motdepasse")
})

test("what is done by the console and by the API stands in one audit log, with who did it; what fails does not", async () => {
  const camille = await signedIn(service)
  expect((await camille.post("/console/projects", { name: "", site: "" })).status).toBe(400)
  expect((await camille.post("/console/projects", { name: "Site", site: "https://a.fr" })).status).toBe(303)
  clock.move(1)
  await api.post("/api/v1/projects", { name: "", site: "" })
  const { id } = (await api.post("/api/v1/projects", { name: "Autre", site: "https://b.fr" })).body
  clock.move(1)
  await api.delete(`/api/v1/projects/${id}`)
  expect((await auditLog()).slice(0, 3)).toMatchObject([
    { actor: { kind: "token", name: "test" }, action: "project.removed", subject: id },
    { actor: { kind: "token" }, action: "project.added", subject: id, subject_name: "Autre" },
    { actor: { kind: "operator", id: camille.operatorId, name: camille.email }, action: "project.added" },
  ])
})

test("a form that is only rearranged is not said to be made or changed", async () => {
  const camille = await signedIn(service)
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.fr" })).body
  const form = (await api.post("/api/v1/forms", { project: id, name: "Contact", fields: contactFields })).body
  clock.move(1)
  const [before] = await auditLog()
  const added = await camille.post(`/console/projects/${id}/forms/new`, { name: "x", intent: "add" })
  const moved = await camille.post(`/console/projects/${id}/forms/${form.id}/settings`, { intent: "add" })
  expect([added.status, moved.status]).toEqual([200, 200])
  expect((await auditLog())[0]).toEqual(before)
})

test("the page leaves out trials of questions unless they are asked for, and shows one kind at a time", async () => {
  const camille = await signedIn(service)
  const all: Action[] = Object.values(auditKinds).flat()
  expect(new Set(all).size).toBe(all.length)
  const { app } = service
  const actor = { kind: "operator" as const, id: camille.operatorId, name: camille.email }
  const record = (action: Action, subjectName: string) =>
    recordAction(app.db, api.workspaceId, actor, { action, subjectName }, clock.now())
  await record("form.changed", "Formulaire de la mairie")
  clock.move(1)
  for (let n = 0; n < 60; n++) await record("question.tried", "Projet essayé")
  const seen = async (query: string) => {
    const { text } = await camille.get(`/console/journal${query}`)
    return ["Formulaire de la mairie", "Projet essayé"].map((name) => text.includes(name))
  }
  expect(await seen("")).toEqual([true, false])
  expect(await seen("?kind=trials")).toEqual([false, true])
  expect(await seen("?kind=forms")).toEqual([true, false])
  expect(await seen("?kind=webhooks")).toEqual([false, false])
  expect((await camille.get("/console/journal?kind=trials")).text).toContain("?kind=trials&amp;cursor=")
})

test("the page shows what one person did, or what was done between two days, each thing by its name as a link", async () => {
  await using other = await aService().withClock(clock).started()
  const apiOfOther = await apiOf(other)
  const made = await apiOfOther.post("/api/v1/projects", { name: "Mairie", site: "https://mairie.fr" })
  const project = made.body.id
  const form = (await apiOfOther.post("/api/v1/forms", { project, name: "Contact", fields: contactFields }))
    .body.id
  clock.move(3 * dayMs)
  const camille = await signedIn(other)
  await camille.post(`/console/projects/${project}/synonyms`, { words: "mairie, hôtel de ville" })
  clock.move(1)
  const { id: gone } = (await apiOfOther.post("/api/v1/projects", { name: "Passé", site: "https://b.fr" }))
    .body
  clock.move(1)
  await apiOfOther.delete(`/api/v1/projects/${gone}`)

  const all = (await camille.get("/console/journal")).text
  expect(all).toContain(`<a href="/console/projects/${project}/forms/${form}">Contact</a>`)
  expect(all).toContain(`<a href="/console/projects/${project}/settings">Mairie</a>`)
  expect(all).toMatch(
    new RegExp(`<a href="/console/projects/${project}/synonyms">.*?</a><p class="hint">Mairie`),
  )
  // What is gone is named, and leads nowhere.
  expect(all).toContain("Passé")
  expect(all).not.toContain(`/console/projects/${gone}`)

  const only = textOf((await camille.get(`/console/journal?who=${camille.operatorId}`)).text)
  expect(only).toContain("a ajouté un groupe de synonymes")
  expect(only).not.toContain("a créé un projet")
  const day = (back: number) => new Date(clock.now() - back * dayMs).toISOString().slice(0, 10)
  const before = textOf((await camille.get(`/console/journal?until=${day(2)}`)).text)
  expect(before).toContain("a créé un formulaire")
  expect(before).not.toContain("synonymes")
  const since = textOf((await camille.get(`/console/journal?since=${day(1)}`)).text)
  expect(since).toContain("a ajouté un groupe de synonymes")
  expect(since).not.toContain("a créé un formulaire")
  expect((await camille.get("/console/journal?since=hier")).status).toBe(400)
  expect((await apiOfOther.get("/api/v1/journal")).body.items.at(-1)).toMatchObject({
    subject: project,
    project,
  })
})

test("a role that is not named is refused, and no change is told of", async () => {
  const camille = await signedIn(service)
  const invited = (await api.post("/api/v1/operators", { email: "sans-role@exemple.fr", role: "viewer" }))
    .body
  clock.move(1)
  const path = `/console/settings/operators/${invited.id}`
  expect((await camille.post(path, {})).status).toBe(400)
  expect((await auditLog())[0]).toMatchObject({ subject: invited.id, action: "operator.invited" })
  clock.move(1)
  expect((await camille.post(path, { role: "editor" })).status).toBe(303)
})

test("an address that was searched or erased does not stand in the audit log", async () => {
  const camille = await signedIn(service)
  await camille.post("/console/persons", { email: "visiteur@exemple.fr" })
  await api.post("/api/v1/erasures", { email: "visiteur@exemple.fr" })
  const rows = await service.app.db.selectFrom("audit_log").selectAll().execute()
  expect(rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["person.exported", "person.erased"]),
  )
  expect(JSON.stringify(rows)).not.toContain("visiteur")
})

test("a visitor's address does not stand in the audit log, that of an operator whom the API changed does", async () => {
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.fr" })).body
  const form = (await api.post("/api/v1/forms", { project: id, name: "Contact", fields: contactFields })).body
  await fetch(`${service.url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: "https://docs.fr", "content-type": "application/json" },
    body: JSON.stringify({ email: "visiteuse@exemple.fr", guichet_trap: "x" }),
  })
  const [kept] = (await api.get(`/api/v1/forms/${form.id}/responses?state=unwanted`)).body.items
  const accepted = await api.post(`/api/v1/forms/${form.id}/responses/${kept.id}/acceptance`)
  expect([accepted.status, accepted.body.email]).toEqual([200, "visiteuse@exemple.fr"])
  expect((await auditLog())[0]).toMatchObject({ action: "response.accepted", subject: kept.id })
  expect(JSON.stringify(await auditLog())).not.toContain("visiteuse@exemple.fr")
  clock.move(1)
  const invited = { email: "nadia@exemple.fr", role: "viewer" }
  expect((await api.post("/api/v1/operators", invited)).status).toBe(201)
  expect((await auditLog())[0]).toMatchObject({ action: "operator.invited", subject_name: invited.email })
})

test("another workspace has another audit log", async () => {
  const stranger = await strangerOf(service)
  expect((await stranger.get("/api/v1/journal")).body.items).toEqual([])
})

test("a token does what its scopes allow, and hands out no more than it has", async () => {
  const { app, url } = service
  const scopes = ["forms:read", "workspace:write"]
  const { text } = await createToken(app.db, api.workspaceId, "narrow", clock.now(), scopes)
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${text}` }
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return [response.status, await response.json()]
  }
  expect((await call("GET", "forms"))[0]).toBe(200)
  expect((await call("POST", "forms", {}))[0]).toBe(403)
  expect((await call("GET", "endpoints"))[0]).toBe(403)
  expect((await call("GET", "tokens"))[0]).toBe(200)
  expect((await call("POST", "tokens", { scopes: ["all"] }))[0]).toBe(403)
  expect((await call("POST", "tokens", {}))[0]).toBe(403)
  expect((await call("POST", "tokens", { scopes: [] }))[0]).toBe(400)
  const [status, made] = await call("POST", "tokens", { scopes: ["forms:read"] })
  expect([status, made.scopes]).toEqual([201, ["forms:read"]])
})

test("the last owner can neither be taken out nor made less; nobody is invited twice", async () => {
  const owner = (await api.get("/api/v1/operators?limit=100")).body.items.filter(
    ({ role }: { role: string }) => role === "owner",
  )
  const [last, ...others] = owner
  for (const { id } of others) expect((await api.delete(`/api/v1/operators/${id}`)).status).toBe(204)
  expect((await api.delete(`/api/v1/operators/${last.id}`)).status).toBe(409)
  expect((await api.patch(`/api/v1/operators/${last.id}`, { role: "viewer" })).status).toBe(409)
  expect((await api.post("/api/v1/operators", { email: "sacha@exemple.fr", role: "viewer" })).status).toBe(
    201,
  )
  expect((await api.post("/api/v1/operators", { email: "sacha@exemple.fr", role: "viewer" })).status).toBe(
    409,
  )
})

test("a token that is another workspace's, or none, is not said to be revoked", async () => {
  const camille = await signedIn(service)
  const stranger = await strangerOf(service)
  const theirs = (await stranger.post("/api/v1/tokens", { name: "à eux" })).body
  const before = await auditLog()
  for (const id of [theirs.id, "tok_nexistepas"])
    expect((await camille.post(`/console/settings/tokens/${id}/removal`)).status).toBe(404)
  expect(await auditLog()).toEqual(before)
})

test("entries go after the configured time", async () => {
  clock.move(400 * dayMs)
  expect(await purgeAuditLog(service.app.db, 365, clock.now())).toBeGreaterThan(0)
  const part = { atMost: 10, after: undefined }
  expect(await listAuditLog(service.app.db, api.workspaceId, part)).toEqual({ rows: [], next: null })
})
