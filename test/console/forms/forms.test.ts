import { expect, test } from "bun:test"
import { decodeQR } from "qr/decode.js"
import { apiOf } from "../../support/api.ts"
import { pagesOfList } from "../../support/console-lists.ts"
import { signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import { aService } from "../../support/service-builder.ts"
import { startMailServer } from "../../support/smtp.ts"

test("a project's forms are listed, and offered to endpoints, however many the workspace has", async () => {
  await using service = await aService()
    .withSettings({ GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" })
    .started()
  const client = await signedIn(service)
  const api = await apiOf(service)
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const project = async (name: string) =>
    (await api.post("/api/v1/projects", { name, site: "https://www.acme.fr" })).body.id as string
  const few = await project("Un")
  const many = await project("Beaucoup")
  await api.post("/api/v1/forms", { project: few, name: "Le premier de tous", fields })
  const names = Array.from({ length: 500 }, (_, number) => `Formulaire ${number}`)
  // Forms of one project are made one at a time: the last of many at once would wait for long on a busy machine.
  for (let start = 0; start < names.length; start += 50) {
    const some = names.slice(start, start + 50)
    const made = await Promise.all(
      some.map((name) => api.post("/api/v1/forms", { project: many, name, fields })),
    )
    expect(made.filter(({ status }) => status !== 201)).toEqual([])
  }
  expect((await client.get(`/console/projects/${few}/forms`)).text).toContain("Le premier de tous")
  const text = (await pagesOfList(client, `/console/projects/${many}/forms`)).join("\n")
  expect(text).toContain("Formulaire 0<")
  expect(text).not.toContain("Le premier de tous")
  const endpoint = (await api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/guichet" })).body.id
  const boxes = (await pagesOfList(client, `/console/webhooks/${endpoint}`)).join("\n")
  expect(boxes).toContain("Le premier de tous")
})

test("the builder gives a form back as it was, equals signs in its options included", async () => {
  await using service = await aService().started()
  const client = await signedIn(service)
  const api = await apiOf(service)
  const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body.id
  const both = ["a = b", "a =", "= b", "a = = b", "a == b", "a \\= b", "a \\\\= b =", "c=d", "10\u00a0€"]
  const options = [
    ...both.map((text) => ({ value: text, label: text })),
    ...both.map((text) => ({ value: `${text} x`, label: text })),
    ...both.map((text) => ({ value: `${text} y =`, label: `= ${text}` })),
  ]
  const fields = [{ name: "choix", label: "Choix", type: "radio", required: true, options }]
  const { id } = (await api.post("/api/v1/forms", { project, name: "Choix", fields })).body
  const path = `/console/projects/${project}/forms/${id}/settings`
  const shown = formIn((await client.get(path)).text, path)
  expect((await client.post(path, { ...shown, name: "Autrement" })).status).toBe(303)
  const changed = (await api.get(`/api/v1/forms/${id}`)).body
  expect(changed.name).toBe("Autrement")
  expect(changed.fields).toEqual(fields)
})

test("saving a form changes no value of its options, however the API wrote them", async () => {
  const options = [
    { value: " x ", label: " Le x " },
    { value: "y", label: "Y" },
  ]
  await using service = await aService().started()
  const client = await signedIn(service)
  const api = await apiOf(service)
  const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body.id
  const choice = { name: "choix", label: "Choix", type: "select", options }
  const { id } = (await api.post("/api/v1/forms", { project, name: "Choix", fields: [choice] })).body
  const path = `/console/projects/${project}/forms/${id}/settings`
  const shown = formIn((await client.get(path)).text, path)
  expect((await client.post(path, shown)).status).toBe(303)
  expect((await api.get(`/api/v1/forms/${id}`)).body.fields[0].options).toEqual([
    { value: "x", label: "Le x" },
    { value: "y", label: "Y" },
  ])
  const twins = [{ ...choice, options: [...options, { value: "x", label: "x" }] }]
  expect((await api.post("/api/v1/forms", { project, name: "Choix", fields: twins })).status).toBe(400)
})

/** Creates a form over the API, and opens its page in the console. */
async function madeForm(described: Record<string, unknown> = {}) {
  const service = await aService().started()
  const client = await signedIn(service)
  const api = await apiOf(service)
  const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body.id
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const { id } = (await api.post("/api/v1/forms", { project, name: "Contact", fields, ...described })).body
  const path = `/console/projects/${project}/forms/${id}`
  return { service, client, api, id, path, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

test("the HTML carries the address of its page once it is given, which must be the project's", async () => {
  await using form = await madeForm()
  const shown = async (page: string) =>
    (await form.client.get(`${form.path}/html?page=${encodeURIComponent(page)}`)).text
  expect(await shown("https://www.acme.fr/contact.html?a=1#b")).toContain(
    "name=&quot;page&quot; value=&quot;https://www.acme.fr/contact.html&quot;",
  )
  const refused = await shown("https://ailleurs.fr/contact")
  expect(refused).toContain("sur un site déclaré du projet")
  expect(refused).not.toContain("name=&quot;page&quot;")
})

test("the message about a refused form links to what is wrong in it, in the order of the page", async () => {
  await using form = await madeForm()
  const path = `${form.path}/settings`
  const shown = formIn((await form.client.get(path)).text, path)
  const wrong = { "fields.0.label": "Jour", "fields.0.type": "select", "fields.0.options": "" }
  const refused = await form.client.post(path, { ...shown, ...wrong, retention_days: "trois", hosted: "on" })
  expect(refused.status).toBe(400)
  const [alert = ""] = /<div class="problem" role="alert">.*?<\/div>/s.exec(refused.text) ?? []
  const links = [...alert.matchAll(/<a href="#([^"]+)">([^<]+)/g)].map(([, target, name]) => [target, name])
  expect(links).toEqual([
    ["fields.0.options", "Champ 1, «\u00a0Jour\u00a0»\u00a0: choix proposés"],
    ["retention_days", "Jours de conservation"],
  ])
  for (const [target] of links) expect(refused.text).toContain(`id="${target}"`)
})

test("a number has a least and a greatest value, which the page shows and every post is held to", async () => {
  await using form = await madeForm({ hosted: true })
  const path = `${form.path}/settings`
  const shown = formIn((await form.client.get(path)).text, path)
  const described = { ...shown, "fields.0.label": "Participants", "fields.0.type": "number" }
  for (const [min, max, sentence] of [
    ["dix", "", "Indiquez un nombre en chiffres, ou laissez vide."],
    ["5", "1", "Indiquez un maximum qui n’est pas plus petit"],
  ] as const) {
    const refused = await form.client.post(path, { ...described, "fields.0.min": min, "fields.0.max": max })
    expect([min, refused.status, refused.text.includes(sentence)]).toEqual([min, 400, true])
    expect(refused.text).toContain(`value="${min}"`)
  }
  const bounds = { "fields.0.min": "0,5", "fields.0.max": "1 200" }
  expect((await form.client.post(path, { ...described, ...bounds })).status).toBe(303)
  const stored = (await form.api.get(`/api/v1/forms/${form.id}`)).body
  expect(stored.fields[0]).toMatchObject({ type: "number", min: 0.5, max: 1200 })
  expect(formIn((await form.client.get(path)).text, path)).toMatchObject({
    "fields.0.min": "0,5",
    "fields.0.max": "1200",
  })
  const address = form.service.url + new URL(stored.action).pathname
  const html = (await (await fetch(address)).text()).match(/<input type="number"[^>]*>/)?.[0]
  expect(html).toMatch(/min="0.5".*max="1200"/)
  const post = (value: string) =>
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://www.acme.fr" },
      body: JSON.stringify({ [stored.fields[0].name]: value }),
    })
  for (const value of ["0.5", "1200", "3"]) expect([value, (await post(value)).status]).toEqual([value, 201])
  for (const value of ["-3", "0.49", "1200.5"]) {
    const reply = await post(value)
    expect([value, reply.status]).toEqual([value, 400])
    expect(await reply.text()).toContain("Indiquez un nombre de 0,5 à 1\u202f200.")
  }
  // Another type has no bounds: what was typed for a number stays behind.
  const now = formIn((await form.client.get(path)).text, path)
  expect((await form.client.post(path, { ...now, "fields.0.type": "text" })).status).toBe(303)
  expect((await form.api.get(`/api/v1/forms/${form.id}`)).body.fields[0].min).toBeUndefined()
  const fields = [{ name: "a", label: "A", type: "text", min: 1 }]
  const refused = await form.api.patch(`/api/v1/forms/${form.id}`, { fields })
  expect([refused.status, Object.keys(refused.body.error.fields ?? {})]).toEqual([400, ["fields.0.min"]])
})

test("a form made with its page is told so; readers are led to no builder", async () => {
  await using form = await madeForm()
  const forms = form.path.replace(/\/[^/]+$/, "")
  const field = { name: "Devis", field_count: "1", "fields.0.label": "Nom", "fields.0.type": "text" }
  for (const [more, sentence] of [
    [{ hosted: "on" }, "Le formulaire est créé. Sa page aussi"],
    [{}, "Le formulaire est créé. Donnez-lui une page"],
  ] as const) {
    const made = await form.client.post(`${forms}/new`, { ...field, ...more })
    expect((await form.client.get(made.location as string)).text).toContain(sentence)
  }
  const { id } = (await form.api.post("/api/v1/projects", { name: "Vide", site: "https://v.fr" })).body
  const reader = await signedIn(form.service, "viewer")
  const way = `href="/console/projects/${id}/forms/new"`
  for (const page of ["messages", "appearance"]) {
    const path = `/console/projects/${id}/${page}`
    expect([page, (await form.client.get(path)).text.includes(way)]).toEqual([page, true])
    expect([page, (await reader.get(path)).text.includes(way)]).toEqual([page, false])
  }
})

test("a field may be named as every object's property is, and is empty in the HTML", async () => {
  await using form = await madeForm({
    fields: [{ name: "constructor", label: "Fabricant", type: "textarea" }],
  })
  const { text } = await form.client.get(`${form.path}/html`)
  expect(text).toContain("name=&quot;constructor&quot;")
  expect(text).not.toMatch(/native code|aria-invalid/)
})

test("what somebody else changed since the page was opened is not undone unseen", async () => {
  await using form = await madeForm()
  const path = `${form.path}/settings`
  const shown = formIn((await form.client.get(path)).text, path)
  await form.api.patch(`/api/v1/forms/${form.id}`, { retention_days: 30 })
  const refused = await form.client.post(path, { ...shown, name: "Autrement" })
  expect([refused.status, refused.text.includes("Quelqu’un d’autre a changé")]).toEqual([409, true])
  expect((await form.api.get(`/api/v1/forms/${form.id}`)).body).toMatchObject({
    name: "Contact",
    retention_days: 30,
  })
  // Saving again after the warning overwrites the other change on purpose.
  const again = formIn(refused.text, path)
  expect(again["name"]).toBe("Autrement")
  expect((await form.client.post(path, again)).status).toBe(303)
  expect((await form.api.get(`/api/v1/forms/${form.id}`)).body).toMatchObject({
    name: "Autrement",
    retention_days: null,
  })
})

test("what is asked for without the text or address it needs is refused, and a number is written in digits", async () => {
  await using form = await madeForm()
  const path = `${form.path}/settings`
  const shown = formIn((await form.client.get(path)).text, path)
  for (const [asked, sentence] of [
    [{ "consent.confirmation": "on" }, "Indiquez le texte"],
    [{ notify: "sans arobase" }, "Indiquez une adresse"],
    [{ retention_days: "0x10" }, "Indiquez un nombre de jours"],
  ] as const) {
    const { status, text } = await form.client.post(path, { ...shown, ...asked })
    expect([status, asked, text.includes(sentence)]).toEqual([400, asked, true])
  }
})

test("a variable is made of any label", async () => {
  await using form = await madeForm()
  const path = `${form.path}/settings`
  for (const [label, variable] of [
    ["Œuvre préférée", "oeuvre_preferee"],
    ["Page", "champ_page"],
    ["✉️", "champ"],
  ]) {
    const one = { field_count: "1", "fields.0.label": label as string, "fields.0.name": "" }
    const shown = formIn((await form.client.get(path)).text, path)
    expect((await form.client.post(path, { ...shown, ...one })).status).toBe(303)
    expect((await form.api.get(`/api/v1/forms/${form.id}`)).body.fields[0].name).toBe(variable)
  }
})

test("a form says who gets its messages; without anybody, the test receiver is one click away", async () => {
  await using form = await madeForm()
  const shown = async () => (await form.client.get(`${form.path}/html`)).text
  expect(await shown()).toContain("Créer la boîte d’essai")
  const viewer = await signedIn(form.service, "viewer")
  expect((await viewer.get(`${form.path}/html`)).text).not.toContain("Créer la boîte d’essai")
  const { location } = await form.client.post("/console/webhooks/test-receiver")
  expect(await shown()).toContain(`<a href="${location}">Boîte d’essai</a>`)
  expect(await shown()).not.toContain("Créer la boîte d’essai")
  const receiver = location?.split("/")[3]
  const project = (await form.api.post("/api/v1/projects", { name: "Autre", site: "https://autre.fr" })).body
  await form.api.patch(`/api/v1/endpoints/${receiver}`, { projects: [project.id], active: false })
  // A second test receiver is refused, so that none is offered.
  expect(await shown()).not.toContain("boîte d’essai</button>")
  expect(await shown()).toContain("Ajouter mon application")
  await form.api.patch(`/api/v1/endpoints/${receiver}`, { projects: [], forms: [form.id] })
  expect(await shown()).toMatch(/Boîte d’essai<\/a> <span class="tag">désactivée/)
})

test("a form's page is switched on and off in the console, by whoever may change forms, and its QR code leads there", async () => {
  await using form = await madeForm()
  const { text: off } = await form.client.get(`${form.path}/html`)
  expect(off).toContain("Ce formulaire n’a pas encore de page")
  const started = await form.client.post(`${form.path}/page`, { hosted: "on" })
  expect([started.status, started.location]).toEqual([303, `${form.path}/html?done=started`])
  const { action, hosted } = (await form.api.get(`/api/v1/forms/${form.id}`)).body
  expect(hosted).toBe(true)
  const { text } = await form.client.get(`${form.path}/html`)
  expect(text).toContain(`&lt;iframe src=&quot;${action}&quot; title=&quot;Contact&quot;`)
  expect(text).toContain(`&lt;script src=&quot;${new URL(action).origin}/form.js&quot; defer>&lt;/script>`)
  const picture = await form.client.get(`${form.path}/qr.svg`)
  expect(picture.headers.get("content-disposition")).toStartWith("attachment; filename=")
  expect(readQrCode(picture.text)).toBe(action)
  await form.client.post(`${form.path}/page`)
  expect((await form.api.get(`/api/v1/forms/${form.id}`)).body.hosted).toBe(false)

  const viewer = await signedIn(form.service, "viewer")
  expect((await viewer.post(`${form.path}/page`, { hosted: "on" })).status).toBe(403)
  expect((await viewer.get(`${form.path}/html`)).text).not.toContain("Activer la page")
})

/** What the picture says, as a reader of QR codes sees it. */
function readQrCode(svg: string): string {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])
  const scale = 4
  const width = side * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [x, y] of darkModules(svg))
    for (let row = 0; row < scale; row++)
      for (let column = 0; column < scale; column++)
        data.fill(
          0,
          ((y * scale + row) * width + x * scale + column) * 4,
          ((y * scale + row) * width + x * scale + column) * 4 + 3,
        )
  return decodeQR({ width, height: width, data })
}

/** The path of the picture: squares of 1, each drawn from a point that the one before leads to. */
function* darkModules(svg: string): Generator<[x: number, y: number]> {
  const path = /<path d="([^"]+)"/.exec(svg)?.[1] ?? ""
  let [x, y] = [0, 0]
  for (const [, kind, right, below] of path.matchAll(/([Mm])(-?\d+) ?(-?\d+)h1v1[hH]-?\d+Z/g)) {
    ;[x, y] = kind === "M" ? [Number(right), Number(below)] : [x + Number(right), y + Number(below)]
    yield [x, y]
  }
}

test("each template is a form as it stands, with and without a mail server", async () => {
  await using mail = await startMailServer()
  for (const settings of [{}, { GUICHET_SMTP_URL: mail.url }]) {
    await using service = await aService().withSettings(settings).started()
    const client = await signedIn(service)
    const api = await apiOf(service)
    const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body
      .id
    const path = `/console/projects/${project}/forms/new`
    for (const template of ["contact", "devis", "inscription", "newsletter", "empty"]) {
      const shown = formIn((await client.get(`${path}?template=${template}`)).text, path)
      const filled = template === "empty" ? { ...shown, "fields.0.label": "Un champ" } : shown
      expect([template, (await client.post(path, filled)).status]).toEqual([template, 303])
    }
    const made = (await api.get("/api/v1/forms")).body.items
    const letter = made.find((form: { name: string }) => form.name === "Lettre d’information")
    expect(letter.consent.confirmation).toBe("GUICHET_SMTP_URL" in settings)
  }
})

test("a form made in the console tells its maker about its messages, unless the address is taken out", async () => {
  await using mail = await startMailServer()
  for (const settings of [{}, { GUICHET_SMTP_URL: mail.url }]) {
    await using service = await aService().withSettings(settings).started()
    const client = await signedIn(service)
    const api = await apiOf(service)
    const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body
      .id
    const path = `/console/projects/${project}/forms/new`
    const { text } = await client.get(path)
    const shown = formIn(text, path)
    const told = "GUICHET_SMTP_URL" in settings ? [client.email] : []
    expect(shown["notify"]?.trim()).toBe(told.join(""))
    expect(text.includes(`Vous êtes prévenu par e-mail\u00a0: ${client.email}.`)).toBe(told.length > 0)
    const newest = async () => (await api.get("/api/v1/forms?limit=1")).body.items[0].notify
    await client.post(path, shown)
    expect(await newest()).toEqual(told)
    await client.post(path, { ...shown, notify: "" })
    expect(await newest()).toEqual([])
  }
})

test("what a type does not have is left behind, and two fields of one label get two names", async () => {
  await using form = await madeForm()
  const path = `${form.path}/settings`
  const shown = formIn((await form.client.get(path)).text, path)
  const field = (index: number, values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`fields.${index}.${name}`, value]))
  const saved = await form.client.post(path, {
    ...shown,
    field_count: "3",
    ...field(0, {
      label: "Ville",
      name: "",
      type: "date",
      placeholder: "Paris",
      options: "a\nb",
      help: "Aide",
    }),
    ...field(1, { label: "Ville", name: "", type: "hidden", help: "Personne ne la voit" }),
    ...field(2, { label: "Jours", name: "", type: "checkboxes", options: "l = lundi, matin\nm" }),
  })
  expect(saved.status).toBe(303)
  expect((await form.api.get(`/api/v1/forms/${form.id}`)).body.fields).toEqual([
    { name: "ville", label: "Ville", type: "date", required: false, help: "Aide" },
    { name: "ville_2", label: "Ville", type: "hidden", required: false },
    {
      name: "jours",
      label: "Jours",
      type: "checkboxes",
      required: false,
      options: [
        { value: "l", label: "lundi, matin" },
        { value: "m", label: "m" },
      ],
    },
  ])
})

test("the preview shows what is typed as text, changes nothing and is a stranger's nowhere", async () => {
  await using form = await madeForm()
  const preview = form.path.replace(form.id, "preview")
  const draft = {
    name: "<b>x</b>",
    field_count: "1",
    "fields.0.label": "<i>y</i>",
    "fields.0.type": "nonsense",
  }
  const { status, text } = await form.client.post(preview, draft)
  expect(status).toBe(200)
  expect(text).toContain("&lt;b>x&lt;/b>")
  expect(text).toContain("&lt;i>y&lt;/i>")
  expect((await form.api.get("/api/v1/forms")).body.items).toHaveLength(1)
  expect((await form.client.post(preview, draft, { token: "wrong" })).status).toBe(403)
  const elsewhere = preview.replace(/projects\/\w+/, "projects/inconnu1")
  expect((await form.client.post(elsewhere, draft)).status).toBe(404)
  const viewer = await signedIn(form.service, "viewer")
  expect((await viewer.post(preview, draft)).status).toBe(403)
})
