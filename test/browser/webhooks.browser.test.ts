import { afterAll, beforeAll, expect, test } from "bun:test"
import { hourMs } from "../../src/base/clock.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { signIn } from "../support/console-pages.ts"
import { aService } from "../support/service-builder.ts"
import { faultsOf } from "../support/sound.ts"
import type { Webhooks } from "../support/webhooks.ts"

describeInBrowser("webhooks in the console", () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  async function open(webhooks: Webhooks, options = {}): Promise<QuietPage> {
    const page = await browser.page("about:blank", options)
    await signIn(page, webhooks.service)
    return page
  }

  test("the test receiver is made with one click and shows what arrives while one looks", async () => {
    await using webhooks = await aService().withReceivers().started()
    await using page = await open(webhooks)
    await page.goto(`${webhooks.service.url}/console/webhooks`)
    await page.getByRole("button", { name: "Créer la boîte d’essai" }).click()
    await page.getByText("Rien n’est encore arrivé").waitFor()
    await webhooks.respond({ nom: "Zoé" })
    await page.getByText("signature juste").waitFor()
    await page.getByText('"nom": "Zoé"').waitFor()
    await page.getByLabel("Ce qu’elle répond").selectOption("error")
    await page.getByRole("button", { name: "Enregistrer" }).click()
    await page.getByText("La boîte d’essai répondra ainsi").waitFor()
    await page.getByRole("button", { name: "Envoyer un message d’essai" }).click()
    await page.getByText("500\u00a0: une erreur").last().waitFor()
    expect(page.problems).toEqual([])
  })

  test("without JavaScript, the code of a secret is chosen by tabs, and failures are replayed", async () => {
    let code = 500
    await using webhooks = await aService()
      .withReceivers([() => new Response("boum", { status: code })])
      .started()
    const { id } = await webhooks.endpoint()
    await webhooks.respond({ courriel: "zoe@exemple.fr" })
    await webhooks.settled()
    for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
    code = 200
    await using page = await open(webhooks, { javaScriptEnabled: false })
    await page.goto(`${webhooks.service.url}/console/webhooks`)
    await page.getByText("messages abandonnés").waitFor()
    await page.getByRole("link", { name: "Les rejouer" }).click()
    await page.getByText("qui peuvent repartir\u00a0: 1.").waitFor()
    await page.getByRole("button", { name: "Envoyer un message d’essai" }).click()
    await webhooks.settled()
    await page.reload()
    await page.getByText("Le message d’essai est passé").waitFor()
    await page.getByRole("button", { name: "Rejouer", exact: true }).click()
    await webhooks.settled()
    await page.reload()
    await page.getByText("La livraison est partie.").waitFor()
    await page.goto(`${webhooks.service.url}/console/webhooks/${id}`)
    await page.getByRole("button", { name: "Renouveler le secret" }).click()
    const secret = (await page.locator("figure code").first().textContent()) ?? ""
    expect(secret).toMatch(/^whsec_/)
    for (const [language, start] of [
      ["JavaScript", `const secret = "${secret}"`],
      ["Python", `SECRET = "${secret}"`],
      ["PHP", "<?php"],
      ["curl", `secret='${secret}'`],
    ] as const) {
      await page.locator(".code-tabs > label", { hasText: new RegExp(`^${language}$`) }).click()
      const shown = page.locator(".code-tabs > div").filter({ visible: true })
      expect(await shown.count()).toBe(1)
      expect(await shown.locator("code").textContent()).toContain(start)
    }
  })

  test.each([
    ["light", { colorScheme: "light", viewport: { width: 1280, height: 800 } }],
    ["dark, on a phone", { colorScheme: "dark", viewport: { width: 320, height: 640 } }],
  ] as const)("axe-core finds nothing, and nothing is too wide, %s", async (_, options) => {
    let code = 200
    await using webhooks = await aService()
      .withReceivers([() => new Response("vu", { status: code })])
      .started()
    const { id } = await webhooks.endpoint()
    const receiver = (await webhooks.api.post("/api/v1/endpoints", { kind: "test" })).body.id
    await webhooks.respond({ courriel: `${"tres-long".repeat(10)}@exemple.fr` })
    await webhooks.settled()
    code = 500
    await webhooks.respond({ courriel: "zoe@exemple.fr" })
    await webhooks.settled()
    for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
    const [delivery] = await webhooks.deliveries(id)
    await using page = await open(webhooks, options)
    for (const path of [
      "/console/webhooks",
      "/console/deliveries",
      `/console/webhooks/${id}/deliveries`,
      `/console/webhooks/${id}/replay`,
      `/console/webhooks/${id}`,
      `/console/webhooks/${receiver}/requests`,
      `/console/deliveries/${delivery.id}`,
    ]) {
      await page.goto(`${webhooks.service.url}${path}`)
      expect([path, await faultsOf(page)]).toEqual([path, []])
    }
    page.on("dialog", (dialog) => dialog.accept())
    await page.goto(`${webhooks.service.url}/console/webhooks/${id}`)
    await page.getByRole("button", { name: "Renouveler le secret" }).click()
    await page.getByText("whsec_").first().waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
})
