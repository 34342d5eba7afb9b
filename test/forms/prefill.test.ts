import { afterAll, beforeAll, expect, test } from "bun:test"
import { answered, type FormSite, publicUrl } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"

// The address of a form's own page fills in its fields, where the owner wants that.

let forms: FormSite
beforeAll(async () => {
  forms = await aService().withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const option = (value: string) => ({ value, label: value.toUpperCase() })
const fields = [
  { name: "prenom", label: "Prénom", type: "text" },
  { name: "adresse", label: "Adresse", type: "email" },
  { name: "ville", label: "Ville", type: "select", options: [option("paris"), option("lyon")] },
  { name: "jours", label: "Jours", type: "checkboxes", options: [option("lundi"), option("mardi")] },
  { name: "accord", label: "Accord", type: "checkbox" },
  { name: "nombre", label: "Nombre", type: "number", max: 10 },
  { name: "message", label: "Message", type: "textarea" },
  { name: "origine", label: "Origine", type: "hidden" },
  { name: "piece", label: "Pièce", type: "file" },
]
const consent = { text: "J’accepte." }
const pageOf = async (publicId: string, query: string) =>
  String((await answered(`${forms.service.url}/f/${publicId}${query}`)).body)

test("by their variable names, with values that could have been typed, and only where the owner wants it", async () => {
  const query =
    "?prenom=Zo%C3%A9+%3Cb%3E&adresse=zoe@exemple.fr&ville=lyon&jours=mardi&jours=lundi&accord=oui&nombre=7&message=Bonjour%0A%C3%A0+tous"
  const form = await forms.form({ hosted: true, fields, consent })
  expect(await pageOf(form.publicId, query)).not.toContain("Zo")
  await forms.api.patch(`/api/v1/forms/${form.id}`, { prefill: true })
  const page = await pageOf(form.publicId, query)
  expect(page).toContain('value="Zoé &lt;b>"')
  expect(page).toContain('value="zoe@exemple.fr"')
  expect(page).toMatch(/<option value="lyon" selected/)
  expect(page.match(/<input type="checkbox" value="(?:lundi|mardi)" checked/g)).toHaveLength(2)
  // A box alone may ask for an agreement: it is never ticked by a link.
  expect(page).not.toMatch(/<input type="checkbox" value="oui" checked/)
  expect(page).toContain('value="7"')
  expect(page).toMatch(/>\nBonjour\nà tous<\/textarea>/)
  // It is sent to the address that it has without them, and the next visitor's is empty.
  expect(page).toContain(`action="${publicUrl}/f/${form.publicId}"`)
  expect(page).toContain(`name="page" value="${publicUrl}/f/${form.publicId}"`)
  expect(await pageOf(form.publicId, "")).not.toContain("Zoé")
})

test("never what the visitor does not see, a file or the consent, nor what would be refused", async () => {
  const form = await forms.form({ hosted: true, prefill: true, fields, consent })
  const page = await pageOf(
    form.publicId,
    `?origine=espion&piece=a.pdf&consent=on&guichet_trap=x&guichet_key=fixe&constructor=x&adresse=pas-une-adresse&ville=nice&nombre=99`,
  )
  for (const text of ["espion", "a.pdf", "fixe", "pas-une-adresse", "nice", 'value="99"'])
    expect(page, text).not.toContain(text)
  expect(page).not.toMatch(/ checked| selected/)
  expect(await pageOf(form.publicId, `?prenom=Zoé&message=${"x".repeat(9000)}`)).not.toContain("Zoé")
})

test("each such page counts as a post that stores nothing", async () => {
  await using own = await aService()
    .withSettings({ GUICHET_FORM_PER_VISITOR_MINUTE: "1" })
    .withForms()
    .started()
  const form = await own.form({ hosted: true, prefill: true, fields })
  const statusOf = async (query: string) =>
    (await answered(`${own.service.url}/f/${form.publicId}${query}`)).status
  const statuses: number[] = []
  for (let times = 0; times < 13; times++) statuses.push(await statusOf("?prenom=A"))
  expect(statuses).toEqual([...Array(12).fill(200), 429])
  expect(await statusOf("")).toBe(200)
})
