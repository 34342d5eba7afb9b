import { afterAll, beforeAll, expect, test } from "bun:test"
import { findOperator, listMembers } from "../../src/accounts/operator.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { openBrowser } from "../support/oidc/browser.ts"
import { signedIn } from "../support/operator.ts"
import { freePort } from "../support/port.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { type LemonLdap, startLemonLdap } from "./server.ts"

// Signing in by Debian's LemonLDAP::NG: bun test --timeout 120000 ./test/lemonldap/sign-in.ts

let provider: LemonLdap
let service: Service
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  provider = await startLemonLdap(url)
  service = await aService()
    .withSettings({
      GUICHET_PORT: String(port),
      GUICHET_PUBLIC_URL: url,
      GUICHET_OIDC_ISSUER: provider.issuer,
      GUICHET_OIDC_CLIENT_ID: provider.clientId,
      GUICHET_OIDC_CLIENT_SECRET: provider.clientSecret,
      GUICHET_OIDC_DOMAINS: "badwolf.org",
      GUICHET_OIDC_TRUST_EMAIL: "on",
      GUICHET_OIDC_GROUPS: "guichet-admins=owner,redaction=editor",
    })
    .started()
  await signedIn(service)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
})

/** The people of its demonstration have their name for a password. */
async function signIn(user: string): Promise<string> {
  const browser = openBrowser()
  await browser.go(`${url}/console/sign-in/oidc`)
  return (await browser.send({ user, password: user })).url.href
}

async function roleOf(email: string): Promise<string | undefined> {
  const { db } = service.app
  const members = await listMembers(db, await defaultWorkspaceId(db))
  return members.find((member) => member.email === email)?.role
}

test("a role goes with its group: two groups are a list there, one a text, none no claim", async () => {
  const dwho = '$uid eq "dwho"'
  for (const [groups, role] of [
    [{ "guichet-admins": dwho, agents: "1" }, "owner"],
    [{ "guichet-admins": "0", agents: "1" }, "viewer"],
    [{ redaction: dwho }, "editor"],
    [{ agents: "0" }, "viewer"],
    [{ "guichet-admins": dwho }, "owner"],
    [{ agents: "0" }, "viewer"],
  ] as const) {
    await provider.configure({ groups })
    expect(await signIn("dwho")).toBe(`${url}/console`)
    expect([groups, await roleOf("dwho@badwolf.org")]).toEqual([groups, role])
  }
})

test("of two addresses of a directory the one of the settings makes the account", async () => {
  await provider.configure({ groups: {}, mail: "'rose@ailleurs.example; rose@badwolf.org'" })
  expect(await signIn("rtyler")).toBe(`${url}/console`)
  expect(await findOperator(service.app.db, "rose@badwolf.org")).toBeDefined()
})
