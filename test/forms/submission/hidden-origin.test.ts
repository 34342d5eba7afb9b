import { afterAll, beforeAll, expect, test } from "bun:test"
import { type FormSite, type MadeForm, publicUrl, site } from "../../support/forms.ts"
import { formIn } from "../../support/page-form.ts"
import { aService } from "../../support/service-builder.ts"

// A page with `Referrer-Policy: no-referrer` or `same-origin` sends `Origin: null` with a plain form post.

const other = "https://boutique.exemple.fr"
const hidden = { origin: "null" }
let forms: FormSite

type Inputs = Partial<Record<"page" | "guichet_site" | "guichet_key", string>>

beforeAll(async () => {
  forms = await aService().withForms().started()
  await forms.api.patch(`/api/v1/projects/${forms.projectId}`, { origins: [other] })
})
afterAll(() => forms[Symbol.asyncDispose]())

/** The hidden inputs of the HTML to copy, as a browser sends them. */
async function copied({ id, publicId }: MadeForm, query = "") {
  const { body } = await forms.api.get(`/api/v1/forms/${id}/html${query}`)
  const { page, guichet_site = "" } = formIn(body, `${publicUrl}/f/${publicId}`) as Inputs
  return { ...(page && { page }), guichet_site }
}
const pageOf = (address: string) => `?page=${encodeURIComponent(address)}`

test("is accepted from copied HTML, and the page is the site that it was made for", async () => {
  const form = await forms.form()
  expect((await form.browser({ nom: "A", ...(await copied(form)) }, hidden)).status).toBe(303)
  const onPage = await copied(form, pageOf(`${other}/contact`))
  expect((await form.browser({ nom: "B", ...onPage }, hidden)).status).toBe(303)
  // A page of another site than the one that signed for is nobody's word.
  const moved = { ...onPage, page: `${site}/ailleurs` }
  expect((await form.browser({ nom: "C", ...moved }, hidden)).status).toBe(303)
  const pages = (await form.responses()).map(({ values, page }) => [values.nom, page])
  expect(pages).toEqual([
    ["C", `${other}/`],
    ["B", `${other}/contact`],
    ["A", `${site}/`],
  ])
})

test("a value of another form or of a site that was not signed is worthless", async () => {
  const form = await forms.form()
  const { guichet_site = "" } = await copied(form)
  const [, proof] = guichet_site.split(" ")
  const values = [
    (await copied(await forms.form())).guichet_site,
    `${other} ${proof}`,
    `${guichet_site}x`,
    `${site} `,
    site,
    "",
  ]
  for (const value of values) {
    const { status, body } = await form.json({ nom: "A", guichet_site: value }, hidden)
    expect([value, status, body.error.code]).toEqual([value, 403, "origin_not_allowed"])
  }
  // It stands for a hidden origin, never for another one, nor for none.
  expect((await form.json({ nom: "A", guichet_site }, { origin: "https://ailleurs.fr" })).status).toBe(403)
  expect((await form.send({ body: new URLSearchParams({ nom: "A", guichet_site }) })).status).toBe(403)
  expect(await form.responses()).toEqual([])
})

test("ends with the declaration of its site", async () => {
  const form = await forms.form()
  const onPage = await copied(form, pageOf(`${other}/contact`))
  const origins = (list: string[]) =>
    forms.api.patch(`/api/v1/projects/${forms.projectId}`, { origins: list })
  await origins([])
  expect((await form.browser({ nom: "A", ...onPage }, hidden)).status).toBe(403)
  await origins([other])
  expect((await form.browser({ nom: "A", ...onPage }, hidden)).status).toBe(303)
})

test("without it, the reply keeps what was typed, says why, and cannot be sent from there", async () => {
  const form = await forms.form()
  const typed = { nom: "Camille", message: "Un long texte", guichet_site: "faux", page: `${site}/contact` }
  const refused = await form.browser(typed, hidden)
  expect(refused.status).toBe(403)
  expect(refused.body).toContain(`value="Camille"`)
  expect(refused.body).toContain("Un long texte</textarea>")
  expect(refused.body).toContain("Referrer-Policy")
  expect(refused.body).not.toContain("guichet_again")
  expect(refused.body).not.toContain("<button")
  expect((await form.json(typed, hidden)).body.error.message).toContain("Referrer-Policy")
  expect(await form.responses()).toEqual([])
})

test("what is corrected on the page that shows the form again is sent, whatever its own origin", async () => {
  const form = await forms.form()
  const shown = await form.browser({ nom: "", message: "Bonjour", ...(await copied(form)) }, hidden)
  expect(shown.status).toBe(400)
  const inputs = [...String(shown.body).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const kept = Object.fromEntries(inputs.map(([, name, value]) => [name, value]))
  for (const origin of [publicUrl, "null"])
    expect((await form.browser({ ...kept, nom: origin, message: "Bonjour" }, { origin })).status).toBe(303)
  expect((await form.responses()).map(({ page }) => page)).toEqual([`${site}/`, `${site}/`])
})

test("a form's own page is sent behind a proxy that hides its origin", async () => {
  const form = await forms.form({ hosted: true })
  const own = `${publicUrl}/f/${form.publicId}`
  const page = await (await fetch(`${forms.service.url}/f/${form.publicId}`)).text()
  const { guichet_site, guichet_key } = formIn(page, own) as Record<keyof Inputs, string>
  const posted = { nom: "A", page: own, guichet_site, guichet_key }
  forms.clock.move(10_000)
  expect((await form.browser(posted, hidden)).status).toBe(303)
  expect((await form.responses())[0].page).toBe(own)
  await forms.api.patch(`/api/v1/forms/${form.id}`, { hosted: false })
  expect((await form.browser({ ...posted, nom: "B" }, hidden)).status).toBe(403)
})

test("opens no limit", async () => {
  await using few = await aService()
    .withSettings({ GUICHET_FORM_PER_VISITOR_MINUTE: "2" })
    .withForms()
    .started()
  const form = await few.form()
  const { body } = await few.api.get(`/api/v1/forms/${form.id}/html`)
  const { guichet_site = "" } = formIn(body, `${publicUrl}/f/${form.publicId}`) as Inputs
  for (const nom of ["A", "B", "C"]) await form.browser({ nom, guichet_site }, hidden)
  expect([(await form.responses()).length, (await form.responses("state=unwanted")).length]).toEqual([2, 1])
})
