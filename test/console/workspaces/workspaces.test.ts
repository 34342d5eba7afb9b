import { expect, test } from "bun:test"
import { addMember } from "../../../src/accounts/operator.ts"
import { closeSessionsIn } from "../../../src/accounts/session.ts"
import { defaultWorkspaceId, insertWorkspace } from "../../../src/accounts/workspace.ts"
import { strangerOf } from "../../support/api.ts"
import { type ConsoleClient, joinWorkspace, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

const path = "/console/workspaces"

function rowOf(html: string, name: string): string {
  const row = html.split("<tr").find((each) => each.includes(`>${name}</button>`)) ?? ""
  return row.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")
}

/** Presses the button of a row whose accessible name begins so; resolves to the page that follows. */
async function press(client: ConsoleClient, html: string, label: string): Promise<string> {
  const [, id = "", action = ""] =
    new RegExp(`value="([^"]+)" formaction="([^"]+)" aria-label="${label}`).exec(html) ?? []
  const reply = await client.post(action.replaceAll("&amp;", "&"), { workspace: id })
  return reply.location ?? ""
}

test("an operator of several workspaces sees them all with what each asks for, and goes there", async () => {
  await using service = await aService().started()
  const { app, url } = service
  const client = await strangerOf(service)
  const project = (await client.post("/api/v1/projects", { name: "Pain", site: "https://pain.fr" })).body
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const form = (await client.post("/api/v1/forms", { project: project.id, name: "Contact", fields })).body
  for (const nom of ["Un", "Deux"])
    await fetch(`${url}/f/${form.public_id}`, {
      method: "POST",
      headers: { origin: "https://pain.fr", "content-type": "application/json" },
      body: JSON.stringify({ nom }),
    })
  const { started } = (await (await fetch(`${url}/f/${form.public_id}/start`)).json()) as { started: string }
  await fetch(`${url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: "https://pain.fr", "content-type": "application/json" },
    body: JSON.stringify({ nom: "Robot", guichet_started: started }),
  })
  await app.db
    .updateTable("workspace")
    .set({ name: "Boulangerie" })
    .where("id", "=", client.workspaceId)
    .execute()
  const lea = await signedIn(service)
  expect((await lea.get("/console")).text).not.toContain(path)
  await joinWorkspace(service, lea.email, client.workspaceId, "viewer")

  const home = (await lea.get("/console")).text
  // At the top, before the project and the sections, and in two clicks: the name, then the link.
  const menu = home.slice(home.indexOf('id="menu"'))
  expect(menu.indexOf(`href="${path}"`)).toBeLessThan(menu.indexOf("<nav"))
  const shown = (await lea.get(path)).text
  expect(rowOf(shown, "Espace")).toContain("affiché")
  expect(rowOf(shown, "Boulangerie")).toContain("Boulangerie 2, 1 à vérifier – – – –")
  expect(shown).toContain("/console/settings/workspaces/new")
  expect(await press(lea, shown, "Non lus")).toBe(`/console/projects/${project.id}/messages`)
  expect((await lea.get("/console/settings/operators")).text).toContain("Boulangerie")

  // The switcher leads to the same page of the other workspace.
  const webhooks = (await lea.get("/console/webhooks")).text
  expect(webhooks).toContain('action="/console/workspace?next=/console/webhooks"')
  const back = await lea.post("/console/workspace?next=/console/webhooks", {
    workspace: await defaultWorkspaceId(app.db),
  })
  expect(back.location).toBe("/console/webhooks")
  await lea.get("/console")
  const led = await lea.post("/console/workspace?next=https://ailleurs.fr", { workspace: client.workspaceId })
  expect(led.location).toBe("/console")
})

test("who was signed out of a workspace is told nothing of what happens in it", async () => {
  await using service = await aService().started()
  const { app } = service
  const lea = await signedIn(service)
  const other = await insertWorkspace(app.db, "Mairie", app.clock.now())
  await joinWorkspace(service, lea.email, other, "owner")
  await app.db.transaction().execute((transaction) => closeSessionsIn(transaction, lea.operatorId, other))
  const { text } = await lea.get(path)
  expect(text).toContain("Vous avez été déconnecté de cet espace")
  expect(rowOf(text, "Mairie")).toBe("")
})

test("a page of five hundred workspaces weighs less than 100 kB, as does every other page then", async () => {
  await using service = await aService().started()
  const { app } = service
  const lea = await signedIn(service)
  const nowMs = app.clock.now()
  await app.db.transaction().execute(async (transaction) => {
    for (let n = 0; n < 500; n++) {
      const workspaceId = await insertWorkspace(transaction, `Client ${String(n).padStart(3, "0")}`, nowMs)
      await addMember(transaction, { workspaceId, operatorId: lea.operatorId, role: "owner" }, nowMs)
    }
  })
  let seen = 0
  for (let next: string | undefined = path; next; ) {
    const { text } = await lea.get(next)
    expect(text.length).toBeLessThan(100_000)
    seen += text.match(/<th scope="row"/g)?.length ?? 0
    next = /href="(\/console\/workspaces\?cursor=\d+)"/.exec(text)?.[1]
  }
  expect(seen).toBe(501)
  expect((await lea.get("/console/webhooks")).text.length).toBeLessThan(60_000)
})

test("another project than the first can be for another customer, in a workspace of its own", async () => {
  await using service = await aService().started()
  const lea = await signedIn(service)
  const told = 'Un projet pour un autre client\u202f? <a href="/console/settings/workspaces/new">'
  for (const page of ["/console", "/console/projects"]) expect((await lea.get(page)).text).not.toContain(told)
  await lea.post("/console/projects", { site: "https://www.exemple.fr" })
  expect((await lea.get("/console/projects")).text).toContain(told)
})

test("inviting and settings name the workspace once there are several", async () => {
  await using service = await aService().started()
  const lea = await signedIn(service)
  const invites = async () => (await lea.get("/console/settings/operators")).text
  const named = "Inviter un opérateur dans «\u00a0Espace\u00a0»"
  // An only workspace is not spoken of.
  expect(await invites()).not.toContain(named)
  await joinWorkspace(service, lea.email, await insertWorkspace(service.app.db, "Autre", 0), "owner")
  expect(await invites()).toContain(named)
  expect((await lea.get("/console/settings")).text).toContain("De l’espace «\u00a0Espace\u00a0»")
})

test("an only workspace is the organisation, whose name invitations show and its owners change", async () => {
  await using service = await aService().started()
  const lea = await signedIn(service)
  expect((await lea.get("/console/settings")).text).toContain("Nom de votre organisation")
  const renamed = await lea.post("/console/settings/workspace", { name: "Mairie de Vif" })
  expect(renamed.location).toBe("/console/settings?done=saved")
  const { text } = await lea.get("/console/settings")
  expect(text).toContain('value="Mairie de Vif"')
  expect(text).not.toContain("/console/settings/workspaces/new")
  await lea.get("/console/settings/operators")
  const invited = await lea.post("/console/settings/operators", { email: "b@exemple.fr", role: "editor" })
  const [, link = ""] = /(\/console\/invitations\/[^<"]+)/.exec(invited.text) ?? []
  expect((await lea.get(link)).text).toContain("Vous êtes invité à rejoindre «\u00a0Mairie de Vif\u00a0»")
  const editor = await signedIn(service, "editor")
  expect((await editor.get("/console/settings")).text).not.toContain("Nom de votre organisation")
})
