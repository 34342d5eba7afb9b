import { afterAll, beforeAll, test } from "bun:test"
import { describeInEngines, type Engine, type EnginePage, startEngine } from "../support/engines.ts"
import { password, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// What an owner's first webhook takes works in each engine.

let service: Service
beforeAll(async () => {
  service = await aService().withSettings({ GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:9" }).started()
})
afterAll(() => service[Symbol.asyncDispose]())

describeInEngines("an owner's first webhook", (name) => {
  let engine: Engine
  let page: EnginePage
  beforeAll(async () => {
    engine = await startEngine(name)
    page = engine.page
  })
  afterAll(() => engine[Symbol.asyncDispose]())

  test("a refused sign-in, then a refused address, are said, corrected on the same page, and taken", async () => {
    const { email } = await signedIn(service)
    await page.goto(`${service.url}/console/sign-in?next=/console/webhooks`)
    await page.fill("[name=email]", email)
    await page.fill("[name=password]", "un autre mot de passe")
    await page.press("Enter")
    await page.reads("mot de passe")
    await page.until(() => document.querySelector("[role=alert], .problem") !== null)
    await page.fill("[name=password]", password)
    await page.press("Enter")
    await page.until(() => location.pathname === "/console/webhooks")
    await page.fill("#new [name=url], [name=url]", "http://hooks.acme.fr/in")
    await page.click({ is: "button", says: "Ajouter la destination" })
    await page.reads("L’URL doit commencer par https://")
    await page.fill("[name=url]", `https://hooks.acme.fr/${name}`)
    await page.click({ is: "button", says: "Ajouter la destination" })
    await page.reads("La destination est enregistrée.")
    await page.reads(`hooks.acme.fr/${name}`)
  })
})
