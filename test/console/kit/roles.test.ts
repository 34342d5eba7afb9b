import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Role } from "../../../src/accounts/operator.ts"
import { findProject, insertProject, type Project } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId, findWorkspace, insertWorkspace } from "../../../src/accounts/workspace.ts"
import { joinWorkspace, password, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

let service: Service
let project: Project

beforeAll(async () => {
  service = await aService().started()
  const { app } = service
  const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
  project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
})
afterAll(() => service[Symbol.asyncDispose]())

const pages = () =>
  ["", "/indexing", "/settings", "/messages", "/questions", "/questions/questions.csv"].map(
    (path) => `/console/projects/${project.id}${path}`,
  )

/** Every action on a project, with the lowest role that may take it. */
const actions: [path: string, role: Role][] = [
  ["/settings", "editor"],
  ["/trials", "editor"],
  ["/indexing/feeds", "editor"],
  ["/indexing/feeds/feed_x/removal", "editor"],
  ["/indexing/readings", "editor"],
  ["/indexing/schedule", "editor"],
  ["/removal", "owner"],
]

test("each role may read every page, and act no further than it goes", async () => {
  const roles: Role[] = ["viewer", "editor", "owner"]
  for (const role of roles) {
    const client = await signedIn(service, role)
    for (const path of pages()) expect((await client.get(path)).status, `${role} ${path}`).toBe(200)
    for (const [path, needed] of actions) {
      const reply = await client.post(`/console/projects/${project.id}${path}`)
      const isRefused = reply.status === 403
      expect(isRefused, `${role} ${path}`).toBe(roles.indexOf(role) < roles.indexOf(needed))
      if (isRefused) expect(reply.text).toContain("ne permet pas cette action")
    }
  }
  expect(await findProject(service.app.db, project.id)).toBeDefined()
})

test("a viewer sees no button that would be refused", async () => {
  const client = await signedIn(service, "viewer")
  expect((await client.get(`/console/projects/${project.id}/trials`)).status).toBe(403)
  for (const path of pages().slice(0, 5)) {
    const { text } = await client.get(path)
    const main = text.slice(text.indexOf("<main"))
    expect(main.match(/<form method="post"[^>]*>(?:(?!<\/form>).)*<button/gs) ?? []).toEqual([])
  }
})

test("without a session every page leads to signing in, and no action is taken", async () => {
  for (const path of pages()) {
    const reply = await fetch(`${service.url}${path}`, { redirect: "manual" })
    expect([reply.status, reply.headers.get("location")]).toEqual([
      303,
      `/console/sign-in?next=${encodeURIComponent(path)}`,
    ])
  }
  for (const [path] of actions) {
    const reply = await fetch(`${service.url}/console/projects/${project.id}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: service.url },
      body: new URLSearchParams({ typed_name: project.name }),
    })
    expect([303, 401]).toContain(reply.status)
  }
  expect(await findProject(service.app.db, project.id)).toBeDefined()
})

test("another workspace’s project is one that does not exist, for every page and action", async () => {
  const { app } = service
  const elsewhere = await insertWorkspace(app.db, "Agence", app.clock.now())
  const stranger = await signedIn(service, "owner", elsewhere)
  for (const path of pages()) expect((await stranger.get(path)).status, path).toBe(404)
  for (const [path] of actions) {
    const reply = await stranger.post(`/console/projects/${project.id}${path}`, { typed_name: project.name })
    expect(reply.status, path).toBe(404)
    expect(reply.text).not.toContain(project.site)
  }
  expect((await stranger.get("/console/projects")).text).not.toContain(project.id)
  expect(await findProject(app.db, project.id)).toEqual(project)
})

test("an operator of two workspaces chooses which one is shown, and can choose no other", async () => {
  const { app } = service
  const [second, third] = [
    await insertWorkspace(app.db, "Deuxième", app.clock.now()),
    await insertWorkspace(app.db, "Troisième", app.clock.now()),
  ]
  const client = await signedIn(service, "viewer")
  await joinWorkspace(service, client.email, second, "editor")
  expect((await client.get("/console/projects")).text).toContain("Deuxième")
  expect((await client.post("/console/workspace", { workspace: second })).status).toBe(303)
  const shown = await client.get("/console/projects")
  expect(shown.text).not.toContain(project.id)
  expect(shown.text).toContain("Créer le projet")
  expect((await client.post("/console/workspace", { workspace: third })).status).toBe(404)
})

test("an owner makes a workspace, owns it and is shown it; nobody else does", async () => {
  const client = await signedIn(service, "owner")
  const page = await client.get("/console/settings/workspaces/new")
  expect(page.text).toContain("Créer l’espace")
  const long = await client.post("/console/settings/workspaces", { name: "é".repeat(201) })
  expect([long.status, long.text.includes("é".repeat(201))]).toEqual([400, true])
  expect(long.text).toContain("Indiquez un nom de 200 caractères au plus")
  expect((await client.post("/console/settings/workspaces", { name: " " })).status).toBe(400)
  expect((await client.post("/console/settings/workspaces", { name: "Client" })).location).toBe("/console")
  const shown = await client.get("/console/settings/operators")
  expect(shown.text).toContain("De l’espace «\u00a0Client\u00a0»")
  expect(shown.text).toContain(client.email)
  for (const role of ["viewer", "editor"] as const) {
    const other = await signedIn(service, role)
    expect((await other.get("/console/settings/workspaces/new")).status).toBe(403)
    expect((await other.post("/console/settings/workspaces", { name: "x" })).status).toBe(403)
  }
})

test("a tab left open on one workspace does nothing to another, and keeps what was typed in it", async () => {
  const { app } = service
  const client = await signedIn(service, "owner")
  const other = await insertWorkspace(app.db, "Autre", app.clock.now())
  await joinWorkspace(service, client.email, other, "owner")
  const tab = await client.get("/console/settings")
  const [, token] = /name="guichet_token" value="([^"]+)"/.exec(tab.text) ?? []
  expect((await client.post("/console/workspace", { workspace: other })).status).toBe(303)
  const late = await client.post("/console/settings/workspace", { name: "Renommé" }, { token: token ?? "" })
  expect([late.status, late.text.includes('value="Renommé"')]).toEqual([403, true])
  expect(late.text).toContain("montrait un autre espace")
  expect((await client.get("/console/settings")).text).toContain('value="Autre"')
})

test("what was typed on one workspace waits for that one alone when the session ends", async () => {
  const { app } = service
  const client = await signedIn(service, "owner")
  const other = await insertWorkspace(app.db, "Autre encore", app.clock.now())
  await joinWorkspace(service, client.email, other, "owner")
  expect((await client.post("/console/workspace", { workspace: other })).status).toBe(303)
  const hidden = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
  const late = async () => {
    await client.get("/console/settings")
    await app.db.deleteFrom("session").where("operator_id", "=", client.operatorId).execute()
    const asked = await client.post("/console/settings/workspace", { name: "Renommé" })
    const credentials = { email: client.email, password }
    return client.post("/console/sign-in", { ...hidden(asked.text), ...credentials }, { token: null })
  }
  const signed = await late()
  expect(signed.text).toContain('action="/console/settings/workspace"')
  expect((await client.post("/console/settings/workspace", hidden(signed.text))).status).toBe(303)
  expect((await findWorkspace(app.db, other))?.name).toBe("Renommé")
  await app.db.deleteFrom("member").where("workspace_id", "=", other).execute()
  await client.get("/console/settings")
  const stray = await late()
  expect([stray.status, stray.text.includes('<dd class="lines">Renommé</dd>')]).toEqual([200, true])
  expect(stray.text).not.toContain("action=")
})

test("what cannot be undone is named, and not sent by a careless click, once one has signed in again", async () => {
  const client = await signedIn(service, "owner")
  const made = await client.post("/console/projects", { name: "À garder", site: "https://garder.fr" })
  const path = `${made.location?.replace(/\/indexing.*/, "")}/removal`
  await service.app.db.deleteFrom("session").where("operator_id", "=", client.operatorId).execute()
  const asked = await client.post(path, { name: "À garder" })
  const hidden = [...asked.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const values = Object.fromEntries(hidden.map(([, name, value]) => [name, value]))
  const credentials = { email: client.email, password }
  const signed = await client.post("/console/sign-in", { ...values, ...credentials }, { token: null })
  expect(signed.text).toContain("Vous aviez demandé\u00a0: une suppression.")
  expect(signed.text).toContain("data-confirm=")
})

test("who is no member any more is signed out of the workspace at once", async () => {
  const client = await signedIn(service, "editor")
  await service.app.db.deleteFrom("member").where("operator_id", "=", client.operatorId).execute()
  expect((await client.get("/console/projects")).status).toBe(303)
})
