import { afterAll, beforeAll, expect, test } from "bun:test"
import { answered, contact, type FormSite, publicUrl, site } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"

let forms: FormSite
beforeAll(async () => {
  forms = await aService().withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const pageOf = (publicId: string, path = "") => answered(`${forms.service.url}/f/${publicId}${path}`)
/** As a browser sends it from the form's own page. */
const fromPage = (publicId: string) => ({ origin: publicUrl, referer: `${publicUrl}/f/${publicId}` })

test("a field for pictures offers the camera of a phone, and the photos already taken", async () => {
  const file = { name: "a", label: "A", type: "file" }
  const offered = async (accept: string[]) => {
    const form = await forms.form({ hosted: true, fields: [{ ...file, accept }] })
    return /<input type="file" accept="([^"]*)"(?![^>]* capture)/.exec(
      (await pageOf(form.publicId)).body,
    )?.[1]
  }
  expect(await offered(["pdf", "image"])).toMatch(/^\.pdf,\.jpg,.*,\.heic,.*,image\/\*$/)
  expect(await offered(["pdf"])).toBe(".pdf")
})

test("a form has a page of its own while its owner wants one", async () => {
  const form = await forms.form({ hosted: true, button: "Demander un devis", thanks: "À bientôt.\nL’équipe" })
  const shown = await pageOf(form.publicId)
  expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "private, no-cache"])
  expect(shown.body).toContain("<h1>Contact</h1>")
  expect(shown.body).toContain(`href="${site}" target="_top">Site</a>`)
  expect(shown.body).toContain(`<button type="submit">Demander un devis</button>`)
  expect(shown.body).toContain(`action="${publicUrl}/f/${form.publicId}"`)
  const hidden = Object.fromEntries(
    [...String(shown.body).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  )
  forms.clock.move(10_000)
  const sent = await form.browser({ ...hidden, nom: "Camille" }, fromPage(form.publicId))
  expect([sent.status, sent.headers.get("location")]).toEqual([303, `${form.publicId}/thanks`])
  const [response] = await form.responses()
  expect([response.page, response.values.nom]).toEqual([`${publicUrl}/f/${form.publicId}`, "Camille"])
  const thanks = await pageOf(form.publicId, "/thanks")
  expect(thanks.body).toContain("À bientôt.\nL’équipe")

  await forms.api.patch(`/api/v1/forms/${form.id}`, { hosted: false })
  const gone = await pageOf(form.publicId)
  expect([gone.status, gone.body.includes("<form")]).toEqual([404, false])
  const refused = await form.browser({ ...hidden, nom: "Sacha" }, fromPage(form.publicId))
  expect(refused.status).toBe(403)
  expect((await form.json({ nom: "Sacha" }, { origin: publicUrl })).status).toBe(403)
  expect(await form.responses()).toHaveLength(1)
})

test("the page's address is a declared one for this form alone", async () => {
  const hosted = await forms.form({ hosted: true })
  const other = await forms.form()
  const referer = `${publicUrl}/f/${hosted.publicId}`
  expect((await other.browser({ nom: "Camille" }, { origin: publicUrl, referer })).status).toBe(403)
  const page = `${publicUrl}/f/${hosted.publicId}`
  await other.json({ nom: "Camille", page })
  expect((await other.responses())[0].page).toBe(`${site}/`)
  // Whatever else a post from our own address says of its page.
  await hosted.json({ nom: "Camille", page: "https://ailleurs.fr/x" }, { origin: publicUrl })
  expect((await hosted.responses())[0].page).toBe(page)
})

test("a form that came back with problems keeps the page that it came from, its own one included", async () => {
  const form = await forms.form({ hosted: true })
  const own = `${publicUrl}/f/${form.publicId}`
  const shown = await form.browser({ nom: "", page: own }, fromPage(form.publicId))
  expect(shown.status).toBe(400)
  const [, again = ""] = /name="guichet_again" value="([^"]+)"/.exec(shown.body) ?? []
  const typed = { nom: "Camille", page: own, guichet_again: again }
  await forms.api.patch(`/api/v1/forms/${form.id}`, { hosted: false })
  expect((await form.browser(typed, fromPage(form.publicId))).status).toBe(403)
  await forms.api.patch(`/api/v1/forms/${form.id}`, { hosted: true })
  expect((await form.browser(typed, fromPage(form.publicId))).status).toBe(303)
  expect((await form.responses()).map(({ page }) => page)).toEqual([own])
})

test("only pages of the project's addresses show the page in a frame, and it loads nothing but our helper", async () => {
  const form = await forms.form({ hosted: true })
  const policy = (await pageOf(form.publicId)).headers.get("content-security-policy") ?? ""
  expect(policy).toContain(`frame-ancestors ${site};`)
  expect(policy).toContain(`default-src 'none'; style-src 'sha256-`)
  expect(policy).toContain(
    `script-src ${publicUrl}; connect-src ${publicUrl}; form-action 'self' ${publicUrl};`,
  )
  expect(policy).not.toContain("unsafe")
  const leading = await forms.form({ hosted: true, redirect_url: `${site}/merci` })
  expect((await pageOf(leading.publicId)).headers.get("content-security-policy")).toContain("http: https:;")
})

test("the form's page, its errors and its thanks have the colour of « Apparence », and readable text on it", async () => {
  const form = await forms.form({ hosted: true })
  const hashOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64")
  const settings = `/api/v1/projects/${forms.projectId}/widget-settings`
  for (const [color, text] of [
    ["#ffd54a", "#000000"],
    ["#5b2a86", "#ffffff"],
  ] as const) {
    expect((await forms.api.patch(settings, { color })).status).toBe(200)
    const shown = await pageOf(form.publicId)
    const retry = await form.browser({ nom: "" }, fromPage(form.publicId))
    for (const reply of [shown, retry, await pageOf(form.publicId, "/thanks")]) {
      const rules = `.guichet-form{--guichet-accent:${color};--guichet-on-accent:${text}}`
      expect(reply.body).toContain(`<style>${rules}</style>`)
      expect(reply.headers.get("content-security-policy")).toContain(` 'sha256-${hashOf(rules)}';`)
    }
  }
  await forms.api.patch(settings, { color: null })
  expect((await pageOf(form.publicId)).body).not.toContain("--guichet-on-accent:#")
})

test("required fields are marked, and help stands with its field", async () => {
  const form = await forms.form({
    hosted: true,
    fields: [
      {
        name: "nom",
        label: "Nom",
        type: "text",
        required: true,
        help: "Celui du contrat.",
        placeholder: "Durand",
      },
      {
        name: "jours",
        label: "Jours",
        type: "checkboxes",
        required: true,
        options: [{ value: "a", label: "A" }],
      },
      {
        name: "lieu",
        label: "Lieu",
        type: "select",
        placeholder: "Une ville",
        options: [{ value: "p", label: "Paris" }],
      },
    ],
  })
  const { body } = await pageOf(form.publicId)
  const id = `field-${form.publicId}-nom`
  expect(body).toContain(`<span class="guichet-help" id="${id}-help">Celui du contrat.</span>`)
  expect(body).toContain(`aria-describedby="${id}-help"`)
  expect(body).toContain(`placeholder="Durand"`)
  expect(body).toContain("<option value>Une ville</option>")
  expect(body).toContain("sont obligatoires")
  expect(body.match(/ required/g)).toHaveLength(1)
  expect(body.match(/class="guichet-required"/g)).toHaveLength(3)
  const optional = await forms.form({ hosted: true, fields: [{ name: "a", label: "A", type: "text" }] })
  expect((await pageOf(optional.publicId)).body).not.toContain("obligatoires")
})

test("several choices are one string, however a page sends them", async () => {
  const options = ["lundi", "mardi", "jeudi"].map((value) => ({ value, label: `Le ${value}, le matin` }))
  const form = await forms.form({ fields: [{ name: "jours", label: "Jours", type: "checkboxes", options }] })
  const parts = new FormData()
  for (const day of ["jeudi", "lundi"]) parts.append("jours", day)
  await form.browser([
    ["jours", "jeudi"],
    ["jours", "mardi"],
  ])
  await form.send({ headers: { origin: site }, body: parts })
  await form.json({ jours: ["mardi", "lundi"] })
  await form.json({ jours: "jeudi, mardi" })
  await form.json({ jours: [] })
  expect((await form.responses()).map(({ values }) => values.jours).reverse()).toEqual([
    "mardi, jeudi",
    "lundi, jeudi",
    "lundi, mardi",
    "mardi, jeudi",
    "",
  ])
  for (const jours of [["lundi", "samedi"], [["lundi"]], [{}], { a: 1 }, [null]])
    expect([jours, (await form.json({ jours })).status]).toEqual([jours, 400])
  const single = await forms.form()
  expect((await single.json({ nom: ["Camille"] })).status).toBe(400)
})

test("a value that could not be told from two is refused", async () => {
  const fields = (value: string) => [
    { name: "jours", label: "Jours", type: "checkboxes", options: [{ value, label: "lundi, mardi" }] },
  ]
  const project = forms.projectId
  const refused = await forms.api.post("/api/v1/forms", { project, ...contact, fields: fields("a, b") })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["fields.0.options"]])
  expect((await forms.api.post("/api/v1/forms", { project, ...contact, fields: fields("a b") })).status).toBe(
    201,
  )
})

test("what a form that came back had chosen is still chosen", async () => {
  const options = ["lundi", "mardi"].map((value) => ({ value, label: value }))
  const fields = [
    { name: "nom", label: "Nom", type: "text", required: true },
    { name: "jours", label: "Jours", type: "checkboxes", options },
  ]
  const form = await forms.form({ fields })
  const { body } = await form.browser([["jours", "mardi"]])
  const boxes = [...String(body).matchAll(/<input type="checkbox" value="(\w+)"( checked)?/g)]
  expect(boxes.map(([, value, checked]) => [value, checked !== undefined])).toEqual([
    ["lundi", false],
    ["mardi", true],
  ])
})

test("a script is told the owner's thanks, and a stranger's form stays unknown", async () => {
  const form = await forms.form({ thanks: "Merci beaucoup." })
  expect((await form.json({ nom: "Camille" })).body).toEqual({
    id: expect.stringMatching(/^resp_/),
    thanks: "Merci beaucoup.",
  })
  expect((await pageOf("inconnu")).status).toBe(404)
})
