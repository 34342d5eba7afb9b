import { expect, test } from "bun:test"
import { apiOf } from "../../support/api.ts"
import { signedIn } from "../../support/operator.ts"
import { formIn } from "../../support/page-form.ts"
import { aService } from "../../support/service-builder.ts"

const options = ["devis", "panne"].map((value) => ({ value, label: `Un ${value}` }))
const fields = [
  { name: "objet", label: "Objet", type: "select", required: false, options },
  { name: "pro", label: "Pro", type: "checkbox", required: false },
  {
    name: "budget",
    label: "Budget",
    type: "text",
    required: true,
    when: {
      match: "any",
      conditions: [
        { field: "objet", test: "is", values: ["devis", "panne"] },
        { field: "pro", test: "filled", values: [] },
      ],
    },
  },
]

async function aForm() {
  const service = await aService().started()
  const client = await signedIn(service)
  const api = await apiOf(service)
  const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body.id
  const { id } = (await api.post("/api/v1/forms", { project, name: "Devis", fields })).body
  const path = `/console/projects/${project}/forms/${id}/settings`
  const stored = async () => (await api.get(`/api/v1/forms/${id}`)).body.fields
  const press = async (intent: string, values: Record<string, string>) => {
    const { text } = await client.post(path, { ...values, intent })
    return { text, values: formIn(text, path) }
  }
  const shown = async () => formIn((await client.get(path)).text, path)
  return { client, path, stored, press, shown, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

test("the builder gives conditions back as they were", async () => {
  await using form = await aForm()
  expect((await form.client.post(form.path, { ...(await form.shown()), name: "Autrement" })).status).toBe(303)
  expect(await form.stored()).toEqual(fields)
})

test("a condition follows its field, whatever that is called and wherever it stands", async () => {
  await using form = await aForm()
  const moved = await form.press("down.0", await form.shown())
  const values = { ...moved.values, "fields.1.name": "sujet", "fields.1.label": "Sujet" }
  expect((await form.client.post(form.path, values)).status).toBe(303)
  const [first, second, third] = await form.stored()
  expect([first.name, second.name]).toEqual(["pro", "sujet"])
  expect(third.when.conditions.map(({ field }: { field: string }) => field)).toEqual(["sujet", "pro"])
})

test("a field gets a condition on a field that is new too, by the words of its choices", async () => {
  await using form = await aForm()
  const added = await form.press("add.radio", await form.shown())
  const named = { ...added.values, "fields.3.label": "Taille", "fields.3.options": "p = Petite\ng = Grande" }
  const last = await form.press("add", named)
  const asks = await form.press("condition.4", { ...last.values, "fields.4.label": "Précision" })
  expect(asks.text).toContain("Champ 5\u00a0: choisissez sa condition.")
  const key = asks.values["fields.3.key"] as string
  const condition = "fields.4.when.conditions.0."
  const values = { ...asks.values, [`${condition}field`]: key, [`${condition}values`]: "Grande" }
  expect((await form.client.post(form.path, values)).status).toBe(303)
  expect((await form.stored())[4]).toMatchObject({
    name: "precision",
    when: { match: "all", conditions: [{ field: "taille", test: "is", values: ["g"] }] },
  })
})

test("until a value is chosen, the preview leaves the condition open", async () => {
  await using form = await aForm()
  const asks = await form.press("condition.1", await form.shown())
  const asked = { "fields.1.when.conditions.0.field": asks.values["fields.0.key"] as string }
  const { text } = await form.press("preview", { ...asks.values, ...asked })
  expect(text).toContain("Seulement si «\u00a0Objet\u00a0» est ….")
})

test("a condition on a field that went, or that comes later, is refused by its name; the others stay in their order", async () => {
  await using form = await aForm()
  const without = await form.press("remove.0", await form.shown())
  const refused = await form.client.post(form.path, without.values)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("Cette condition porte sur le champ «\u00a0objet\u00a0», qui n’existe pas")
  expect(refused.text).toContain(`href="#fields.1.when.conditions.0.field"`)
  const later = await form.press("up.2", await form.shown())
  const above = await form.press("up.1", later.values)
  const told = await form.client.post(form.path, above.values)
  expect(told.text).toContain(
    "Cette condition porte sur le champ «\u00a0Objet\u00a0», qui ne vient pas avant",
  )
  // « Aucun » takes one out; the next one takes its place.
  const values = { ...without.values, "fields.1.when.conditions.0.field": "" }
  expect((await form.client.post(form.path, values)).status).toBe(303)
  expect((await form.stored())[1].when.conditions).toEqual([{ field: "pro", test: "filled", values: [] }])
})

test("choices ticked of one field are not those of another that a condition is about since", async () => {
  await using form = await aForm()
  const added = await form.press("add.select", await form.shown())
  const named = { ...added.values, "fields.3.label": "Lieu", "fields.3.options": "devis\nici" }
  const { values } = await form.press("up.3", named)
  const condition = "fields.3.when.conditions.0."
  const about = { ...values, [`${condition}field`]: values["fields.2.key"] as string }
  const refused = await form.client.post(form.path, about)
  expect([refused.status, formIn(refused.text, form.path)[`${condition}values.0`]]).toEqual([400, undefined])
  expect(refused.text).toContain(`name="${condition}values.1" value="ici"`)
  expect(refused.text).not.toContain('value="panne" checked')
  const chosen = { ...formIn(refused.text, form.path), [`${condition}values.1`]: "ici" }
  expect((await form.client.post(form.path, chosen)).status).toBe(303)
  expect((await form.stored())[3].when.conditions[0]).toEqual({ field: "lieu", test: "is", values: ["ici"] })
})
