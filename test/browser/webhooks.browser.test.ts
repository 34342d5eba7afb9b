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

  /** So many times a page has renewed itself, and shows what it got. */
  async function rounds(page: QuietPage, count: number): Promise<void> {
    const [address] = page.url().split("#")
    for (let number = 0; number <= count; number++)
      await page.waitForResponse(
        (reply) => reply.request().resourceType() === "fetch" && reply.url().split("#")[0] === address,
      )
  }

  test("the test receiver is made with one click and shows what arrives while one looks", async () => {
    await using webhooks = await aService().withReceivers().started()
    await using page = await open(webhooks)
    await page.goto(`${webhooks.service.url}/console/webhooks`)
    await page.getByRole("button", { name: "Créer la boîte d’essai" }).click()
    await page.getByText("Rien n’est encore arrivé").waitFor()
    await webhooks.respond({ nom: "Zoé" })
    await page.getByText("signature valide").waitFor()
    await page.getByText('"nom": "Zoé"').waitFor()
    await page.getByLabel("Ce qu’elle répond").selectOption("error")
    await page.getByRole("button", { name: "Enregistrer" }).click()
    await page.getByText("La boîte d’essai répondra ainsi").waitFor()
    await page.getByRole("button", { name: "Envoyer un message d’essai" }).click()
    await page.getByText("500\u00a0: une erreur").last().waitFor()
    expect(page.problems).toEqual([])
  })

  test("one box ticks all deliveries of the log by keyboard, and tells when only some are ticked", async () => {
    await using webhooks = await aService().withReceivers().started()
    const { id } = await webhooks.endpoint()
    for (const name of ["zoe", "max", "lou"]) await webhooks.respond({ courriel: `${name}@exemple.fr` })
    await webhooks.settled()
    await using page = await open(webhooks)
    await page.goto(`${webhooks.service.url}/console/webhooks/${id}/deliveries`)
    const all = page.getByLabel("Tout cocher sur cette page")
    const ticked = () => page.locator("[name=delivery]:checked").count()
    await all.focus()
    await page.keyboard.press("Space")
    expect(await ticked()).toBe(3)
    await page.getByLabel("Choisir la livraison de max@exemple.fr").focus()
    await page.keyboard.press("Space")
    expect(await all.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate])).toEqual([
      false,
      true,
    ])
    expect(page.problems).toEqual([])
    await page.getByRole("button", { name: "Renvoyer les livraisons choisies" }).click()
    await page.getByText("2 des livraisons choisies ont déjà été livrées").waitFor()
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
    // The page that a button leads to comes first: a page on its way cannot be loaded again.
    const press = async (name: string) => {
      const led = page.waitForEvent("load")
      await page.getByRole("button", { name, exact: true }).click()
      await led
      await webhooks.settled()
    }
    await press("Envoyer un message d’essai")
    await page.reload()
    await page.getByText("Le message d’essai est passé").waitFor()
    await press("Rejouer")
    await page.reload()
    await page.getByText("C’est fini\u00a0: 1\u00a0livrée, 0\u00a0en échec.").waitFor()
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

  test("a page that renews itself replaces nothing that stands still: focus, selection, ticks, copy buttons", async () => {
    const held = Promise.withResolvers<void>()
    let answer: () => Response | Promise<Response> = () => new Response("ok")
    await using webhooks = await aService()
      .withReceivers([() => answer()])
      .withOverrides({ outbound: { answerTimeoutMs: 120_000 } })
      .started()
    const { id } = await webhooks.endpoint()
    const receiver = (await webhooks.api.post("/api/v1/endpoints", { kind: "test" })).body.id
    await webhooks.respond({ courriel: "zoe@exemple.fr" })
    await webhooks.settled()
    await using page = await open(webhooks)

    await page.goto(`${webhooks.service.url}/console/webhooks/${receiver}/requests`)
    const copy = page.getByRole("button", { name: "Copier" }).last()
    await copy.focus()
    await page.evaluate(() =>
      getSelection()?.selectAllChildren(document.querySelector("figure code") as Node),
    )
    await rounds(page, 2)
    expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true)
    const selected = () => page.evaluate(() => String(getSelection()))
    expect(await selected()).toContain("webhook-id")
    // What arrives waits until the text that somebody is copying is no longer selected.
    await webhooks.respond({ courriel: "max@exemple.fr" })
    await webhooks.settled()
    await rounds(page, 2)
    expect(await selected()).toContain("webhook-id")
    await page.evaluate(() => getSelection()?.removeAllRanges())
    await page.getByText('"email": "max@exemple.fr"').waitFor()
    expect(await page.getByRole("button", { name: "Copier" }).count()).toBe(2)

    answer = () => held.promise.then(() => new Response("ok"))
    await webhooks.respond({ courriel: "lou@exemple.fr" })
    await page.goto(`${webhooks.service.url}/console/webhooks/${id}/deliveries`)
    await page.evaluate(() => Object.assign(window, { isTheSame: true }))
    const tick = page.getByLabel("Choisir la livraison de zoe@exemple.fr")
    await tick.check()
    await page.getByText("Voir les chiffres").click()
    await rounds(page, 2)
    expect(await tick.isChecked()).toBe(true)
    held.resolve()
    await page.locator("#log tr", { hasText: "lou@exemple.fr" }).getByText("livré").waitFor()
    await page.getByText("3 livrés").first().waitFor()
    expect(await tick.isChecked()).toBe(true)
    expect(await page.locator("details[open]", { hasText: "Les chiffres" }).count()).toBe(1)
    expect(await page.evaluate(() => "isTheSame" in window)).toBe(true)
    expect(page.problems).toEqual([])
  })

  test("the button that stops a replay keeps the focus while the replay goes on", async () => {
    await using webhooks = await aService()
      .withReceivers([() => new Response("boum", { status: 500 })])
      .started()
    const { id } = await webhooks.endpoint()
    for (const courriel of ["zoe@exemple.fr", "max@exemple.fr"]) await webhooks.respond({ courriel })
    await webhooks.settled()
    for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
    await webhooks.stopWork()
    await using page = await open(webhooks)
    await page.goto(`${webhooks.service.url}/console/webhooks/${id}/replay`)
    await page.getByRole("button", { name: /^Rejouer/ }).click()
    await page.getByText("0 sur 2 sont parties").waitFor()
    const stop = page.getByRole("button", { name: "Arrêter" })
    await stop.focus()
    await rounds(page, 2)
    // As if the first had been sent meanwhile.
    const [first] = await webhooks.deliveries(id)
    const { db } = webhooks.service.app
    await db.updateTable("delivery").set({ resend_at: null }).where("id", "=", first.id).execute()
    await page.getByText("1 sur 2 sont parties").waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("1\u00a0livraison ne partira pas.").waitFor()
    expect(page.problems).toEqual([])
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
      "/console/webhooks/recipes",
    ]) {
      await page.goto(`${webhooks.service.url}${path}`)
      await page.evaluate(() => {
        for (const part of document.querySelectorAll<HTMLDetailsElement>("main details.options"))
          part.open = true
      })
      expect([path, await faultsOf(page)]).toEqual([path, []])
    }
    page.on("dialog", (dialog) => dialog.accept())
    await page.goto(`${webhooks.service.url}/console/webhooks/${id}`)
    await page.getByRole("button", { name: "Renouveler le secret" }).click()
    await page.getByText("whsec_").first().waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
})
