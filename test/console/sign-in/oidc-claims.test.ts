import { afterAll, beforeAll, expect, test } from "bun:test"
import { addMember, findOperator, listMembers } from "../../../src/accounts/operator.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { changeRows } from "../../../src/db/store.ts"
import { listAuditLog } from "../../../src/operations/audit-log.ts"
import { openBrowser } from "../../support/oidc/browser.ts"
import { type OpenIdProvider, type ProviderPerson, startProvider } from "../../support/oidc/provider.ts"
import { signedIn } from "../../support/operator.ts"
import { freePort } from "../../support/port.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

/*
 * A directory with several values of an attribute gives a list, with one a text, with none no claim: LemonLDAP::NG does
 * so. Every claim that is read is tried in each of these shapes.
 */

let provider: OpenIdProvider
let service: Service

beforeAll(async () => {
  ;({ provider, service } = await start())
  await signedIn(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

async function start(
  how: Omit<Parameters<typeof startProvider>[0], "publicUrl"> = {},
  settings: Record<string, string> = {},
) {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const provider = await startProvider({ publicUrl, ...how })
  const service = await aService()
    .withSettings({
      GUICHET_PORT: String(port),
      GUICHET_PUBLIC_URL: publicUrl,
      GUICHET_OIDC_ISSUER: provider.issuer,
      GUICHET_OIDC_CLIENT_ID: provider.clientId,
      GUICHET_OIDC_CLIENT_SECRET: provider.clientSecret,
      GUICHET_OIDC_NAME: "Annuaire",
      GUICHET_OIDC_DOMAINS: "mairie.fr",
      GUICHET_OIDC_GROUPS: "guichet-admins=owner,redaction=editor",
      ...settings,
    })
    .started()
  return { provider, service }
}

let people = 0

function someone() {
  people++
  return { sub: `agent-${people}`, email: `agent${people}@mairie.fr`, email_verified: true }
}

async function signIn(person: ProviderPerson, to = { provider, service }): Promise<number> {
  to.provider.person = person
  const page = await openBrowser().go(`${to.service.app.config.publicUrl}/console/sign-in/oidc`)
  return page.status
}

async function roleOf(email: string, { db } = service.app): Promise<string | undefined> {
  const members = await listMembers(db, await defaultWorkspaceId(db))
  return members.find((member) => member.email === email)?.role
}

const shapes: [ProviderPerson["groups"], string][] = [
  [["guichet-admins", "agents"], "owner"],
  // One who was taken out, and is left with one group.
  ["agents", "viewer"],
  ["guichet-admins", "owner"],
  [undefined, "viewer"],
  ["redaction", "editor"],
  [null, "viewer"],
  [["redaction"], "editor"],
  [[], "viewer"],
]

test("groups are read as a list, a text or no claim, and a role goes with the group that gave it", async () => {
  const person = someone()
  for (const [groups, role] of shapes) {
    await signIn({ ...person, ...(groups !== undefined && { groups }) })
    expect([groups, await roleOf(person.email)]).toEqual([groups, role])
  }
  const { db } = service.app
  const log = await listAuditLog(db, await defaultWorkspaceId(db), { atMost: 1, after: undefined })
  expect(log.rows[0]).toMatchObject({ action: "operator.changed", subjectName: person.email })
})

test("a sign-in without the claim leaves a role that no group gave", async () => {
  const person = someone()
  await signIn({ ...person, groups: "guichet-admins" })
  const { db } = service.app
  const id = (await findOperator(db, person.email))?.id as string
  await changeRows(db, "member", { operator_id: id }, { role: "viewer" })
  await addMember(
    db,
    { workspaceId: await defaultWorkspaceId(db), operatorId: id, role: "editor" },
    service.app.clock.now(),
  )
  await signIn(person)
  expect(await roleOf(person.email)).toBe("editor")
})

test("a provider that has too many groups to tell leaves the role", async () => {
  const person = someone()
  await signIn({ ...person, groups: "guichet-admins" })
  const source = { endpoint: "https://graph.exemple.fr/groups" }
  await signIn({ ...person, _claim_names: { groups: "src1" }, _claim_sources: { src1: source } })
  expect(await roleOf(person.email)).toBe("owner")
})

test("where the settings say so, a sign-in without the claim leaves the role, which the log tells", async () => {
  const kept = await start({}, { GUICHET_OIDC_WITHOUT_GROUPS: "keep" })
  await using _service = kept.service
  await using _provider = kept.provider
  await signedIn(kept.service)
  const person = someone()
  const email = person.email
  await signIn({ ...person, groups: "guichet-admins" }, kept)
  await signIn(person, kept)
  expect(await roleOf(email, kept.service.app)).toBe("owner")
  await signIn({ ...person, groups: "agents" }, kept)
  expect(await roleOf(email, kept.service.app)).toBe("viewer")
})

test("an address is read as a text, a list or no claim: the first one that the settings name makes the account", async () => {
  const one = someone()
  expect(await signIn({ ...one, email: [one.email] })).toBe(200)
  const two = someone()
  expect(await signIn({ ...two, email: ["agent@ailleurs.fr", "pas une adresse", two.email] })).toBe(200)
  const { db } = service.app
  expect(await findOperator(db, one.email)).toBeDefined()
  expect(await findOperator(db, two.email)).toBeDefined()
  expect(await findOperator(db, "agent@ailleurs.fr")).toBeUndefined()
  for (const email of [[], ["pas une adresse"], "", undefined]) {
    const { email: _, ...person } = someone()
    expect(await signIn({ ...person, ...(email !== undefined && { email }) })).toBe(403)
  }
})

test("an address is verified where each value of the claim says so", async () => {
  for (const [verified, status] of [
    [true, 200],
    ["true", 200],
    [[true], 200],
    [[true, false], 403],
    [[], 403],
    ["yes", 403],
    [undefined, 403],
  ] as const) {
    const { email_verified: _, ...person } = someone()
    const claim = verified !== undefined && {
      email_verified: typeof verified === "object" ? [...verified] : verified,
    }
    expect([verified, await signIn({ ...person, ...claim })]).toEqual([verified, status])
  }
})

const tokenRequests = (of: OpenIdProvider) =>
  of.requests.filter((request) => request === "POST /token").length

const basic = "client_secret_basic"
const post = "client_secret_post"
for (const [authMethod, authMethods, requests] of [
  [basic, [basic], 1],
  [post, [post], 1],
  [basic, [basic, post], 1],
  // What is announced first is refused once, and never tried again.
  [post, [basic, post], 2],
] as const)
  test(`a client of ${authMethod} proves itself so to a provider of ${authMethods.join(" and ")}`, async () => {
    const to = await start({ authMethod, authMethods })
    await using _service = to.service
    await using _provider = to.provider
    await signedIn(to.service)
    expect(await signIn(someone(), to)).toBe(200)
    expect(tokenRequests(to.provider)).toBe(requests)
    expect(await signIn(someone(), to)).toBe(200)
    expect(tokenRequests(to.provider)).toBe(requests + 1)
  })

test("a wrong secret is tried by both methods, and refused", async () => {
  const to = await start({}, { GUICHET_OIDC_CLIENT_SECRET: "un autre secret" })
  await using _service = to.service
  await using _provider = to.provider
  await signedIn(to.service)
  expect(await signIn(someone(), to)).toBe(401)
  expect(tokenRequests(to.provider)).toBe(2)
})
