import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { invite } from "../../../src/accounts/invitation.ts"
import { addOperator, findOperator, listMembers } from "../../../src/accounts/operator.ts"
import { defaultWorkspaceId, insertWorkspace } from "../../../src/accounts/workspace.ts"
import { minuteMs } from "../../../src/base/clock.ts"
import { insertRows } from "../../../src/db/store.ts"
import { listAuditLog } from "../../../src/operations/audit-log.ts"
import { roleScopes } from "../../../src/operations/scope.ts"
import { type Browser, openBrowser } from "../../support/oidc/browser.ts"
import { type OpenIdProvider, type ProviderPerson, startProvider } from "../../support/oidc/provider.ts"
import { password, signedIn } from "../../support/operator.ts"
import { freePort } from "../../support/port.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

let provider: OpenIdProvider
let service: Service
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  provider = await startProvider({ publicUrl: url, signsUserinfo: true })
  service = await aService()
    .withSettings({
      GUICHET_PORT: String(port),
      GUICHET_PUBLIC_URL: url,
      ...settingsOf(provider),
      GUICHET_OIDC_NAME: "ProConnect",
      GUICHET_OIDC_DOMAINS: "mairie.fr, @agence.fr",
      GUICHET_OIDC_GROUPS: "cn=admins=owner,redaction=editor",
    })
    .started()
  await signedIn(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  provider.person = null
})

function settingsOf({ issuer, clientId, clientSecret }: OpenIdProvider) {
  return {
    GUICHET_OIDC_ISSUER: issuer,
    GUICHET_OIDC_CLIENT_ID: clientId,
    GUICHET_OIDC_CLIENT_SECRET: clientSecret,
  }
}

let people = 0
const someone = (of: Partial<ProviderPerson & { email: string }> = {}) => {
  people++
  return { sub: `agent-${people}`, email: `agent${people}@mairie.fr`, email_verified: true, ...of }
}

const signIn = (browser: Browser, next = "") =>
  browser.go(`${url}/console/sign-in/oidc?next=${encodeURIComponent(next)}`)

const members = async () => listMembers(service.app.db, await defaultWorkspaceId(service.app.db))
const roleOf = async (email: string) => (await members()).find((member) => member.email === email)?.role

async function lastActions(count: number) {
  const { db } = service.app
  const part = { atMost: count, after: undefined }
  const { rows } = await listAuditLog(db, await defaultWorkspaceId(db), part)
  return rows.map(({ action, subjectName }) => `${action} ${subjectName}`)
}

test("the sign-in page leads to the provider, and back to the page that was asked for", async () => {
  const browser = openBrowser()
  provider.person = someone()
  const page = await browser.go(`${url}/console/webhooks`)
  expect(page.text).toContain("Se connecter avec ProConnect")
  const button = /href="([^"]+\/console\/sign-in\/oidc[^"]*)"/.exec(page.text)?.[1] as string
  const back = await browser.go(button)
  expect([back.status, back.url.href]).toEqual([200, `${url}/console/webhooks`])
})

test("a verified address of a domain of the settings is made a viewer, whose identity is the provider's sub", async () => {
  const person = someone()
  provider.person = person
  expect((await signIn(openBrowser())).url.pathname).toBe("/console")
  expect(await roleOf(person.email)).toBe("viewer")
  expect(await lastActions(1)).toEqual([`operator.provisioned ${person.email}`])
  const made = await findOperator(service.app.db, person.email)
  provider.person = { ...person, email: `autre.${person.email}` }
  await signIn(openBrowser())
  expect(await findOperator(service.app.db, `autre.${person.email}`)).toBeUndefined()
  provider.person = { ...person, sub: `${person.sub}-again` }
  const other = await signIn(openBrowser())
  expect([other.status, other.text.includes("Un compte a déjà cette adresse e-mail")]).toEqual([403, true])
  expect(await findOperator(service.app.db, person.email)).toEqual(made)
})

test("neither an unverified address nor another domain is made an account", async () => {
  const cases: [ProviderPerson & { email?: string }, string][] = [
    [someone({ email_verified: false }), "n’a pas vérifié votre adresse e-mail"],
    [{ sub: "silent", email: "silent@mairie.fr" }, "n’a pas vérifié votre adresse e-mail"],
    [someone({ email: "agent@faux-mairie.fr" }), "Aucun compte d’ici n’est associé"],
    [someone({ email: "agent@sous.mairie.fr" }), "Aucun compte d’ici n’est associé"],
    [someone({ email: "deux mots@mairie.fr" }), "Aucun compte d’ici n’est associé"],
    [{ sub: "without" }, "Aucun compte d’ici n’est associé"],
  ]
  for (const [person, sentence] of cases) {
    provider.person = person
    const page = await signIn(openBrowser())
    expect([page.status, page.text.includes(sentence)]).toEqual([403, true])
    if (person.email) expect(await findOperator(service.app.db, person.email)).toBeUndefined()
  }
})

test("an address alone never leads to an existing account", async () => {
  const { email } = await signedIn(service)
  provider.person = someone({ email })
  const page = await signIn(openBrowser())
  expect([page.status, page.text.includes("Aucun compte d’ici n’est associé")]).toEqual([403, true])
})

const identity = "/console/account/identity"

async function invitationOf(email: string, role: "viewer" | "editor" = "editor"): Promise<string> {
  const { app } = service
  const workspaceId = await defaultWorkspaceId(app.db)
  const wanted = { workspaceId, email, role, held: roleScopes("owner"), inviter: undefined }
  return new URL((await invite(app, wanted, app.clock.now())).link).pathname
}

test("an invitation makes an account for its verified address, once", async () => {
  const person = someone({ email: `invite-${crypto.randomUUID().slice(0, 8)}@ailleurs.fr` })
  const link = await invitationOf(person.email)
  provider.person = someone({ email: "voleur@ailleurs.fr" })
  expect((await signIn(openBrowser(), link)).text).toContain(`Cette invitation est pour ${person.email}`)
  provider.person = { ...person, email_verified: false }
  expect((await signIn(openBrowser(), link)).status).toBe(403)
  provider.person = person
  expect((await signIn(openBrowser(), link)).url.pathname).toBe("/console")
  expect(await roleOf(person.email)).toBe("editor")
  expect(await lastActions(2)).toEqual([
    `operator.joined ${person.email}`,
    `operator.provisioned ${person.email}`,
  ])
  provider.person = someone({ email: person.email })
  expect((await signIn(openBrowser(), link)).status).toBe(404)
})

test("an invitation joins the identity to the account of its address, whose earlier password and sessions end", async () => {
  const person = someone({ email: `devance-${crypto.randomUUID().slice(0, 8)}@ailleurs.fr` })
  const link = await invitationOf(person.email)
  // Whoever invites holds the link, and may have chosen a password for the address.
  const inviter = openBrowser()
  await inviter.go(`${url}${link}`)
  await inviter.send({ password })
  provider.person = person
  expect((await signIn(openBrowser(), link)).url.pathname).toBe("/console")
  expect(await lastActions(2)).toEqual([`operator.joined ${person.email}`, `identity.joined ${person.email}`])
  await inviter.go(`${url}/console/sign-in`)
  expect((await inviter.send({ email: person.email, password })).status).toBe(401)
})

test("an address of the settings that nobody had proven is its holder's, whoever made the account", async () => {
  const person = someone()
  await invitationOf(person.email).then(async (link) => {
    const inviter = openBrowser()
    await inviter.go(`${url}${link}`)
    await inviter.send({ password })
  })
  provider.person = person
  expect((await signIn(openBrowser())).url.pathname).toBe("/console")
  const inviter = openBrowser()
  await inviter.go(`${url}/console/sign-in`)
  expect((await inviter.send({ email: person.email, password })).status).toBe(401)
})

test("an invitation joins no identity to an account that has a second step of its own", async () => {
  const person = someone({ email: `protege-${crypto.randomUUID().slice(0, 8)}@ailleurs.fr` })
  const { db, clock } = service.app
  const workspaceId = await insertWorkspace(db, "Ailleurs", clock.now())
  const { id } = await addOperator(
    db,
    { email: person.email, password, workspaceId, role: "viewer" },
    clock.now(),
  )
  await insertRows(db, "totp", { operator_id: id, sealed: "", last_step: 0, created_at: clock.now() })
  provider.person = person
  const page = await signIn(openBrowser(), await invitationOf(person.email))
  expect([page.status, page.text.includes("Un compte a déjà cette adresse e-mail")]).toEqual([403, true])
})

test("an account joins an identity from its own session alone, with its password, and signs in by it from then on", async () => {
  const { email } = await signedIn(service)
  const person = someone({ email: "perso@ailleurs.fr", email_verified: false })
  provider.person = person
  const own = openBrowser()
  await own.go(`${url}/console/sign-in`)
  await own.send({ email, password })
  expect((await own.go(`${url}/console/settings/account`)).text).toContain("Associer une identité")
  const asked = await own.go(`${url}${identity}/begin`)
  expect(asked.text).toContain("Vous venez de prouver l’identité de perso@ailleurs.fr")
  expect((await own.send({ present_password: "un autre mot de passe" }, identity)).status).toBe(400)
  const joined = await own.send({ present_password: password }, identity)
  expect([joined.url.pathname, await lastActions(1)]).toEqual([
    "/console/settings/account",
    [`identity.joined ${email}`],
  ])
  const other = openBrowser()
  await signIn(other)
  expect((await other.go(`${url}/console/settings/account`)).text).toContain(email)

  // The proof is of one session: another account cannot use it, nor take an identity that has an account.
  const thief = openBrowser()
  await thief.go(`${url}/console/sign-in`)
  await thief.send({ email: (await signedIn(service)).email, password })
  expect((await thief.go(asked.url.href)).status).toBe(400)
  await thief.go(`${url}${identity}/begin`)
  const taken = await thief.send({ present_password: password }, identity)
  expect([taken.status, taken.text.includes("déjà associée à un autre compte")]).toEqual([409, true])

  await own.go(`${url}${identity}/removal`)
  await own.send({ present_password: password }, `${identity}/removal`)
  expect((await signIn(openBrowser())).status).toBe(403)
})

test("groups give the role in the default workspace at each sign-in, and its last owner stays one", async () => {
  const person = someone()
  for (const [groups, role] of [
    [["redaction", "autre"], "editor"],
    [["redaction", "cn=admins"], "owner"],
    [[], "viewer"],
  ] as const) {
    provider.person = { ...person, groups: [...groups] }
    await signIn(openBrowser())
    expect([groups, await roleOf(person.email)]).toEqual([groups, role])
  }
  provider.person = { ...person, groups: ["cn=admins"] }
  await signIn(openBrowser())
  const { db } = service.app
  const workspaceId = await defaultWorkspaceId(db)
  const owners = db.updateTable("member").set({ role: "viewer" }).where("workspace_id", "=", workspaceId)
  await owners.where("operator_id", "!=", (await findOperator(db, person.email))?.id as string).execute()
  provider.person = { ...person, groups: [] }
  await signIn(openBrowser())
  expect(await roleOf(person.email)).toBe("owner")
})

test("who has just signed in by the provider ends other sessions without a password, and not later", async () => {
  provider.person = someone()
  const [own, other] = [openBrowser(), openBrowser()]
  await signIn(own)
  await signIn(other)
  const removal = "/console/account/sessions/removal"
  const end = async () => {
    await own.go(`${url}${removal}`)
    return (await own.send({ present_password: "" }, removal)).url.href
  }
  expect(await end()).toBe(`${url}/console/settings/account?done=others`)
  expect((await other.go(`${url}/console/projects`)).url.pathname).toBe("/console/sign-in")
  const { db, clock } = service.app
  await db
    .updateTable("session")
    .set({ created_at: clock.now() - 10 * minuteMs })
    .execute()
  expect(await end()).toBe(`${url}${removal}`)
})

test("who signs out is signed out at the provider too", async () => {
  const browser = openBrowser()
  provider.person = someone()
  await signIn(browser)
  await browser.go(`${url}/console/settings/account`)
  const leaving = await browser.send({}, "/console/sign-out")
  expect(leaving.url.origin).toBe(provider.issuer)
  const ending = new URL(leaving.url)
  expect(ending.searchParams.get("id_token_hint")).toMatch(/^eyJ/)
  expect(ending.searchParams.get("post_logout_redirect_uri")).toBe(`${url}/console/sign-in/oidc/signed-out`)
  const back = await browser.send({ logout: "yes" })
  expect([back.url.href, back.text.includes("Vous êtes déconnecté.")]).toEqual([
    `${url}/console/sign-in?done=out`,
    true,
  ])
  // The provider asks who it is again.
  provider.requests = []
  await signIn(browser)
  expect(provider.requests.some((request) => request.startsWith("GET /interaction/"))).toBe(true)
})

test("the database keeps no token of the provider in the clear", async () => {
  provider.person = someone()
  await signIn(openBrowser())
  const rows = await service.app.db.selectFrom("provider_session").selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toMatch(/eyJ[\w-]*\.eyJ/)
})

test("a sign-in leads to our own pages alone", async () => {
  for (const next of [
    "https://ailleurs.fr",
    "//ailleurs.fr",
    "/console/../../ailleurs",
    "/console\\ailleurs",
    "/api",
  ]) {
    provider.person = someone()
    expect((await signIn(openBrowser(), next)).url.href).toBe(`${url}/console`)
  }
})

test("who gives up at the provider is told so", async () => {
  const page = await signIn(openBrowser())
  expect([page.status, page.text.includes("refusée ou abandonnée")]).toEqual([401, true])
})

test("an answer is good once, and only in the browser that began", async () => {
  const isAnswer = ({ pathname }: URL) => pathname.endsWith("/callback")
  provider.person = someone()
  const victim = openBrowser()
  const attacker = openBrowser()
  const { url: answer } = await attacker.go(`${url}/console/sign-in/oidc`, isAnswer)
  expect((await victim.go(answer.href)).status).toBe(401)
  await victim.go(`${url}/console/sign-in/oidc`, isAnswer)
  expect((await victim.go(answer.href)).status).toBe(401)
  const kept = structuredClone(attacker.cookies)
  expect((await attacker.go(answer.href)).url.pathname).toBe("/console")
  attacker.cookies.clear()
  for (const [host, cookies] of kept) attacker.cookies.set(host, cookies)
  const again = await attacker.go(answer.href)
  expect([again.status, again.text.includes("Recommencez.")]).toEqual([401, true])
})
