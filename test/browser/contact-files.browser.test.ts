import { afterAll, beforeAll, expect, test } from "bun:test"
import { secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { type Counter, foreign } from "../support/counter.ts"
import { contents } from "../support/files.ts"
import { aService } from "../support/service-builder.ts"

describeInBrowser("« Nous écrire » with a file", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  const clock = movableClock()
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([
      aService().withClock(clock).withWebsite().started(),
      startBrowser(),
    ])
    api = await apiOf(counter.service)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  test("the form in the panel takes it, as the form's own page does", async () => {
    const fields = [
      { name: "message", label: "Votre message", type: "textarea" },
      { name: "capture", label: "Une capture", type: "file" },
    ]
    const project = counter.project.id
    const { id } = (await api.post("/api/v1/forms", { project, name: "Aide", fields })).body
    await api.patch(`/api/v1/projects/${project}/widget-settings`, { contact_form: id })
    await using page = await browser.page(counter.page("/contact-file"), {})
    await page.getByRole("button", { name: "Poser une question" }).click()
    clock.move(10 * secondMs)
    await page.getByLabel("Votre question").fill(foreign)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Nous écrire" }).click()
    const section = page.getByRole("region", { name: "Nous écrire" })
    const file = { name: "cv.png", mimeType: "image/png" }
    await section.getByLabel("Une capture").setInputFiles({ ...file, buffer: contents.exe })
    await section.getByRole("button", { name: "Envoyer" }).click()
    await section.getByText("n’est pas d’un type accepté ici").waitFor()
    await section.getByLabel("Une capture").setInputFiles({ ...file, buffer: contents.png })
    await section.getByRole("button", { name: "Envoyer" }).click()
    await section.getByText("Votre message a bien été envoyé").waitFor()
    const { items } = (await api.get(`/api/v1/forms/${id}/responses`)).body
    expect(items).toMatchObject([
      { values: { message: foreign }, files: [{ name: "cv.png", media_type: "image/png" }] },
    ])
  })
})
