import { afterAll, beforeAll, expect, test } from "bun:test"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import type { FormSite, MadeForm } from "../../support/forms.ts"
import { joinWorkspace, signedIn } from "../../support/operator.ts"
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

test("a message of somebody who left the workspace is nobody's, even while their account stays elsewhere", async () => {
  const { service, api } = forms
  const leaving = await signedIn(service, "editor", api.workspaceId)
  const elsewhere = await insertWorkspace(service.app.db, "Ailleurs", forms.clock.now())
  await joinWorkspace(service, leaving.email, elsewhere, "viewer")
  await api.patch(one(ids[2]), { assignee: leaving.operatorId })
  const free = async () => (await form.responses("assignee=none")).map((each) => (each as { id: string }).id)
  expect(await free()).toEqual([ids[0] as string])
  expect((await api.delete(`/api/v1/operators/${leaving.operatorId}`)).status).toBe(204)
  expect(await free()).toEqual([ids[2], ids[0]] as string[])
  await api.patch(one(ids[2]), { assignee: null })
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
