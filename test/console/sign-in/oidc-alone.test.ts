import { afterAll, beforeAll, expect, test } from "bun:test"
import { setPassword } from "../../../src/accounts/members/operations.ts"
import { listMembers } from "../../../src/accounts/operator.ts"
import { newSetupLink } from "../../../src/accounts/setup-link.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { hourMs } from "../../../src/base/clock.ts"
import { readConfig } from "../../../src/config/config.ts"
import { listAuditLog } from "../../../src/operations/audit-log.ts"
import { perform } from "../../../src/operations/perform.ts"
import { roleScopes } from "../../../src/operations/scope.ts"
import { movableClock } from "../../support/clock.ts"
import { openBrowser } from "../../support/oidc/browser.ts"
import { hostileSecret, startHostileProvider } from "../../support/oidc/hostile-provider.ts"
import { password } from "../../support/operator.ts"
import { freePort } from "../../support/port.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
const provider = startHostileProvider()
let service: Service
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  service = await aService()
    .withClock(clock)
    .withSettings({ GUICHET_PORT: String(port), ...settingsOf(url), GUICHET_PASSWORD_SIGN_IN: "off" })
    .started()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  provider[Symbol.dispose]()
})

function settingsOf(publicUrl: string): Record<string, string> {
  return {
    GUICHET_PUBLIC_URL: publicUrl,
    GUICHET_OIDC_ISSUER: provider.issuer,
    GUICHET_OIDC_CLIENT_ID: "guichet",
    GUICHET_OIDC_CLIENT_SECRET: hostileSecret,
  }
}

const email = "camille@exemple.fr"
const members = async () => listMembers(service.app.db, await defaultWorkspaceId(service.app.db))

async function lastAction(): Promise<string | undefined> {
  const { db } = service.app
  const part = { atMost: 1, after: undefined }
  return (await listAuditLog(db, await defaultWorkspaceId(db), part)).rows[0]?.action
}

test("where passwords are off, the setup link makes the first account and signs it in, which the audit log tells", async () => {
  const link = await newSetupLink({ db: service.app.db, publicUrl: url }, clock.now())
  const owner = openBrowser()
  await owner.go(link as string)
  expect((await owner.send({ email, password })).url.pathname).toBe("/console")
  expect([await lastAction(), (await members()).map((member) => member.email)]).toEqual([
    "operator.added",
    [email],
  ])
})

test("the sign-in page offers the provider alone, and a right password signs nobody in", async () => {
  const browser = openBrowser()
  const page = await browser.go(`${url}/console/sign-in`)
  expect(page.text).toContain("Se connecter avec 127.0.0.1")
  expect(page.text).not.toMatch(/type="password"|password-reset|sign-in\/passkey/)
  await browser.go(`${url}/console/sign-in?password`)
  for (const address of [email, "personne@exemple.fr"]) {
    const refused = await browser.send({ email: address, password })
    expect([refused.status, refused.text.includes("La connexion par mot de passe est désactivée")]).toEqual([
      403,
      true,
    ])
  }
})

test("a password that the machine's owner gives signs in for an hour", async () => {
  const workspaceId = await defaultWorkspaceId(service.app.db)
  const machine = { kind: "service" as const, id: "guichet", name: "guichet operator password" }
  const caller = { ...machine, workspaceId, held: roleScopes("owner"), signal: new AbortController().signal }
  const given = { email, password: "tout autre chose, pour une heure" }
  await perform(setPassword, service.app, caller, {}, given)
  expect(await lastAction()).toBe("password.changed")
  const signIn = async () => {
    const browser = openBrowser()
    await browser.go(`${url}/console/sign-in?password`)
    return (await browser.send(given)).url.pathname
  }
  expect(await signIn()).toBe("/console")
  clock.move(hourMs)
  expect(await signIn()).toBe("/console/sign-in")
})

test("settings that would leave no way in, or send secrets in the clear, are refused by name", () => {
  const problemOf = (environment: Record<string, string>) => {
    try {
      readConfig(environment)
    } catch (error) {
      return (error as Error).message
    }
    return ""
  }
  expect(problemOf({ GUICHET_PASSWORD_SIGN_IN: "off" })).toContain("needs GUICHET_OIDC_ISSUER")
  const own = settingsOf("http://guichet.exemple.fr")
  expect(problemOf(own)).toContain("needs an https GUICHET_PUBLIC_URL")
  const https = { ...own, GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" }
  expect(problemOf(https)).toBe("")
  expect(problemOf({ ...https, GUICHET_OIDC_ISSUER: "http://login.exemple.fr" })).toContain(
    "is not an https address",
  )
  expect(problemOf({ ...https, GUICHET_OIDC_CLIENT_SECRET: "" })).toContain(
    "needs GUICHET_OIDC_CLIENT_SECRET",
  )
  expect(problemOf({ ...https, GUICHET_OIDC_GROUPS: "agents=king" })).toContain(
    "agents=king is not group=role",
  )
})
