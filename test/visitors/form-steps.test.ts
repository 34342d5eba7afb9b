import { afterAll, beforeAll, expect, test } from "bun:test"
import { answered, type FormSite, type MadeForm, publicUrl } from "../support/forms.ts"
import { formIn } from "../support/page-form.ts"
import { aService } from "../support/service-builder.ts"

// A form of several pages goes on and back by posts of its own page: nothing is stored before the last one.

let forms: FormSite
beforeAll(async () => {
  forms = await aService().withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const options = ["devis", "panne"].map((value) => ({ value, label: value }))
const ifDevis = { match: "all", conditions: [{ field: "objet", test: "is", values: ["devis"] }] }
const fields = [
  { name: "p1", label: "Votre demande", type: "page" },
  { name: "objet", label: "Objet", type: "select", required: true, options },
  { name: "jours", label: "Jours", type: "checkboxes", options },
  { name: "p2", label: "Votre budget", type: "page" },
  { name: "budget", label: "Budget", type: "number", required: true, when: ifDevis },
  { name: "p3", label: "Vous", type: "page" },
  { name: "nom", label: "Nom", type: "text", required: true },
]
const consent = { text: "D’accord." }

/** A visitor of the form's own page, without a script. */
async function visitor({ publicId, browser }: MadeForm) {
  const address = `${publicUrl}/f/${publicId}`
  let page = String((await answered(`${forms.url}/f/${publicId}`)).body)
  forms.clock.move(10_000)
  // A page that comes back is sent where it came from.
  const form = () =>
    page
      .replace(/(<form class="guichet-form") method/, `$1 action="${address}" method`)
      .replace(/(name="guichet_trap"[^>]*autocomplete="off")(?= *\/?>)/, `$1 value=""`)
  return {
    get page() {
      return page
    },
    shown: () => formIn(form(), address),
    progress: () => /Étape \d sur \d/.exec(page)?.[0],
    async press(go: "next" | "back" | "send", typed: Record<string, string> = {}) {
      const values = { ...formIn(form(), address), ...typed, ...(go !== "send" && { guichet_go: go }) }
      const reply = await browser(values, { origin: publicUrl, referer: address })
      page = String(reply.body)
      return reply.status
    },
  }
}

test("each step is a page with its title and progress; what was typed comes along, and back", async () => {
  const form = await forms.form({ fields, hosted: true, consent })
  const visit = await visitor(form)
  expect([visit.progress(), visit.page.includes("<h2>Votre demande</h2>")]).toEqual(["Étape 1 sur 2", true])
  expect(visit.page).not.toMatch(/name="nom"|name="consent"|value="back"/)
  expect(await visit.press("next", { objet: "devis", jours: "panne" })).toBe(200)
  expect([visit.progress(), visit.page.includes("<h2>Votre budget</h2>")]).toEqual(["Étape 2 sur 3", true])
  expect(visit.page).toContain("<title>Étape 2 sur 3 – Contact – Site</title>")
  // Its condition is met by the step before: it is a required field like any other.
  expect(visit.page).not.toContain("Seulement si")
  expect(visit.page).toMatch(/name="budget"[^>]* required/)
  // Going back judges nothing, and loses nothing.
  expect(await visit.press("back", { budget: "beaucoup" })).toBe(200)
  expect(visit.shown()).toMatchObject({ objet: "devis", budget: "beaucoup" })
  expect(visit.page).toMatch(/value="panne" checked/)
  await visit.press("next")
  expect(await visit.press("next")).toBe(400)
  // Nothing was being sent.
  expect(visit.page).toContain("Corrigez les champs indiqués, puis continuez.")
  expect(visit.page).not.toContain("n’a pas été envoyé")
  expect(visit.page).toContain("Indiquez un nombre en chiffres")
  expect(await visit.press("next", { budget: "12" })).toBe(200)
  expect(visit.progress()).toBe("Étape 3 sur 3")
  expect(await form.responses()).toEqual([])
  const [box = ""] = /name="consent" value="[^"]+"/.exec(visit.page) ?? []
  expect(await visit.press("send", { nom: "Camille", consent: box.slice(22, -1) })).toBe(303)
  const [stored] = await form.responses()
  expect(stored.values).toEqual({ objet: "devis", jours: "panne", budget: "12", nom: "Camille" })
  expect(stored.consent.status).toBe("confirmed")
})

test("a step of which nothing is shown is passed over, and what it held is not kept", async () => {
  const form = await forms.form({ fields, hosted: true })
  const visit = await visitor(form)
  await visit.press("next", { objet: "devis" })
  await visit.press("next", { budget: "12" })
  await visit.press("back")
  await visit.press("back")
  await visit.press("next", { objet: "panne" })
  expect([visit.progress(), visit.page.includes("<h2>Vous</h2>")]).toEqual(["Étape 2 sur 2", true])
  await visit.press("back")
  expect(visit.progress()).toBe("Étape 1 sur 2")
  await visit.press("next")
  expect(await visit.press("send", { nom: "Camille" })).toBe(303)
  expect((await form.responses())[0].values).toEqual({
    objet: "panne",
    jours: "",
    budget: "",
    nom: "Camille",
  })
})

test("a last step of which nothing is shown is where the form is sent from", async () => {
  const last = [...fields.slice(0, 3), fields[5] as object, { ...fields[4], name: "suite" }]
  const form = await forms.form({ fields: last, hosted: true })
  const visit = await visitor(form)
  await visit.press("next", { objet: "panne" })
  expect(visit.page).toContain("Il ne reste qu’à envoyer.")
  expect(await visit.press("send")).toBe(303)
})

test("the last post is judged as a whole, and leads to the step with the first fault", async () => {
  const form = await forms.form({ fields, hosted: true })
  const visit = await visitor(form)
  await visit.press("next", { objet: "devis" })
  await visit.press("next", { budget: "12" })
  expect(await visit.press("send", { nom: "Camille", budget: "x", objet: "rien" })).toBe(400)
  expect([visit.progress(), visit.page.includes("Choisissez parmi ce qui est proposé.")]).toEqual([
    "Étape 1 sur 2",
    true,
  ])
  expect(visit.shown()).toMatchObject({ nom: "Camille", budget: "x" })
  for (const guichet_step of ["-1", "99999", "x", "2"]) {
    const origin = { origin: publicUrl, referer: `${publicUrl}/f/${form.publicId}` }
    expect((await form.browser({ guichet_step, guichet_go: "next" }, origin)).status).toBe(400)
  }
  expect(await form.responses()).toEqual([])
})

test("honeypot, key and time are those of the first page, and the last post alone is counted and limited", async () => {
  const form = await forms.form({ fields, hosted: true, max_responses: 2 })
  const robot = await visitor(form)
  const { guichet_key, guichet_started } = robot.shown()
  await robot.press("next", { objet: "panne", guichet_trap: "x" })
  expect(robot.shown()).toMatchObject({ guichet_key, guichet_started, guichet_trap: "x" })
  expect(await robot.press("send", { nom: "Robot" })).toBe(303)
  expect((await form.responses("state=unwanted"))[0].values.nom).toBe("Robot")

  const twice = await visitor(form)
  await twice.press("next", { objet: "panne" })
  const last = twice.shown()
  const origin = { origin: publicUrl, referer: `${publicUrl}/f/${form.publicId}` }
  for (let time = 0; time < 2; time++)
    expect((await form.browser({ ...last, nom: "Camille" }, origin)).status).toBe(303)
  expect(await form.responses()).toHaveLength(1)

  const late = await visitor(form)
  expect((await form.json({ objet: "panne", nom: "Sacha" })).status).toBe(201)
  expect(await late.press("next", { objet: "panne" })).toBe(200)
  expect(await late.press("send", { nom: "Alix" })).toBe(409)
  expect([late.page.includes("Ce formulaire est complet"), late.shown()["nom"]]).toEqual([true, "Alix"])
})

test("a page of the site, and a program, send the whole form at once", async () => {
  const form = await forms.form({ fields, hosted: true })
  const html = String((await forms.api.get(`/api/v1/forms/${form.id}/html`)).body)
  expect(html).toContain("<strong>Votre budget</strong>")
  expect(html).not.toMatch(/guichet_step|guichet_go/)
  expect(
    (await form.json({ objet: "panne", nom: "Camille", guichet_step: "0", guichet_go: "next" })).status,
  ).toBe(201)
  const refused = await form.browser({ objet: "panne", nom: "" })
  expect(refused.body).toMatch(/name="objet"[\s\S]*name="nom"/)
  expect(refused.body).not.toContain("Étape")
})

test("files stand on the last page, and a page has no condition and no value", async () => {
  const page = { name: "p", label: "Suite", type: "page" }
  const put = async (fields: object[]) =>
    (await forms.api.post("/api/v1/forms", { project: forms.projectId, name: "F", fields })).body
  const file = { name: "plan", label: "Plan", type: "file" }
  expect(Object.keys((await put([file, page])).error.fields)).toEqual(["fields.0.type"])
  expect((await put([page, file])).id).toBeString()
  expect(Object.keys((await put([fields[1] as object, { ...page, when: ifDevis }])).error.fields)).toEqual([
    "fields.1.when",
  ])
  const asks = { ...fields[4], when: { match: "all", conditions: [{ field: "p", test: "filled" }] } }
  expect(Object.keys((await put([page, asks])).error.fields)).toEqual(["fields.1.when.conditions.0.field"])
})

test("several choices come along one by one, as the page's script reads them", async () => {
  const form = await forms.form({ fields, hosted: true })
  const address = `${publicUrl}/f/${form.publicId}`
  const { body } = await form.browser(
    [
      ...Object.entries({ page: address, guichet_step: "0", guichet_go: "next", objet: "devis" }),
      ["jours", "devis"],
      ["jours", "panne"],
    ],
    { origin: publicUrl, referer: address },
  )
  const carried = [...body.matchAll(/<input type="hidden" name="jours" value="(\w+)"/g)]
  expect(carried.map(([, value]) => value)).toEqual(["devis", "panne"])
})
