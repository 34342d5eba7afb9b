import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Api, apiOf } from "../support/api.ts"
import { origin, type Site } from "../support/ask.ts"
import { aService } from "../support/service-builder.ts"

// The look of the State: for its own sites, as their owner confirms, and loaded by nobody else.

let site: Site
let api: Api
let settings: string
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
  api = await apiOf(site.service)
  settings = `/api/v1/projects/${site.project.id}/widget-settings`
})
afterAll(() => site[Symbol.asyncDispose]())

const widget = async () =>
  (await site.send({ method: "GET", headers: { origin } }, `/api/v1/projects/${site.project.id}/widget`)).body
const sheet = async () => (await fetch(`${site.service.url}/form.css?project=${site.project.id}`)).text()

test("is refused, at the field to tick, to an owner who has not confirmed that the site is one of the State", async () => {
  for (const refused of [{ look: "dsfr" }, { look: "dsfr", state_site: false }])
    expect(await api.patch(settings, refused)).toMatchObject({
      status: 400,
      body: { error: { fields: { state_site: expect.stringContaining("réservé aux sites de l’État") } } },
    })
  expect((await api.patch(settings, { look: "marianne", state_site: true })).status).toBe(400)
  expect((await api.get(settings)).body).toMatchObject({ look: "guichet", state_site: false })
})

test("comes with the widget's settings, the sheet of forms and their pages where it is chosen, and is gone with it", async () => {
  const fields = [{ name: "nom", label: "Votre nom", type: "text" }]
  const form = { project: site.project.id, name: "Contact", fields, hosted: true }
  const page = `${site.service.url}/f/${(await api.post("/api/v1/forms", form)).body.public_id}`
  const usual = await sheet()
  const shown = async () => [(await widget()).style, await sheet(), await (await fetch(page)).text()]
  for (const text of await shown()) expect(text).not.toContain("#000091")
  await api.patch(settings, { look: "dsfr", state_site: true, color: "#ffe14d" })
  for (const text of await shown()) {
    expect(text).toContain("light-dark(#000091,#8585f6)")
    // Its colours stand in the place of the owner's.
    expect(text).not.toContain("#ffe14d")
    // Nothing of the State's that may not be handed on, and nothing from elsewhere.
    expect(text).not.toMatch(/@font-face|@import|url\(/)
  }
  // The confirmation concerns the owner and the service alone.
  expect(await widget()).not.toHaveProperty("state_site")
  expect((await api.patch(settings, { state_site: false })).status).toBe(400)
  await api.patch(settings, { look: "guichet", color: null })
  expect(await sheet()).toBe(usual)
  for (const text of await shown()) expect(text).not.toContain("#000091")
})
