import { afterAll, beforeAll, expect, test } from "bun:test"
import type { CDPSession, Page } from "playwright-core"
import { secondMs } from "../../src/base/clock.ts"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { password, signedIn } from "../support/operator.ts"
import { freePort } from "../support/port.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { totpCode } from "../support/totp.ts"

/** Signs in as an owner by password; the rest is up to the account. */
async function signInAs(page: Page, email: string): Promise<void> {
  await page.getByLabel("Adresse e-mail").fill(email)
  await page.getByLabel("Mot de passe", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Se connecter", exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.locator("details.account summary").click()
  await page.getByRole("button", { name: "Se déconnecter", exact: true }).click()
  await page.getByText("Vous êtes déconnecté.").waitFor()
}

/** A device of the person: it holds discoverable passkeys, and asks for a finger. */
async function addDevice(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send("WebAuthn.enable")
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id }
}

/** On a phone, too. */
async function expectClean(page: Page, state: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNothing(page, `${state} at 320 pixels`)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect([state, overflow]).toEqual([state, 0])
  await page.setViewportSize({ width: 1280, height: 900 })
  await expectNothing(page, state)
}

describeInBrowser("signing in with a device", () => {
  let browser: TestBrowser
  let service: Service
  let console_: string
  const clock = movableClock()
  beforeAll(async () => {
    const port = String(await freePort())
    console_ = `http://localhost:${port}/console`
    const settings = { GUICHET_PORT: port, GUICHET_PUBLIC_URL: `http://localhost:${port}` }
    ;[browser, service] = await Promise.all([
      startBrowser(),
      aService().withSettings(settings).withClock(clock).started(),
    ])
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await service[Symbol.asyncDispose]()
  })

  test("a passkey is added, signs in by itself and after the password, and is taken away again", async () => {
    const { email } = await signedIn(service)
    await using page = await browser.page(`${console_}/sign-in?next=/console/account/passkeys`, {
      colorScheme: "dark",
    })
    const { cdp, id } = await addDevice(page)
    await expectClean(page, "sign-in")
    await signInAs(page, email)
    await page.getByLabel("Nom", { exact: true }).fill("Ordinateur")
    await page.getByLabel("Mot de passe actuel").fill(password)
    await expectClean(page, "no passkey")
    await page.getByRole("button", { name: "Ajouter une clé d’accès" }).click()
    await page.getByText("La clé d’accès est ajoutée.").waitFor()
    expect((await page.locator("figure code").innerText()).split("\n")).toHaveLength(10)
    await page.getByRole("link", { name: "Continuer" }).click()
    await page.getByText("jamais utilisée").waitFor()
    await expectClean(page, "a passkey")

    await signOut(page)
    await page.getByRole("button", { name: "Se connecter avec une clé d’accès" }).click()
    await page.getByRole("heading", { name: "Vue d’ensemble" }).waitFor()

    await signOut(page)
    await signInAs(page, email)
    await page.getByRole("heading", { name: "Deuxième étape" }).waitFor()
    await expectClean(page, "second step")
    await page.getByRole("button", { name: "Utiliser une clé d’accès" }).click()
    await page.locator("details.account").first().waitFor()

    await signOut(page)
    // No finger: the device does not answer.
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false })
    await page.getByRole("button", { name: "Se connecter avec une clé d’accès" }).click()
    await page.getByText("Aucune clé d’accès n’a répondu.").waitFor()
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true })
    await page.getByRole("button", { name: "Se connecter avec une clé d’accès" }).click()
    await page.locator("details.account").first().waitFor()
    await page.goto(`${console_}/account/passkeys`)
    await page.getByLabel("Mot de passe actuel").last().fill(password)
    await page.getByRole("button", { name: "Retirer une clé d’accès" }).click()
    await page.getByText("La clé d’accès est retirée.").waitFor()
    await signOut(page)
    await page.getByRole("button", { name: "Se connecter avec une clé d’accès" }).click()
    await page.getByText("Cette clé d’accès ne convient pas.").waitFor()
    expect(page.problems.filter((problem) => !/401/.test(problem))).toEqual([])
  })

  test("an authenticator app is added by the picture or its key, and its code signs in; nothing needs JavaScript", async () => {
    const { email } = await signedIn(service)
    await using page = await browser.page(`${console_}/sign-in?next=/console/account/two-factor`, {
      javaScriptEnabled: false,
    })
    await signInAs(page, email)
    const picture = page.getByRole("img", { name: /Code QR/ })
    expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100)
    const secret = (await page.locator("figure code").first().innerText()).replaceAll(" ", "")
    await page.getByLabel("Code à six chiffres").fill(totpCode(secret, clock.now()))
    await page.getByLabel("Mot de passe actuel").fill(password)
    await page.getByRole("button", { name: "Ajouter une application de codes" }).click()
    await page.getByRole("heading", { name: "Codes de secours" }).waitFor()
    await signOut(page)
    await signInAs(page, email)
    expect(await page.getByRole("button", { name: "Utiliser une clé d’accès" }).count()).toBe(0)
    clock.move(30 * secondMs)
    await page.getByLabel("Code").fill(totpCode(secret, clock.now()))
    await page.getByRole("button", { name: "Continuer" }).click()
    await page.locator("details.account").first().waitFor()
    await page.goto(`${console_}/account/passkeys`)
    await page.getByText("Une clé d’accès ne s’ajoute qu’avec JavaScript").waitFor()
  })

  test("the pages of the second step are clean in light, on a desk", async () => {
    const owner = await signedIn(service)
    const [name = "", value = ""] = owner.cookie.split("=")
    await using page = await browser.page("about:blank", { viewport: { width: 1280, height: 900 } })
    await page.context().addCookies([{ name, value, url: console_ }])
    for (const path of [
      "settings/account",
      "account/two-factor",
      "account/passkeys",
      "settings/operators",
      "settings/tokens",
    ]) {
      await page.goto(`${console_}/${path}`)
      await expectClean(page, path)
    }
    await page.context().clearCookies()
    await page.goto(`${console_}/password-reset`)
    await expectClean(page, "password-reset")
    expect(page.problems).toEqual([])
  })
})
