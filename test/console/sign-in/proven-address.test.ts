import { afterAll, beforeAll, expect, test } from "bun:test"
import { invite } from "../../../src/accounts/invitation.ts"
import { makePasswordLink } from "../../../src/accounts/password-link.ts"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import { secondMs } from "../../../src/base/clock.ts"
import { insertRows } from "../../../src/db/store.ts"
import { roleScopes } from "../../../src/operations/scope.ts"
import { movableClock } from "../../support/clock.ts"
import { enrolApp, fieldIn } from "../../support/enrol-app.ts"
import { type ConsoleClient, consoleClient, password } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"
import { type MailServer, startMailServer } from "../../support/smtp.ts"
import { totpCode } from "../../support/totp.ts"

/*
 * An inviter has the link of the invitation, and may make an account for an address that is not his, with a second step
 * of his own. The first proof of the address ends what was set up before it.
 */

const clock = movableClock()
const chosen = "un tout autre mot de passe"
let service: Service
let smtp: MailServer

beforeAll(async () => {
  smtp = await startMailServer()
  service = await aService().withClock(clock).withSettings({ GUICHET_SMTP_URL: smtp.url }).started()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

let people = 0
const somebody = () => `personne-${++people}@exemple.fr`

const pathIn = (text: string) => /https?:\/\/[^/\s]+(\/console\/\S+)/.exec(text)?.[1] as string

/** The path of the link in the next mail to an address that `act` sends. */
async function mailedBy(email: string, act: () => Promise<unknown>): Promise<string> {
  const before = smtp.mails.filter(({ to }) => to.includes(email)).length
  await act()
  return pathIn((await smtp.waitFor(before + 1, email)).at(-1)?.text ?? "")
}

async function invited(email: string, workspaceId: string) {
  const { app } = service
  const wanted = {
    workspaceId,
    email,
    role: "editor" as const,
    held: roleScopes("owner"),
    inviter: undefined,
  }
  let shown = ""
  const mailed = await mailedBy(email, async () => {
    shown = pathIn((await invite(app, wanted, app.clock.now())).link)
  })
  return { shown, mailed }
}

const workspace = () => insertWorkspace(service.app.db, `Espace ${people}`, clock.now())

async function signIn(email: string, given: string, next = "") {
  const client = consoleClient(service)
  const reply = await client.post("/console/sign-in", { email, password: given, next }, { token: null })
  return { client, reply, step: fieldIn(reply.text, "step") }
}

/** An account that an inviter has made by the link that he was shown, with a second step and an identity of his own. */
async function takenInAdvance() {
  const email = somebody()
  const { shown, mailed } = await invited(email, await workspace())
  await consoleClient(service).post(shown, { password }, { token: null })
  const { client } = await signIn(email, password, shown)
  await client.get("/console/settings/account")
  const { codes } = await enrolApp(client, clock)
  expect(codes).toHaveLength(10)
  const { id } = await operator(email)
  await insertRows(service.app.db, "operator_identity", {
    issuer: "https://fournisseur.exemple.fr",
    subject: email,
    operator_id: id,
    created_at: clock.now(),
  })
  return { email, client, mailed, id }
}

const operator = (email: string) =>
  service.app.db.selectFrom("operator").selectAll().where("email", "=", email).executeTakeFirstOrThrow()

async function leftOf(operatorId: string) {
  const tables = ["totp", "passkey", "recovery_code", "operator_identity", "session"] as const
  const counts = await Promise.all(
    tables.map((table) =>
      service.app.db.selectFrom(table).selectAll().where("operator_id", "=", operatorId).execute(),
    ),
  )
  return counts.map((rows) => rows.length)
}

const reset = (email: string) =>
  mailedBy(email, () => {
    const headers = { "x-forwarded-for": `203.0.113.${++people}` }
    return consoleClient(service).post("/console/password-reset", { email }, { token: null, headers })
  })

const choose = (path: string, text: string) =>
  consoleClient(service).post(path, { password: text }, { token: null })

async function isOpen(client: ConsoleClient): Promise<boolean> {
  return (await client.get("/console/settings/account")).status === 200
}

test("who resets the password of an account that an inviter made for them is asked for no second step of his", async () => {
  const { email, client, id } = await takenInAdvance()
  expect(await isOpen(client)).toBe(true)
  expect(await choose(await reset(email), chosen)).toMatchObject({
    location: "/console/sign-in?done=password",
  })
  expect(await leftOf(id)).toEqual([0, 0, 0, 0, 0])
  expect(await isOpen(client)).toBe(false)
  const { reply } = await signIn(email, chosen)
  expect(reply.status).toBe(303)
  const actions = await service.app.db
    .selectFrom("audit_log")
    .select("action")
    .where("subject", "=", id)
    .execute()
  expect(actions.map(({ action }) => action)).toContain("operator.proven")
})

test("once an address is proven, a reset neither removes the second step nor skips it", async () => {
  const { email, id } = await takenInAdvance()
  await choose(await reset(email), chosen)
  const { client } = await signIn(email, chosen)
  await client.get("/console/settings/account")
  const { secret } = await enrolApp(client, clock, chosen)
  await choose(await reset(email), password)
  expect(await leftOf(id)).toEqual([1, 0, 10, 0, 0])
  const { client: again, reply, step } = await signIn(email, password)
  expect([reply.status, step === ""]).toEqual([200, false])
  clock.move(30 * secondMs)
  const code = totpCode(secret, clock.now())
  const entered = await again.post("/console/sign-in/second-step", { step, code }, { token: null })
  expect(entered.status).toBe(303)
})

test("the link of a mailed invitation is not the one that the inviter is shown, and proves the address", async () => {
  const { email, id, client } = await takenInAdvance()
  const { shown, mailed } = await invited(email, await workspace())
  expect(shown).not.toBe(mailed)
  const byShown = await choose(shown, chosen)
  expect((await signIn(email, chosen)).reply.status).toBe(401)
  expect(await isOpen(client)).toBe(true)
  const byMailed = await choose(mailed, chosen)
  // Neither tells whether there is an account.
  expect([byShown.status, byMailed.status]).toEqual([303, 303])
  expect(await leftOf(id)).toEqual([0, 0, 0, 0, 0])
  const { reply } = await signIn(email, chosen, mailed)
  expect([reply.status, reply.location]).toEqual([303, mailed])
})

test("an account that is made by the link of a mail is proven, and a later one changes nothing in it", async () => {
  const email = somebody()
  const { mailed } = await invited(email, await workspace())
  await choose(mailed, password)
  expect((await operator(email)).proven_at).toBe(clock.now())
  const { client } = await signIn(email, password, mailed)
  const { mailed: later } = await invited(email, await workspace())
  await choose(later, chosen)
  expect((await signIn(email, chosen)).reply.status).toBe(401)
  expect(await isOpen(client)).toBe(true)
})

test("a link that an owner makes for a member proves no address", async () => {
  const { email, client, id } = await takenInAdvance()
  const { db } = service.app
  const { workspace_id } = await db
    .selectFrom("member")
    .select("workspace_id")
    .where("operator_id", "=", id)
    .executeTakeFirstOrThrow()

  const wanted = { operator: { id, email }, workspaceId: workspace_id, publicUrl: service.url }
  await choose(pathIn(await makePasswordLink(db, wanted, clock.now())), chosen)
  expect((await operator(email)).proven_at).toBeNull()
  expect(await isOpen(client)).toBe(false)
  expect((await signIn(email, chosen)).step).not.toBe("")
})
