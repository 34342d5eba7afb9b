import { afterAll, beforeAll, expect, test } from "bun:test"
import { hourMs } from "../../../src/base/clock.ts"
import { solve, type Work } from "../../../src/widget/proof/solve.ts"
import { movableClock } from "../../support/clock.ts"
import { type FormSite, publicUrl, site } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"

// A form may want work from the browser that sends it.

let forms: FormSite
const clock = movableClock()
beforeAll(async () => {
  forms = await aService().withClock(clock).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const fields = [{ name: "nom", label: "Nom", type: "text", required: true }]
const aForm = () => forms.form({ fields, proof_of_work: true, hosted: true })

interface Started extends Work {
  parameters: Work["parameters"] & { data: { until: number } }
}

async function proofFor({ publicId }: { publicId: string }, change: (work: Started) => void = () => {}) {
  const { proof } = (await (await fetch(`${forms.url}/f/${publicId}/start`)).json()) as { proof: Started }
  const solution = await solve(proof)
  change(proof)
  return JSON.stringify({ challenge: proof, solution })
}

const wrong =
  "La vérification faite par votre navigateur n’est pas valable, ou ne l’est plus. Envoyez de nouveau\u00a0: elle sera refaite."
/** For a page whose script is older than the proof. */
const olderPage = (publicId: string) =>
  `Cette page du site n’est pas à jour, et ne peut pas envoyer ce formulaire. Remplissez-le sur sa propre page\u00a0: ${publicUrl}/f/${publicId}`
const missing =
  "Ce formulaire demande JavaScript\u00a0: activez-le puis envoyez de nouveau, ou écrivez-nous autrement. Rien n’est perdu."

test("a post with a proof is taken, and the same one again is the same response", async () => {
  const form = await aForm()
  const values = { nom: "Camille", guichet_key: "k1", guichet_proof: await proofFor(form) }
  const first = await form.json(values)
  expect(first.status).toBe(201)
  expect((await form.json(values)).body.id).toBe(first.body.id)
  expect(await form.responses()).toHaveLength(1)
})

test("a proof is good for one response, also of posts that come at once", async () => {
  const form = await aForm()
  const guichet_proof = await proofFor(form)
  const posts = ["a", "b", "c", "d"].map((nom) => form.json({ nom, guichet_proof }))
  const answers = await Promise.all(posts)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
  const refused = answers.filter(({ status }) => status === 400).map(({ body }) => body.error.message)
  expect(new Set(refused)).toEqual(new Set([wrong]))
  expect(await form.responses()).toHaveLength(1)
})

test("a post without a proof is refused, after the faults of its fields, and keeps what was typed", async () => {
  const form = await aForm()
  expect((await form.json({ nom: "" })).body.error.fields).toEqual({ nom: "Remplissez ce champ." })
  expect((await form.json({ nom: "Camille" })).body.error.message).toBe(olderPage(form.publicId))
  const shown = await form.browser({ nom: "Camille" })
  expect(shown.status).toBe(400)
  const html = JSON.stringify(shown)
  expect(html).toContain(missing)
  expect(html).toContain("Camille")
  expect(html).toContain(`${publicUrl}/proof.js`)
  expect(await form.responses()).toHaveLength(0)
})

test("a forged, foreign, unfinished or misshapen proof is refused", async () => {
  const form = await aForm()
  const other = await aForm()
  const right = JSON.parse(await proofFor(form))
  const { counter, derivedKey } = right.solution
  const forged = [
    await proofFor(other),
    await proofFor(form, (work) => {
      work.parameters.data.until += hourMs
    }),
    await proofFor(form, (work) => {
      work.parameters.keyPrefix = "00"
    }),
    JSON.stringify({ ...right, solution: { counter: counter + 1, derivedKey } }),
    JSON.stringify({ ...right, solution: { counter, derivedKey: "abc" } }),
    JSON.stringify({ ...right, challenge: { ...right.challenge, signature: "abc" } }),
    JSON.stringify({ challenge: right.challenge }),
    JSON.stringify({ ...right, more: "x".repeat(2000) }),
    "{",
    "null",
    "[]",
  ]
  for (const guichet_proof of forged)
    expect((await form.json({ nom: "Camille", guichet_proof })).body.error?.message).toBe(wrong)
  expect((await form.json({ nom: "Camille", guichet_proof: JSON.stringify(right) })).status).toBe(201)
})

test("a proof is good for an hour", async () => {
  const form = await aForm()
  const [early, late] = [await proofFor(form), await proofFor(form)]
  clock.move(hourMs)
  expect((await form.json({ nom: "Camille", guichet_proof: early })).status).toBe(201)
  clock.move(1)
  expect((await form.json({ nom: "Camille", guichet_proof: late })).body.error.message).toBe(wrong)
})

test("the panel of a script that makes no proof is told where the form can be sent", async () => {
  const form = await aForm()
  const project = `/api/v1/projects/${forms.projectId}`
  await forms.api.patch(`${project}/widget-settings`, { contact_form: form.id })
  const html = async (query = "") => {
    const reply = await fetch(`${forms.url}${project}/contact${query}`, { headers: { origin: site } })
    return (await reply.json()).html
  }
  expect(await html("?proves=yes")).toContain('name="guichet_proof"')
  const instead = await html()
  expect(instead).toStartWith("<form")
  expect(instead).toContain("Ce formulaire se remplit sur sa propre page.")
  expect(instead).toContain(`href="${publicUrl}/f/${form.publicId}"`)
  expect(instead).not.toContain('name="nom"')
  await forms.api.patch(`/api/v1/forms/${form.id}`, { hosted: false })
  expect(await html()).toContain("Rechargez-la\u202f; si rien ne change, écrivez-nous autrement.")
  const sent = await form.json({ nom: "Camille" })
  expect(sent.body.error.message).toContain("Rechargez-la et envoyez de nouveau")
  await forms.api.patch(`/api/v1/forms/${form.id}`, { proof_of_work: false })
  expect(await html()).toContain('name="nom"')
})

test("it is off unless the owner asks for it, and then nothing of it is there", async () => {
  const form = await forms.form({ fields, hosted: true })
  expect((await form.json({ nom: "Camille" })).status).toBe(201)
  const start = await (await fetch(`${forms.url}/f/${form.publicId}/start`)).json()
  expect(start).not.toHaveProperty("proof")
  const page = await (await fetch(`${forms.url}/f/${form.publicId}`)).text()
  expect(page).not.toContain("guichet_proof")
  expect(page).not.toContain("proof.js")
})
