import { expect, test } from "bun:test"
import { autocompleteOf } from "../../src/forms/definition/autocomplete.ts"
import { aService } from "../support/service-builder.ts"

// Parts of a form that more than one face shows.

const numbers = [
  { name: "places", label: "Places", type: "number", min: 0.5, max: 9, integer: true },
  { name: "note", label: "Note", type: "number", integer: false },
]

test("a number may have to be whole; no other type has that rule", async () => {
  await using site = await aService().withForms().started()
  const form = await site.form({ fields: numbers, hosted: true })
  const shown = (await site.api.get(`/api/v1/forms/${form.id}`)).body.fields
  expect(shown.map(({ integer }: { integer?: boolean }) => integer)).toEqual([true, undefined])
  const refused = await form.json({ places: "2,5", note: "2,5" })
  expect(refused.body.error.fields).toEqual({ places: "Indiquez un nombre entier, sans virgule." })
  expect((await form.json({ places: "2", note: "2,5" })).status).toBe(201)
  expect((await form.json({ places: "12" })).body.error.fields.places).toContain("de 0,5 à 9")
  const page = await (await fetch(`${site.url}/f/${form.publicId}`)).text()
  // A browser counts its steps from the least value.
  expect(page).toMatch(/<input type="number" step="1" min="1" max="9" inputmode="numeric"/)
  const text = [{ name: "a", label: "A", type: "text", integer: true }]
  const wrong = await site.api.patch(`/api/v1/forms/${form.id}`, { fields: text })
  expect([wrong.status, Object.keys(wrong.body.error.fields)]).toEqual([400, ["fields.0.integer"]])
})

test("a text between the fields is shown and has no value anywhere", async () => {
  await using site = await aService().withForms().started()
  const text = { name: "avis", label: "Lisez bien.\nMerci <3", type: "paragraph" }
  const fields = [{ name: "nom", label: "Nom", type: "text" }, text]
  const form = await site.form({ fields, hosted: true })
  const shown = (await site.api.get(`/api/v1/forms/${form.id}`)).body.fields
  expect(shown[1]).toEqual({ ...text, required: false })
  // What a reply shows may be sent back.
  expect((await site.api.patch(`/api/v1/forms/${form.id}`, { fields: shown })).status).toBe(200)
  for (const path of [`/f/${form.publicId}`, `/api/v1/forms/${form.id}/html`]) {
    const html = (await site.api.get(path)).body
    expect(html).toMatch(/<input type="text"[\s\S]*<p class="guichet-text">Lisez bien.\nMerci &lt;3<\/p>/)
  }
  expect((await form.json({ nom: "Camille", avis: "x" })).status).toBe(201)
  expect((await form.responses())[0].values).toEqual({ nom: "Camille" })
  expect((await form.json({ avis: "x" })).status).toBe(400)
  const csv = await site.api.get(`/api/v1/forms/${form.id}/responses.csv`)
  expect(csv.body).not.toContain("Lisez")
  for (const wrong of [{ label: "x".repeat(2001) }, { help: "x" }, { options: [{ value: "a", label: "A" }] }])
    expect(
      (await site.api.patch(`/api/v1/forms/${form.id}`, { fields: [{ ...text, ...wrong }] })).status,
    ).toBe(400)
})

test("browsers are told what a field is by its type, and by its name where it is the visitor's", () => {
  const field = (label: string, type: "text" | "email" | "date" | "textarea" = "text") => ({
    name: "x",
    label,
    type,
  })
  const first = field("Votre prénom")
  const told = (label: string, type?: "text" | "email" | "date" | "textarea", others = [field("x")]) =>
    autocompleteOf(field(label, type), others)
  expect(told("Où écrire", "email")).toBe("email")
  expect([told("Votre nom"), told("Nom", "text", [first]), told("Prénom")]).toEqual([
    "name",
    "family-name",
    "given-name",
  ])
  expect([told("Adresse"), told("Adresse postale", "textarea")]).toEqual(["address-line1", "street-address"])
  expect([told("Code postal"), told("Commune :"), told("Date de naissance", "date")]).toEqual([
    "postal-code",
    "address-level2",
    "bday",
  ])
  for (const other of ["Nom du spectacle", "constructor", "Ville de départ"])
    expect([other, told(other)]).toEqual([other, undefined])
  expect(told("Date", "date")).toBeUndefined()
})
