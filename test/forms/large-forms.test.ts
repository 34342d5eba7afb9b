import { expect, test } from "bun:test"
import { invite, maxInvitations } from "../../src/accounts/invitation.ts"
import { insertProject } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { everyScope } from "../../src/operations/scope.ts"
import { apiOf } from "../support/api.ts"
import { publicUrl } from "../support/forms.ts"
import { signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"

const large = (name: string, project: string) => ({
  project,
  name,
  hosted: true,
  fields: Array.from({ length: 20 }, (_, at) => ({
    type: "select",
    name: `choix${at}`,
    label: `Choix "${at}" & <b>`,
    options: Array.from({ length: 100 }, (_, option) => ({ value: `v${option}`, label: "x".repeat(190) })),
  })),
})

test("a list of large forms ends its page early, and its cursor leads to all of them", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
  const { id: project } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  const api = await apiOf(service)
  const made: string[] = []
  for (const name of ["a", "b", "c", "d"]) {
    const { status, body } = await api.post("/api/v1/forms", large(name, project))
    expect(status, JSON.stringify(body)).toBe(201)
    made.unshift((body as { id: string }).id)
  }
  const found: string[] = []
  let pages = 0
  for (let cursor: string | null = ""; cursor !== null; pages++) {
    const { body } = await api.get(`/api/v1/forms?limit=100${cursor && `&cursor=${cursor}`}`)
    const { items, next_cursor } = body as { items: { id: string }[]; next_cursor: string | null }
    found.push(...items.map(({ id }) => id))
    cursor = next_cursor
  }
  expect(found).toEqual(made)
  expect(pages).toBe(2)
})

test("a list of long messages ends its page early, in the API and in the console, and leads to all of them", async () => {
  await using forms = await aService().withForms().started()
  const form = await forms.form()
  const sent: string[] = []
  for (let number = 0; number < 15; number++) {
    const { body } = await form.json({ nom: `n${number}`, message: "é".repeat(90_000) })
    sent.unshift((body as { id: string }).id)
  }
  const walk = async (next: (cursor: string) => Promise<{ ids: string[]; cursor: string | null }>) => {
    const pages: string[][] = []
    for (let cursor: string | null = ""; cursor !== null && pages.length < 9; ) {
      const page = await next(cursor)
      pages.push(page.ids)
      cursor = page.cursor
    }
    return pages
  }
  const byApi = await walk(async (cursor) => {
    const query = `limit=100${cursor && `&cursor=${cursor}`}`
    const { body } = await forms.api.get(`/api/v1/forms/${form.id}/responses?${query}`)
    const { items, next_cursor } = body as { items: { id: string }[]; next_cursor: string | null }
    return { ids: items.map(({ id }) => id), cursor: next_cursor }
  })
  const owner = await signedIn(forms.service)
  const path = `/console/projects/${forms.projectId}/forms/${form.id}`
  const byConsole = await walk(async (cursor) => {
    const { text } = await owner.get(`${path}${cursor && `?cursor=${cursor}`}`)
    const ids = [...new Set(text.match(/resp_[0-9a-f]{32}/g) ?? [])].filter((id) => sent.includes(id))
    return { ids, cursor: /<p class="next">.*?cursor=([^"&]+)"/.exec(text)?.[1] ?? null }
  })
  for (const pages of [byApi, byConsole]) {
    expect(pages.flat()).toEqual(sent)
    expect(pages.map(({ length }) => length)).toEqual([6, 6, 3])
  }
})

test("a hosted form has its own tokens at each view, and what its owner changes at once", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
  const { id: project } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  const api = await apiOf(service)
  const { body } = await api.post("/api/v1/forms", large("Avant", project))
  const { id, public_id } = body as { id: string; public_id: string }
  const view = async () => (await fetch(`${service.url}/f/${public_id}`)).text()
  const keyOf = (html: string) => /name="guichet_key" value="([\w-]{36})"/.exec(html)?.[1]
  const [one, other] = [await view(), await view()]
  expect(keyOf(one)).toBeString()
  expect(keyOf(one)).not.toBe(keyOf(other))
  expect(one.replaceAll(/value="[^"]*"/g, "")).toBe(other.replaceAll(/value="[^"]*"/g, ""))
  await api.patch(`/api/v1/forms/${id}`, { name: "Après" })
  expect(await view()).toContain("<h1>Après</h1>")
})

test("a workspace has a largest number of invitations, and the refusal says what to do", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const workspaceId = await defaultWorkspaceId(db)
  const row = (at: number) => ({
    id: `inv_${at}`,
    workspace_id: workspaceId,
    email: `a${at}@exemple.fr`,
    role: "viewer" as const,
    hash: `h${at}`,
    created_at: clock.now(),
    expires_at: clock.now() + 1_000_000,
  })
  await db
    .insertInto("invitation")
    .values(Array.from({ length: maxInvitations }, (_, at) => row(at)))
    .execute()
  const asked = {
    workspaceId,
    email: "un@exemple.fr",
    role: "viewer" as const,
    held: [everyScope],
    inviter: undefined,
  }
  const made = invite(service.app, asked, clock.now())
  await expect(made).rejects.toMatchObject({
    code: "conflict",
    detail: { code: "accounts.tooManyInvitations" },
  })
})

test("a refused post gets at most 64 kB: of a large form the fields at fault, which send the others along, or the problems alone", async () => {
  await using forms = await aService().withForms().started()
  const options = (length: number) =>
    Array.from({ length: 500 }, (_, at) => ({ value: `v${at}`, label: "é".repeat(length) }))
  const asked = (name: string) => ({
    match: "all",
    conditions: [{ field: name, test: "is", values: ["v1"] }],
  })
  const form = await forms.form({
    hosted: true,
    fields: [
      { name: "ville", label: "Ville", type: "select", options: options(50) },
      { name: "quartiers", label: "Quartiers", type: "checkboxes", options: options(50) },
      { name: "nom", label: "Nom", type: "text", required: true, when: asked("ville") },
      { name: "rang", label: "Rang", type: "number", when: asked("nom") },
      { name: "large", label: "Au choix", type: "radio", options: options(200) },
    ],
  })
  const page = `${publicUrl}/f/${form.publicId}`
  const post = async (values: [string, string][]) => {
    const sent = await form.browser([["page", page], ...values], { origin: publicUrl })
    expect(Buffer.byteLength(sent.body)).toBeLessThanOrEqual(64 * 1024)
    return sent
  }
  const chosen: [string, string][] = [
    ["ville", "v1"],
    ["quartiers", "v3"],
    ["quartiers", "v4"],
    ["large", "v2"],
  ]
  const refused = await post(chosen)
  expect(refused.status).toBe(400)
  const { inputs, problems } = formIn(refused.body)
  expect(problems).toEqual(["Remplissez ce champ."])
  // Each choice by itself, as boxes send it.
  expect(inputs.slice(-5)).toEqual([...chosen, ["nom", ""]])
  expect(refused.body).not.toContain("data-when")
  // What the page shows is sent, with what it sends along.
  const sent = await post([...inputs, ["nom", "Zoé"]])
  expect(sent.status).toBe(303)
  const [stored] = await forms.api.get(`/api/v1/forms/${form.id}/responses`).then(({ body }) => body.items)
  expect(stored.values).toEqual({ ville: "v1", quartiers: "v3, v4", nom: "Zoé", rang: "", large: "v2" })
  // A field that is too large by itself, and more text than a page can give back.
  for (const [values, problem] of [
    [[...chosen, ["nom", "Zoé"], ["large", "x"]], "Au choix – Choisissez"],
    [[...chosen, ["rang", "9".repeat(100_000)]], "Nom – Remplissez ce champ."],
  ] as [[string, string][], string][]) {
    const told = await post(values)
    expect([told.status, told.body.includes("revenez à la page précédente")]).toEqual([400, true])
    expect(told.body).toContain(problem)
    expect(told.body).not.toContain("<form")
  }
})

/** What the form on a page would send, and the problems that it shows at its fields. */
function formIn(html: string) {
  const inputs = [
    ...html.matchAll(/<input(?![^>]*guichet_trap)[^>]* name="(\w+)"(?:[^>]* value="([^"]*)")?/g),
  ]
  const problems = [...html.matchAll(/<span[^>]*class="guichet-problem"[^>]*>([^<]*)</g)]
  return {
    inputs: inputs.map(([, name, value = ""]) => [name, value] as [string, string]),
    problems: problems.map(([, problem]) => problem),
  }
}
