import { afterAll, beforeAll, expect, test } from "bun:test"
import { findOperator } from "../../../src/accounts/operator.ts"
import { makePasswordLink } from "../../../src/accounts/password-link.ts"
import { storeTotp, useTotpCode } from "../../../src/accounts/second-factor/totp.ts"
import { dayMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { changeRows } from "../../../src/db/store.ts"
import { apiOf, strangerOf } from "../../support/api.ts"
import { guichet } from "../../support/cli.ts"
import { movableClock } from "../../support/clock.ts"
import { enrolApp, fieldIn, twoFactorPage as page, secretIn } from "../../support/enrol-app.ts"
import {
  type ConsoleClient,
  consoleClient,
  joinWorkspace,
  password,
  signedIn,
} from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"
import { totpCode } from "../../support/totp.ts"

const clock = movableClock()
let service: Service

beforeAll(async () => {
  service = await aService().withClock(clock).started()
})
afterAll(() => service[Symbol.asyncDispose]())

const enrol = (client: ConsoleClient) => enrolApp(client, clock)

/** The next code is another one. */
const nextCode = (secret: string) => {
  clock.move(30 * secondMs)
  return totpCode(secret, clock.now())
}

/** Signs in by password, and gives the step to go on with. */
async function firstStep(email: string, given = password) {
  const client = consoleClient(service)
  const reply = await client.post("/console/sign-in", { email, password: given }, { token: null })
  return { client, reply, step: fieldIn(reply.text, "step") }
}

const secondStep = (client: ConsoleClient, step: string, code: string, next = "") =>
  client.post("/console/sign-in/second-step", { step, code, next }, { token: null })

test("codes are those of RFC 6238, appendix B, and none is taken twice or late", async () => {
  const { app } = service
  const { operatorId } = await signedIn(service)
  const sealed = app.vault.seal("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", `totp ${operatorId}`)
  const vectors = [
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ] as const
  await app.db.transaction().execute(async (transaction) => {
    const [first, ...others] = vectors
    const wanted = { operatorId, sealed, code: first[1] }
    expect(await storeTotp(transaction, app.vault, wanted, first[0] * secondMs)).toBe(true)
    const isTaken = (code: string, seconds: number) =>
      useTotpCode(transaction, app.vault, { operatorId, code }, seconds * secondMs)
    expect(await isTaken(first[1], first[0])).toBe(false)
    for (const [seconds, code] of others)
      expect([seconds, await isTaken(code, seconds), await isTaken(code, seconds)]).toEqual([
        seconds,
        true,
        false,
      ])
    expect(await isTaken("279037", 20000000000)).toBe(false)
    for (const wrong of ["", "35313", "3531300", "abcdef", "٣٥٣١٣٠"])
      expect(await isTaken(wrong, 20000000000)).toBe(false)
  })
  expect(totpCode("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 1234567890 * secondMs)).toBe("005924")
})

test("with an authenticator app the password alone signs nobody in; each code is good once", async () => {
  const own = await signedIn(service)
  const elsewhere = consoleClient(service)
  await elsewhere.post("/console/sign-in", { email: own.email, password }, { token: null })
  const { secret, codes, shown } = await enrol(own)
  expect([shown.status, codes.length, new Set(codes).size]).toEqual([200, 10, 10])
  expect((await elsewhere.get("/console/projects")).status).toBe(303)
  expect((await own.get("/console/projects")).status).toBe(200)

  const { client, reply, step } = await firstStep(own.email)
  expect([reply.status, reply.text.includes("Deuxième étape"), client.cookie]).toEqual([200, true, ""])
  // The code that was used to add the app.
  expect((await secondStep(client, step, totpCode(secret, clock.now()))).status).toBe(400)
  const code = nextCode(secret)
  const entered = await secondStep(client, step, code, "/console/webhooks")
  expect([entered.status, entered.location]).toEqual([303, "/console/webhooks"])
  expect((await client.get("/console/projects")).status).toBe(200)

  const again = await firstStep(own.email)
  for (const used of [code, totpCode(secret, clock.now() - 30 * secondMs)])
    expect((await secondStep(again.client, again.step, used)).text).toContain("a déjà servi")
  expect((await secondStep(again.client, again.step, nextCode(secret))).status).toBe(303)

  const { items } = (await (await apiOf(service)).get("/api/v1/journal?limit=1")).body
  expect(items[0]).toMatchObject({ action: "second_factor.added", subject: own.operatorId })
})

test("a code that is sent several times at once signs in once", async () => {
  const own = await signedIn(service)
  const { secret } = await enrol(own)
  const code = nextCode(secret)
  const { step } = await firstStep(own.email)
  const replies = await Promise.all([1, 2, 3, 4].map(() => secondStep(consoleClient(service), step, code)))
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400])
})

test("a recovery code is good once, and the database holds neither it nor the secret", async () => {
  const own = await signedIn(service)
  const { secret, codes } = await enrol(own)
  const typed = (codes[0] as string).replaceAll("-", " ").toUpperCase()
  const { client, step } = await firstStep(own.email)
  expect((await secondStep(client, step, typed)).status).toBe(303)
  const again = await firstStep(own.email)
  expect((await secondStep(again.client, again.step, codes[0] as string)).status).toBe(400)
  expect((await client.get(page)).text).toContain("encore utilisables\u00a0: 9")
  const other = await signedIn(service)
  await enrol(other)
  const strange = await firstStep(other.email)
  expect((await secondStep(strange.client, strange.step, codes[1] as string)).status).toBe(400)
  const { db } = service.app
  const kept = JSON.stringify([
    await db.selectFrom("totp").selectAll().execute(),
    await db.selectFrom("recovery_code").selectAll().execute(),
  ])
  for (const text of [secret, codes[2] as string, (codes[2] as string).replaceAll("-", "")])
    expect(kept).not.toContain(text)
  const renewed = await client.post(`${page}/recovery-codes`, { present_password: password })
  expect(renewed.text.match(/[a-z2-9]{4}(-[a-z2-9]{4}){5}/g)).toHaveLength(10)
  const late = await firstStep(own.email)
  expect((await secondStep(late.client, late.step, codes[3] as string)).status).toBe(400)
})

test("a recovery code signs in where the key that sealed the app's secret was lost", async () => {
  const own = await signedIn(service)
  const { secret, codes } = await enrol(own)
  const { db } = service.app
  const { id } = (await findOperator(db, own.email)) as { id: string }
  // As it is after `guichet restore` with another key.
  await changeRows(db, "totp", { operator_id: id }, { sealed: "lost" })
  const { client, step } = await firstStep(own.email)
  expect((await secondStep(client, step, nextCode(secret))).status).toBe(400)
  expect((await secondStep(client, step, codes[0] as string)).status).toBe(303)
})

test("codes are tried ten times, then even the right one waits; a right one gives the tries back", async () => {
  const own = await signedIn(service)
  const { secret } = await enrol(own)
  const { client, step } = await firstStep(own.email)
  const statuses = await Promise.all(Array.from({ length: 12 }, () => secondStep(client, step, "000000")))
  expect(statuses.map(({ status }) => status).sort()).toEqual([...Array(10).fill(400), 429, 429])
  expect((await secondStep(client, step, nextCode(secret))).status).toBe(429)
  clock.move(dayMs)
  const later = await firstStep(own.email)
  for (let wrong = 0; wrong < 9; wrong++) await secondStep(later.client, later.step, "000000")
  expect((await secondStep(later.client, later.step, nextCode(secret))).status).toBe(303)
  expect((await secondStep(later.client, later.step, "000000")).status).toBe(400)
})

test("a recovery code signs in after ten wrong codes of an app, and wrong ones wait by network alone", async () => {
  const own = await signedIn(service)
  const { secret, codes } = await enrol(own)
  const { client, step } = await firstStep(own.email)
  for (let wrong = 0; wrong < 10; wrong++) await secondStep(client, step, "000000")
  expect((await secondStep(client, step, nextCode(secret))).status).toBe(429)
  const guess = (from: string) =>
    client.post(
      "/console/sign-in/second-step",
      { step, code: "abcd-efgh-jkmn-pqrs" },
      { token: null, headers: { "x-forwarded-for": from } },
    )
  const guesses = await Promise.all(Array.from({ length: 25 }, () => guess("198.51.100.7")))
  expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(20).fill(400), ...Array(5).fill(429)])
  expect((await guess("198.51.100.8")).status).toBe(400)
  expect((await secondStep(client, step, codes[0] as string)).status).toBe(303)
  // The right one gives the tries of the app back.
  const again = await firstStep(own.email)
  expect((await secondStep(again.client, again.step, nextCode(secret))).status).toBe(303)
})

test("a step is void after ten minutes, once the password has changed, and when nobody gave it", async () => {
  const own = await signedIn(service)
  const { secret } = await enrol(own)
  const { step, client } = await firstStep(own.email)
  clock.move(10 * minuteMs)
  const code = totpCode(secret, clock.now())
  for (const void_ of [step, "", "x", service.app.vault.seal("{}", "second step"), `${step.slice(0, -2)}xx`])
    expect((await secondStep(client, void_, code)).status).toBe(401)
  const fresh = await firstStep(own.email)
  const changed = { present_password: password, password: "un mot de passe tout neuf" }
  await own.get("/console/settings/account")
  expect((await own.post("/console/settings/password", changed)).status).toBe(303)
  expect((await secondStep(fresh.client, fresh.step, code)).status).toBe(401)
  // Another account's step with one's own code.
  const other = await signedIn(service)
  await enrol(other)
  const theirs = await firstStep(other.email)
  expect((await secondStep(theirs.client, theirs.step, nextCode(secret))).status).toBe(400)
})

test("an app is added with its code and the present password alone, and never with another's secret", async () => {
  const [own, other] = [await signedIn(service), await signedIn(service)]
  const { text } = await own.get(page)
  const [sealed, secret] = [fieldIn(text, "sealed"), secretIn(text)]
  const code = totpCode(secret, clock.now())
  await other.get(page)
  const stolen = await other.post(page, { sealed, code, present_password: password })
  expect([stolen.status, secretIn(stolen.text) === secret]).toEqual([400, false])
  const wrong = await own.post(page, { sealed, code: "000000", present_password: password })
  expect([wrong.status, secretIn(wrong.text)]).toEqual([400, secret])
  expect((await own.post(page, { sealed, code, present_password: "un autre mot de passe" })).status).toBe(400)
  expect((await firstStep(own.email)).reply.status).toBe(303)
  expect((await own.post(page, { sealed, code, present_password: password })).status).toBe(200)
  await own.get(page)
  expect((await own.post(`${page}/removal`, { present_password: "un autre mot de passe" })).status).toBe(400)
  expect((await firstStep(own.email)).step).not.toBe("")
  expect((await own.post(`${page}/removal`, { present_password: password })).location).toBe(
    `${page}?done=removed`,
  )
  expect((await firstStep(own.email)).reply.status).toBe(303)
  expect((await own.post(`${page}/recovery-codes`, { present_password: password })).status).toBe(409)
})

test("another password by a link leaves the second factor where it is", async () => {
  const own = await signedIn(service)
  await enrol(own)
  const { app } = service
  const api = await apiOf(service)
  const operator = (await findOperator(app.db, own.email)) as { id: string; email: string }
  const wanted = { operator, workspaceId: api.workspaceId, publicUrl: service.url }
  const link = await makePasswordLink(app.db, wanted, clock.now())
  const chosen = "un mot de passe tout neuf"
  await consoleClient(service).post(new URL(link).pathname, { password: chosen }, { token: null })
  expect((await firstStep(own.email, chosen)).step).not.toBe("")
})

test("a workspace that asks for a second factor shows nothing to a member without one, who adds it first", async () => {
  const there = await strangerOf(service)
  const owner = await signedIn(service, "owner", there.workspaceId)
  const member = await signedIn(service, "viewer", there.workspaceId)
  const workspace = `/api/v1/workspaces/${there.workspaceId}`
  expect((await there.get(workspace)).body.requires_second_factor).toBe(false)
  await owner.get("/console/settings/operators")
  const required = await owner.post("/console/settings/second-factor", { requires_second_factor: "yes" })
  expect(required.status).toBe(303)
  expect((await there.get(workspace)).body.requires_second_factor).toBe(true)
  for (const path of ["/console/projects", "/console/settings", "/console/settings/operators", "/console"])
    for (const client of [owner, member])
      expect([path, (await client.get(path)).location]).toEqual([path, page])
  const changed = await owner.post("/console/settings/workspace", { name: "Sans deuxième étape" })
  expect(changed.location).toBe(page)
  expect((await there.get(workspace)).body.name).not.toBe("Sans deuxième étape")
  expect((await member.get(page)).text).toContain("demande une deuxième étape")
  expect((await enrol(member)).shown.status).toBe(200)
  expect((await member.get("/console/projects")).status).toBe(200)
  // Another workspace of theirs asks for none.
  await joinWorkspace(service, owner.email, (await apiOf(service)).workspaceId, "viewer")
  const { workspaceId } = await apiOf(service)
  await owner.get(page)
  expect((await owner.post("/console/workspace", { workspace: workspaceId })).status).toBe(303)
  expect((await owner.get("/console/projects")).status).toBe(200)
  expect((await owner.get("/console/workspaces")).text).toContain("demande une deuxième étape")
  expect((await there.patch(workspace, { requires_second_factor: false })).status).toBe(200)
})

test("the machine's owner lets in who has lost everything, and the audit log tells it", async () => {
  const own = await signedIn(service)
  await enrol(own)
  const settings = { GUICHET_DATA_DIR: service.app.config.dataDir }
  // Commands write by the machine's clock.
  const plain = await guichet(["operator", "password", own.email], settings, `${password} un\n`)
  expect(plain.exitCode).toBe(0)
  expect((await firstStep(own.email, `${password} un`)).step).not.toBe("")
  const whole = ["operator", "password", own.email, "--without-second-factor"]
  expect((await guichet(whole, settings, `${password} deux\n`)).exitCode).toBe(0)
  expect((await firstStep(own.email, `${password} deux`)).reply.status).toBe(303)
  const { items } = (await (await apiOf(service)).get("/api/v1/journal?limit=5")).body
  expect(items.map(({ action }: { action: string }) => action)).toContain("second_factor.removed")
})
