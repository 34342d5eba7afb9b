import { expect, test } from "bun:test"
import { expectNothing } from "../support/axe.ts"
import { describeInBrowser, startBrowser } from "../support/browser.ts"
import { startProvider } from "../support/oidc/provider.ts"
import { password, signedIn } from "../support/operator.ts"
import { freePort } from "../support/port.ts"
import { aService } from "../support/service-builder.ts"

describeInBrowser("signing in by an OpenID provider", () => {
  test("an identity is joined to an account, signs in by the button, and is signed out at the provider too", async () => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    await using provider = await startProvider({ publicUrl: url })
    await using service = await aService()
      .withSettings({
        GUICHET_PORT: String(port),
        GUICHET_PUBLIC_URL: url,
        GUICHET_OIDC_ISSUER: provider.issuer,
        GUICHET_OIDC_CLIENT_ID: provider.clientId,
        GUICHET_OIDC_CLIENT_SECRET: provider.clientSecret,
        GUICHET_OIDC_NAME: "ProConnect",
      })
      .started()
    await using browser = await startBrowser()
    const { email } = await signedIn(service)
    provider.person = { sub: "camille", email: "camille@ailleurs.fr" }
    const page = await browser.page(`${url}/console/sign-in`, { viewport: { width: 320, height: 640 } })
    await expectNothing(page, "sign-in")
    await page.getByLabel("Adresse e-mail").fill(email)
    await page.getByLabel("Mot de passe", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Se connecter", exact: true }).click()
    await page.waitForURL(`${url}/console`)
    await page.goto(`${url}/console/settings/account`)
    await page.getByRole("link", { name: "Associer une identité" }).click()
    await page.getByText("Vous venez de prouver l’identité de camille@ailleurs.fr").waitFor()
    await expectNothing(page, "joining")
    await page.getByLabel("Mot de passe actuel").fill(password)
    await page.getByRole("button", { name: "Associer une identité" }).click()
    await page.getByText("L’identité est associée à votre compte.").waitFor()

    await page.context().clearCookies()
    await page.goto(`${url}/console/webhooks`)
    await page.getByRole("link", { name: "Se connecter avec ProConnect" }).click()
    await page.waitForURL(`${url}/console/webhooks`)
    await page.evaluate(() =>
      (document.querySelector('form[action="/console/sign-out"]') as HTMLFormElement).submit(),
    )
    await page.waitForURL(`${provider.issuer}/**`)
    expect(provider.requests.some((request) => request.startsWith("GET /session/end"))).toBe(true)
    expect(page.problems).toEqual([])
  })
})
