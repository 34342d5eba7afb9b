import { afterAll, beforeAll, expect, test } from "bun:test"
import { dayMs } from "../../src/base/clock.ts"
import { strangerOf } from "../support/api.ts"
import { contact, type FormSite, publicUrl, recordedMessages, site } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"

let forms: FormSite
const messages = recordedMessages()

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: messages }).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

test("a form is made, shown, listed, changed and removed", async () => {
  const fields = [
    { name: "nom", label: "Nom", type: "text", required: true },
    { name: "sujet", label: "Sujet", type: "select", options: [{ value: "devis", label: "Un devis" }] },
  ]
  const consent = { text: "J’accepte.", confirmation: false }
  const made = await forms.api.post("/api/v1/forms", {
    project: forms.projectId,
    name: "Contact",
    fields,
    consent,
    redirect_url: "https://www.exemple.fr/merci",
    retention_days: 30,
  })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^form_/),
    public_id: expect.stringMatching(/^[a-z0-9]{16}$/),
    project: forms.projectId,
    name: "Contact",
    fields: [fields[0], { ...fields[1], required: false }],
    consent,
    redirect_url: "https://www.exemple.fr/merci",
    retention_days: 30,
    notify: [],
    notify_pending: [],
    notify_contents: false,
    owner_mail: null,
    hosted: false,
    receipt: false,
    button: null,
    thanks: null,
    opens_at: null,
    closes_at: null,
    max_responses: null,
    proof_of_work: false,
    prefill: false,
    action: `${publicUrl}/f/${made.body.public_id}`,
    created_at: "2026-03-10T09:00:00.000Z",
  })
  const path = `/api/v1/forms/${made.body.id}`
  expect((await forms.api.get(path)).body).toEqual(made.body)
  expect((await forms.api.get("/api/v1/forms")).body.items).toContainEqual(made.body)
  const changed = await forms.api.patch(path, { name: "Devis", consent: null, retention_days: null })
  expect(changed.body).toEqual({ ...made.body, name: "Devis", consent: null, retention_days: null })
  expect((await forms.api.delete(path)).status).toBe(204)
  for (const gone of [path, `${path}/responses`, `${path}/html`, `${path}/responses.csv`])
    expect((await forms.api.get(gone)).status).toBe(404)
})

test("changes of different things made at the same moment are all kept", async () => {
  const form = await forms.form()
  const path = `/api/v1/forms/${form.id}`
  for (let days = 2; days <= 20; days++) {
    await Promise.all([
      forms.api.patch(path, { name: `Contact ${days}` }),
      forms.api.patch(path, { retention_days: days }),
    ])
    expect((await forms.api.get(path)).body).toMatchObject({ name: `Contact ${days}`, retention_days: days })
  }
})

test("every fault of a description is named at once", async () => {
  const refused = await forms.api.post("/api/v1/forms", {
    project: "inconnu12",
    name: " ",
    fields: [
      { name: "Nom", label: "", type: "fichier", required: "oui" },
      { name: "page", label: "Page", type: "text" },
      { name: "consent", label: "Accord", type: "checkbox" },
      { name: "guichet_x", label: "X", type: "text" },
      { name: "a", label: "A", type: "select" },
      { name: "a", label: "A", type: "text", options: [{ value: "1", label: "1" }] },
      {
        name: "b",
        label: "B",
        type: "radio",
        options: [
          { value: "1", label: "1" },
          { value: "1", label: "2" },
        ],
      },
      { name: `a${"b".repeat(64)}`, label: "A", type: "text" },
      "rien",
      { name: "__proto__", label: "P", type: "text" },
    ],
    consent: { text: "", confirmation: "oui" },
    redirect_url: "javascript:alert(1)",
    retention_days: 0,
  })
  expect(refused.status).toBe(400)
  expect(refused.body.error.code).toBe("invalid_request")
  expect(Object.keys(refused.body.error.fields).sort()).toEqual(
    [
      "consent.confirmation",
      "consent.text",
      "fields.0.label",
      "fields.0.name",
      "fields.0.required",
      "fields.0.type",
      "fields.1.name",
      "fields.2.name",
      "fields.3.name",
      "fields.4.options",
      "fields.5.name",
      "fields.5.options",
      "fields.6.options",
      "fields.7.name",
      "fields.8",
      "fields.9.name",
      "name",
      "project",
      "redirect_url",
      "retention_days",
    ].sort(),
  )
  for (const fields of [undefined, [], {}, "x", Array(101).fill({ name: "a", label: "A", type: "text" })])
    expect(
      (await forms.api.post("/api/v1/forms", { ...contact, project: forms.projectId, fields })).status,
    ).toBe(400)
  const name64 = [{ name: `a${"b".repeat(63)}`, label: "A", type: "text" }]
  expect(
    (await forms.api.post("/api/v1/forms", { ...contact, project: forms.projectId, fields: name64 })).status,
  ).toBe(201)
})

test("a stranger's form does not exist", async () => {
  const form = await forms.form()
  const { body } = await form.json({ nom: "Camille" })
  const stranger = await strangerOf(forms.service)
  const path = `/api/v1/forms/${form.id}`
  const refused = await Promise.all([
    stranger.get(path),
    stranger.patch(path, { name: "X" }),
    stranger.delete(path),
    stranger.get(`${path}/responses`),
    stranger.get(`${path}/responses.csv`),
    stranger.get(`${path}/html`),
    stranger.delete(`${path}/responses/${body.id}`),
    stranger.post(`${path}/responses/${body.id}/acceptance`),
  ])
  expect(refused.map(({ status }) => status)).toEqual(Array(8).fill(404))
  const made = await stranger.post("/api/v1/forms", { ...contact, project: forms.projectId })
  expect([made.status, Object.keys(made.body.error.fields)]).toEqual([400, ["project"]])
  expect((await stranger.get("/api/v1/forms")).body.items).toEqual([])
})

test("nothing of the management API answers without a token", async () => {
  for (const path of ["/forms", "/forms/form_x", "/forms/form_x/responses", "/forms/form_x/responses.csv"])
    expect((await fetch(`${forms.service.url}/api/v1${path}`)).status).toBe(401)
  for (const path of ["/exports", "/erasures"])
    expect((await fetch(`${forms.service.url}/api/v1${path}`, { method: "POST" })).status).toBe(401)
})

test("responses are listed newest first, page by page, and narrowed", async () => {
  const form = await forms.form({ consent: { text: "J’accepte." } })
  for (let i = 0; i < 5; i++) {
    await form.json({ nom: `n${i}`, ...(i % 2 === 0 && { consent: "on" }) })
    forms.clock.move(dayMs)
  }
  const path = `/api/v1/forms/${form.id}/responses`
  const first = await forms.api.get(`${path}?limit=3`)
  expect(first.body.items.map(({ values }: { values: { nom: string } }) => values.nom)).toEqual([
    "n4",
    "n3",
    "n2",
  ])
  const second = await forms.api.get(`${path}?limit=3&cursor=${first.body.next_cursor}`)
  expect(second.body.items.map(({ values }: { values: { nom: string } }) => values.nom)).toEqual(["n1", "n0"])
  expect(second.body.next_cursor).toBeNull()
  const [newest] = first.body.items
  expect(await form.responses(`since=${newest.created_at}`)).toEqual([newest])
  expect(await form.responses("consent=confirmed")).toHaveLength(3)
  expect(await form.responses("consent=none")).toHaveLength(2)
  const refused = await forms.api.get(`${path}?since=hier&consent=x&state=y`)
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([
    400,
    ["state", "since", "consent"],
  ])
})

test("a search knows neither capitals nor accents, and finds what lies far behind, page by page", async () => {
  const form = await forms.form()
  for (const nom of ["Zoé ÉTÉ", "Cœur 100 %", "zoe\u0301"]) await form.json({ nom, message: "bonjour" })
  const others = Array.from({ length: 510 }, (_, number) => ({ nom: `n${number}`, message: "bonjour" }))
  const posted = await Promise.all(others.map((values) => form.json(values)))
  expect(posted.filter(({ status }) => status !== 201)).toEqual([])
  const found = async (text: string) =>
    (await form.responses(`search=${encodeURIComponent(text)}`)).map(({ values }) => values.nom)
  expect(await found("ZOE")).toEqual(["zoe\u0301", "Zoé ÉTÉ"])
  expect(await found("été")).toEqual(["Zoé ÉTÉ"])
  expect(await found("coeur")).toEqual(["Cœur 100 %"])
  expect(await found("100 cœur")).toEqual(["Cœur 100 %"])
  expect([await found("zo b"), await found("jour")]).toMatchObject([{ length: 2 }, []])
  expect(await found("_")).toEqual([])
  const path = `/api/v1/forms/${form.id}/responses?limit=1&search=zo%C3%A9`
  const first = (await forms.api.get(path)).body
  const second = (await forms.api.get(`${path}&cursor=${first.next_cursor}`)).body
  expect([first.items[0].values.nom, second.items[0].values.nom]).toEqual(["zoe\u0301", "Zoé ÉTÉ"])
  expect(second.next_cursor).toBeNull()
})

test("the HTML to copy posts to the form, and is accepted as it stands", async () => {
  const form = await forms.form({
    consent: { text: "J’accepte <b>tout</b>." },
    fields: [
      { name: "nom", label: `Votre "nom"`, type: "text", required: true },
      { name: "adresse", label: "Adresse", type: "email" },
      { name: "sujet", label: "Sujet", type: "radio", required: true, options: [{ value: "a", label: "A" }] },
      { name: "lettre", label: "Lettre", type: "checkbox" },
    ],
  })
  const page = encodeURIComponent(`${site}/contact?x`)
  const { status, headers, body } = await forms.api.get(`/api/v1/forms/${form.id}/html?page=${page}`)
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  expect(body).toContain(
    `<form class="guichet-form" action="${publicUrl}/f/${form.publicId}" method="post" accept-charset="utf-8">`,
  )
  expect(body).toContain(`name="page" value="${site}/contact"`)
  expect(body).toContain("J’accepte &lt;b>tout&lt;/b>.")
  expect(body).toContain(`name="guichet_trap"`)
  expect(body.match(/ required/g)).toHaveLength(2)
  expect(body).toContain(`<link rel="stylesheet" href="${publicUrl}/form.css?project=${forms.projectId}"/>`)
  expect(body).toContain(`<script src="${publicUrl}/form.js" defer></script>`)
  const elsewhere = `/api/v1/forms/${form.id}/html?page=${encodeURIComponent("https://ailleurs.fr/")}`
  expect((await forms.api.get(elsewhere)).status).toBe(400)
})
