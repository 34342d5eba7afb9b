import { afterAll, beforeAll } from "bun:test"
import { apiOf } from "./api.ts"
import { startBrowser } from "./browser.ts"
import { movableClock } from "./clock.ts"
import { foreign } from "./counter.ts"
import { freePort } from "./port.ts"
import { aService } from "./service-builder.ts"

/** Where a visitor meets a form that was made with our scripts. */
export const formPlaces = ["its own page", "a page of the site"] as const

/** A site, its service and a browser for the tests of a file, which fill in forms as visitors do. */
export function formVisits() {
  const clock = movableClock()
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(async () => {
    await opened.browser[Symbol.asyncDispose]()
    await opened.counter[Symbol.asyncDispose]()
  })
  return {
    clock,
    get browser() {
      return opened.browser
    },
    aForm: async (fields: object[], more: object = {}) => {
      const { api, counter } = opened
      const described = { project: counter.project.id, name: "Contact", hosted: true, fields, ...more }
      const form = (await api.post("/api/v1/forms", described)).body
      return {
        ...form,
        responses: async () => (await api.get(`/api/v1/forms/${form.id}/responses`)).body.items,
      }
    },
    /** Address of the form at the place, where a policy allows nothing but the service: no worker, no blob. */
    async addressAt(place: (typeof formPlaces)[number], form: { id: string; action: string }) {
      if (place === "its own page") return form.action
      const { api, counter } = opened
      const copied = (await api.get(`/api/v1/forms/${form.id}/html`)).body
      const { publicUrl } = counter.service.app.config
      const policy = `default-src 'none'; script-src ${publicUrl}; style-src ${publicUrl}; connect-src ${publicUrl}; form-action ${publicUrl}`
      const html = `<main><h1>Contact</h1>${copied}</main>`
      return counter.page(`/form-${form.id}`, html, { scripts: "", policy })
    },
    /** Opens the form in the panel of the assistant, after a question that the documentation does not answer. */
    async pageWithPanel(form: { id: string }, options: Parameters<typeof opened.browser.page>[1] = {}) {
      const { api, browser, counter } = opened
      const settings = `/api/v1/projects/${counter.project.id}/widget-settings`
      await api.patch(settings, { contact_form: form.id })
      const page = await browser.page(counter.page(`/panel-${form.id}`), options)
      await page.getByRole("button", { name: "Poser une question" }).click()
      await page.getByLabel("Votre question").fill(foreign)
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Nous écrire" }).click()
      return page
    },
  }

  async function open() {
    // The address that the scripts are of is told beforehand.
    const settings = { GUICHET_PORT: String(await freePort()) }
    const [counter, browser] = await Promise.all([
      aService().withSettings(settings).withClock(clock).withWebsite().started(),
      startBrowser(),
    ])
    return { counter, browser, api: await apiOf(counter.service) }
  }
}
