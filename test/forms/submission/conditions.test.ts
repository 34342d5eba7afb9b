import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Field, maxFields } from "../../../src/forms/definition/field.ts"
import { hiddenFields, maxConditions } from "../../../src/forms/definition/when.ts"
import { type FormSite, publicUrl } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"

// A field is shown, and required, only when others have some values.

let forms: FormSite
beforeAll(async () => {
  forms = await aService().withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const options = ["devis", "panne", "autre"].map((value) => ({ value, label: value.toUpperCase() }))
const when = (field: string, test: string, ...values: string[]) => ({
  match: "all",
  conditions: [{ field, test, values }],
})
const fields = [
  { name: "objet", label: "Objet", type: "select", required: true, options },
  { name: "jours", label: "Jours", type: "checkboxes", options },
  { name: "pro", label: "Professionnel", type: "checkbox" },
  {
    name: "budget",
    label: "Budget",
    type: "number",
    required: true,
    when: when("objet", "is", "devis", "autre"),
  },
  { name: "detail", label: "Détail", type: "text", required: true, when: when("budget", "filled") },
  { name: "siret", label: "SIRET", type: "text", when: when("pro", "is", "oui") },
  { name: "panne", label: "Panne", type: "text", when: when("jours", "is_not", "devis") },
]

test("what is not shown is neither required, judged, stored nor sent", async () => {
  const form = await forms.form({ fields })
  expect((await form.json({ objet: "panne", budget: "beaucoup", detail: "x", siret: "1" })).status).toBe(201)
  const [stored] = await form.responses()
  expect(stored.values).toEqual({
    objet: "panne",
    jours: "",
    pro: "",
    budget: "",
    // Its condition is on a field that has a value only where it is shown.
    detail: "",
    siret: "",
    panne: "",
  })
})

test("what is shown is required and kept, whichever way the form is sent", async () => {
  const form = await forms.form({ fields })
  const missing = await form.json({ objet: "devis" })
  expect(missing.body.error.fields).toEqual({ budget: "Remplissez ce champ." })
  expect((await form.json({ objet: "autre", budget: "12" })).body.error.fields).toEqual({
    detail: "Remplissez ce champ.",
  })
  const values = {
    objet: "autre",
    budget: "12",
    detail: "x",
    pro: "oui",
    siret: "1",
    jours: "panne",
    panne: "p",
  }
  expect((await form.json({ ...values, jours: ["panne", "devis"] })).status).toBe(201)
  expect((await form.browser(values)).status).toBe(303)
  const [sent, listed] = await form.responses()
  expect(sent.values).toEqual(values)
  expect(listed.values).toEqual({ ...values, jours: "devis, panne", panne: "" })
})

test("all of the conditions have to be met, or any of them", async () => {
  const conditions = [
    { field: "objet", test: "is", values: ["devis"] },
    { field: "pro", test: "filled" },
  ]
  for (const [match, expected] of [
    ["all", [400, 201, 201]],
    ["any", [400, 400, 201]],
  ] as const) {
    const last = { name: "b", label: "B", type: "text", required: true, when: { match, conditions } }
    const form = await forms.form({ fields: [...fields.slice(0, 3), last] })
    const told = []
    for (const more of [{ pro: "oui" }, {}]) told.push((await form.json({ objet: "devis", ...more })).status)
    told.push((await form.json({ objet: "autre" })).status)
    expect(told).toEqual([...expected])
  }
})

test("the value that many conditions ask about is taken apart once", () => {
  const conditions = Array.from({ length: maxConditions }, () => ({
    field: "jours",
    test: "is" as const,
    values: ["jamais"],
  }))
  const asking = Array.from({ length: maxFields - 1 }, (_, at) => ({
    name: `f${at}`,
    when: { match: "any" as const, conditions },
  }))
  let reads = 0
  const values = {
    get jours() {
      reads++
      return "devis, panne"
    },
  }
  const plain: Field = { name: "jours", label: "F", required: false, options: [], type: "checkboxes" }
  const hidden = hiddenFields([plain, ...asking.map((each) => ({ ...plain, ...each }))], values)
  expect({ reads, hidden: hidden.size }).toEqual({ reads: 1, hidden: asking.length })
})

test("a field that is named as what every object has is empty until it is filled in", async () => {
  const named = [
    { name: "constructor", label: "Constructeur", type: "text" },
    { name: "suite", label: "Suite", type: "text", when: when("constructor", "filled") },
  ]
  const form = await forms.form({ fields: named, hosted: true })
  expect((await fetch(`${forms.service.url}/f/${form.publicId}`)).status).toBe(200)
})

test("a condition that cannot be judged is refused, and names its field", async () => {
  const refused = async (...described: object[]) => {
    const made = await forms.api.post("/api/v1/forms", {
      project: forms.projectId,
      name: "F",
      fields: described,
    })
    expect(made.status).toBe(400)
    return made.body.error.fields
  }
  const [objet, jours, pro] = fields as [object, object, object]
  const asks = (when: object) => ({ name: "x", label: "Suite", type: "text", when })
  const path = "fields.1.when.conditions.0"
  expect((await refused(objet, asks(when("parti", "filled"))))[`${path}.field`]).toContain(
    "«\u00a0parti\u00a0»",
  )
  expect((await refused(asks(when("x", "filled"))))["fields.0.when.conditions.0.field"]).toContain(
    "«\u00a0Suite\u00a0»",
  )
  expect((await refused(asks(when("objet", "filled")), objet))["fields.0.when.conditions.0.field"]).toContain(
    "«\u00a0Objet\u00a0»",
  )
  const text = { name: "texte", label: "Lisez", type: "paragraph" }
  expect((await refused(text, asks(when("texte", "filled"))))[`${path}.field`]).toContain(
    "«\u00a0texte\u00a0»",
  )
  expect((await refused(jours, asks(when("jours", "is", "dimanche"))))[`${path}.values`]).toContain(
    "n’a pas le choix «\u00a0dimanche\u00a0»",
  )
  expect((await refused(pro, asks(when("pro", "is", "non"))))[`${path}.values`]).toContain(
    "«\u00a0non\u00a0»",
  )
  for (const wrong of [when("objet", "is"), when("objet", "filled", "devis")])
    expect(Object.keys(await refused(objet, asks(wrong)))).toEqual([`${path}.values`])
  expect(Object.keys(await refused(objet, asks({ match: "all", conditions: [] })))).toEqual([
    "fields.1.when.conditions",
  ])
  const many = Array.from({ length: 6 }, () => ({ field: "objet", test: "filled" }))
  expect(Object.keys(await refused(objet, asks({ match: "any", conditions: many })))).toEqual([
    "fields.1.when.conditions",
  ])
  for (const broken of [
    { match: "none", conditions: [{}] },
    { match: "all", conditions: [1, null] },
    [],
    "x",
  ])
    expect(Object.keys(await refused(objet, asks(broken as object))).join()).toContain("fields.1.when")
})

test("a condition stays as it was described, and null takes it away", async () => {
  const form = await forms.form({ fields })
  const shown = (await forms.api.get(`/api/v1/forms/${form.id}`)).body.fields
  expect(shown[3].when).toEqual(fields[3]?.when)
  expect((await forms.api.patch(`/api/v1/forms/${form.id}`, { fields: shown })).body.fields).toEqual(shown)
  const without = shown.map((field: object) => ({ ...field, when: null }))
  expect(
    JSON.stringify((await forms.api.patch(`/api/v1/forms/${form.id}`, { fields: without })).body),
  ).not.toContain('"when"')
})

test("the response's address is that of the address field that is shown", async () => {
  const two = [
    { name: "pro", label: "Pro", type: "checkbox" },
    { name: "bureau", label: "Bureau", type: "email", when: when("pro", "filled") },
    { name: "perso", label: "Perso", type: "email", when: when("pro", "is_not", "oui") },
  ]
  const form = await forms.form({ fields: two })
  await form.json({ bureau: "b@exemple.fr", perso: "p@exemple.fr" })
  await form.json({ pro: "oui", bureau: "b@exemple.fr", perso: "p@exemple.fr" })
  expect((await form.responses()).map(({ email }) => email)).toEqual(["b@exemple.fr", "p@exemple.fr"])
})

test("a page without a script shows every field, says when to fill it in, and gives back what was typed", async () => {
  const form = await forms.form({ fields, hosted: true })
  const address = `${publicUrl}/f/${form.publicId}`
  const page = await (await fetch(`${forms.url}/f/${form.publicId}`)).text()
  expect(page).toContain("Seulement si «\u00a0Objet\u00a0» est «\u00a0DEVIS\u00a0» ou «\u00a0AUTRE\u00a0».")
  expect(page).toContain("Seulement si «\u00a0Professionnel\u00a0» est coché.")
  expect(page).toContain("Seulement si «\u00a0Jours\u00a0» n’est pas «\u00a0DEVIS\u00a0».")
  expect(page).toContain(`<script src="${publicUrl}/conditions.js" defer`)
  // The browser must not ask for it.
  expect(page).toMatch(/name="budget"[^>]* aria-required/)
  expect(page).not.toMatch(/name="budget"[^>]* required/)
  const again = await form.browser(
    { objet: "", budget: "12", page: address },
    { origin: publicUrl, referer: address },
  )
  expect([again.status, again.body.match(/name="budget"[^>]* value="12"/) !== null]).toEqual([400, true])
  const html = (await forms.api.get(`/api/v1/forms/${form.id}/html`)).body
  expect(html).toContain(`<script src="${publicUrl}/conditions.js" defer></script>`)
  const plain = await forms.form({ hosted: true })
  expect(await (await fetch(`${forms.url}/f/${plain.publicId}`)).text()).not.toContain("conditions.js")
})
