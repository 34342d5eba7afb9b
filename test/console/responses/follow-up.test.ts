import { afterAll, beforeAll, expect, test } from "bun:test"
import { newId } from "../../../src/base/ids.ts"
import { insertRows } from "../../../src/db/store.ts"
import { apiOf, strangerOf } from "../../support/api.ts"
import { answered, contact, type FormSite, type MadeForm } from "../../support/forms.ts"
import { joinWorkspace, password, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

// How far a workspace is with a message, who has it, and what was noted about it.

let forms: FormSite
let form: MadeForm
let editor: Awaited<ReturnType<typeof signedIn>>
let path: string
const ids: string[] = []

beforeAll(async () => {
  forms = await aService().withForms().started()
  form = await forms.form()
  editor = await signedIn(forms.service, "editor", forms.api.workspaceId)
  path = `/console/projects/${forms.projectId}/forms/${form.id}`
  for (const nom of ["Un", "Deux", "Trois"]) {
    ids.push((await form.json({ nom, adresse: "ada@exemple.fr" })).body.id)
    forms.clock.move(1000)
  }
})
afterAll(() => forms[Symbol.asyncDispose]())

const one = (id = ids[1]) => `/api/v1/forms/${form.id}/responses/${id}`

test("a message has a progress, a member who has it and notes, of which each says who and when", async () => {
  const [, second] = ids
  const page = `${path}/responses/${second}`
  const followed = { progress: "doing", assignee: editor.operatorId }
  expect((await editor.post(`${page}/follow-up`, followed)).status).toBe(303)
  expect((await editor.post(`${page}/notes`, { text: "Rappelée.\nÀ suivre <3" })).status).toBe(303)
  const { text } = await editor.get(page)
  expect(text).toContain("Rappelée.\nÀ suivre &lt;3")
  expect(text).toContain(editor.email)
  const { body } = await forms.api.get(one())
  expect(body).toMatchObject(followed)
  expect(body.notes).toEqual([
    {
      id: expect.stringMatching(/^note_/),
      author: editor.email,
      text: "Rappelée.\nÀ suivre <3",
      created_at: expect.any(String),
    },
  ])
  expect((await editor.post(`${page}/notes`, { text: " " })).status).toBe(400)
  const refused = await forms.api.patch(one(), { assignee: "opr_stranger" })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["assignee"]])
})

test("lists are filtered by progress and by who has it", async () => {
  const idsOf = async (query: string) =>
    (await form.responses(query)).map((each) => (each as { id: string }).id)
  expect(await idsOf("progress=doing")).toEqual([ids[1] as string])
  expect(await idsOf("progress=todo")).toEqual([ids[2], ids[0]] as string[])
  expect(await idsOf(`assignee=${editor.operatorId}`)).toEqual([ids[1] as string])
  expect(await idsOf("assignee=none")).toEqual([ids[2], ids[0]] as string[])
  const { text } = await editor.get(`${path}?progress=doing`)
  expect([text.includes(">Deux<"), text.includes(">Un<"), text.includes("en cours")]).toEqual([
    true,
    false,
    true,
  ])
})

const assigneesOf = async (formId: string) => {
  const { db } = forms.service.app
  const rows = await db.selectFrom("form_response").select("assignee").where("form_id", "=", formId).execute()
  return [...new Set(rows.map(({ assignee }) => assignee))]
}

/** A member of the workspace and of another one, who has many messages here and one there. */
async function busy() {
  const { service, api } = forms
  const { db } = service.app
  const there = await strangerOf(service)
  const member = await signedIn(service, "editor", api.workspaceId)
  await joinWorkspace(service, member.email, there.workspaceId, "editor")
  const project = (await there.post("/api/v1/projects", { name: "Là-bas", site: "https://la-bas.fr" })).body
    .id
  const [here, other] = [
    (await forms.form()).id,
    (await there.post("/api/v1/forms", { project, ...contact })).body.id as string,
  ]
  for (const [formId, count] of [
    [here, 600],
    [other, 1],
  ] as const)
    await insertRows(
      db,
      "form_response",
      Array.from({ length: count }, () => ({
        id: newId("resp", forms.clock.now()),
        form_id: formId,
        state: "received" as const,
        field_values: "{}",
        page: "https://www.exemple.fr/",
        created_at: forms.clock.now(),
        assignee: member.operatorId,
      })) as never,
    )
  return { member, there, here, other }
}

test("what a member had is nobody's once they leave the workspace, and stays theirs in another one", async () => {
  const { member, here, other } = await busy()
  const { api } = forms
  const path = `/api/v1/operators/${member.operatorId}`
  expect((await api.delete(path)).status).toBe(204)
  expect([await assigneesOf(here), await assigneesOf(other)]).toEqual([[null], [member.operatorId]])
})

test("whoever ends their account has nothing in any workspace", async () => {
  const { member, here, other } = await busy()
  const ended = { end: "yes", present_password: password }
  await member.get("/console/settings/account")
  expect((await member.post("/console/settings/account/removal", ended)).location).toContain("done=ended")
  expect([await assigneesOf(here), await assigneesOf(other)]).toEqual([[null], [null]])
})

test("the last owner, who cannot leave, keeps what they have", async () => {
  const there = await strangerOf(forms.service)
  const owner = await signedIn(forms.service, "owner", there.workspaceId)
  const project = (await there.post("/api/v1/projects", { name: "Seul", site: "https://www.exemple.fr" }))
    .body.id
  const made = (await there.post("/api/v1/forms", { project, ...contact })).body
  const posted = await answered(`${forms.service.url}/f/${made.public_id}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://www.exemple.fr" },
    body: JSON.stringify({ nom: "Quatre" }),
  })
  const response = `/api/v1/forms/${made.id}/responses/${posted.body.id}`
  expect((await there.patch(response, { assignee: owner.operatorId })).status).toBe(200)
  expect((await there.delete(`/api/v1/operators/${owner.operatorId}`)).status).toBe(409)
  expect(await assigneesOf(made.id)).toEqual([owner.operatorId])
})

test("nobody who is no member can be chosen, nor who is leaving at that moment", async () => {
  const { service, api } = forms
  const there = await strangerOf(service)
  const stranger = await signedIn(service, "owner", there.workspaceId)
  const refused = await api.patch(one(ids[2]), { assignee: stranger.operatorId })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["assignee"]])
  for (let round = 0; round < 5; round++) {
    const leaving = await signedIn(service, "viewer", api.workspaceId)
    await joinWorkspace(service, leaving.email, there.workspaceId, "viewer")
    const give = () => api.patch(one(ids[2]), { assignee: leaving.operatorId })
    await Promise.all([give(), api.delete(`/api/v1/operators/${leaving.operatorId}`), give(), give()])
    expect((await api.get(one(ids[2]))).body.assignee).not.toBe(leaving.operatorId)
    expect((await give()).status).toBe(400)
  }
  await api.patch(one(ids[2]), { assignee: null })
})

test("a note is erased by who wrote it and by owners alone, and the audit log holds nothing of it", async () => {
  const { service, api } = forms
  const page = `${path}/responses/${ids[2]}`
  const [other, owner] = [
    await signedIn(service, "editor", api.workspaceId),
    await signedIn(service, "owner", api.workspaceId),
  ]
  for (const text of ["Première confidence", "Seconde confidence"])
    await editor.post(`${page}/notes`, { text })
  const noted = async () => (await api.get(one(ids[2]))).body.notes as { id: string }[]
  const [first, second] = await noted()
  const removal = (note: { id: string } | undefined) => `${page}/notes/${note?.id}/removal`
  expect((await other.get(page)).text).not.toContain(removal(first))
  const refused = await other.post(removal(first), {})
  expect([refused.status, refused.text.includes("ou un propriétaire, peut")]).toEqual([403, true])
  const narrow = await apiOf(service, ["forms:write"])
  expect((await narrow.delete(`${one(ids[2])}/notes/${first?.id}`)).status).toBe(403)
  expect((await noted()).length).toBe(2)
  expect((await editor.get(page)).text).toContain(removal(first))
  expect((await editor.post(removal(first), {})).status).toBe(303)
  expect((await owner.get(page)).text).toContain(removal(second))
  expect((await owner.post(removal(second), {})).status).toBe(303)
  expect(await noted()).toEqual([])
  const { items } = (await api.get("/api/v1/journal?limit=2")).body
  for (const entry of items)
    expect(entry).toMatchObject({ action: "note.removed", subject: ids[2], subject_name: "Contact" })
  expect(JSON.stringify(await service.app.db.selectFrom("audit_log").selectAll().execute())).not.toContain(
    "confidence",
  )
})

test("one note is erased, and the others stay", async () => {
  const page = `${path}/responses/${ids[0]}`
  for (const text of ["À effacer", "À garder"]) await editor.post(`${page}/notes`, { text })
  const noted = async () => (await forms.api.get(one(ids[0]))).body.notes as { id: string; text: string }[]
  const [first, second] = await noted()
  expect((await editor.post(`${page}/notes/${first?.id}/removal`, {})).location).toContain("done=unnoted")
  expect((await noted()).map(({ text }) => text)).toEqual(["À garder"])
  for (const [response, note] of [
    [ids[0], first?.id],
    [ids[2], second?.id],
  ])
    expect((await forms.api.delete(`${one(response)}/notes/${note}`)).status).toBe(404)
  expect((await forms.api.delete(`${one(ids[0])}/notes/${second?.id}`)).status).toBe(204)
  expect(await noted()).toEqual([])
})

test("a message leads to the one before and the one after it in the list that it was opened from", async () => {
  const beside = async (id: string | undefined, query = "") => {
    const { text } = await editor.get(`${path}/responses/${id}${query}`)
    return ["prev", "next"].map(
      (rel) => new RegExp(`href="[^"]*responses/(resp_\\w+)[^"]*" rel="${rel}"`).exec(text)?.[1],
    )
  }
  const [first, second, third] = ids
  expect(await beside(second)).toEqual([third, first])
  expect(await beside(third)).toEqual([undefined, second])
  expect(await beside(first, "?list=project")).toEqual([second, undefined])
  expect(await beside(first, "?progress=todo")).toEqual([third, undefined])
})

test("tables of responses have progress, member and notes at their end", async () => {
  const csv = (await forms.api.get(`/api/v1/forms/${form.id}/responses.csv`)).body
  expect(csv).toContain(`"en cours";"${editor.email}";"${editor.email}\u00a0: Rappelée.\nÀ suivre <3"`)
})

test("notes are part of a person's data, and go with the message", async () => {
  const exported = await forms.api.post("/api/v1/exports", { email: "ada@exemple.fr" })
  const item = exported.body.items.find(({ id }: { id: string }) => id === ids[1])
  expect([item.progress, item.notes[0].author]).toEqual(["doing", editor.email])
  await forms.api.delete(one())
  const { db } = forms.service.app
  expect(await db.selectFrom("form_response_note").select("id").execute()).toEqual([])
})
