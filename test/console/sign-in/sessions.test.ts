import { afterAll, beforeAll, expect, test } from "bun:test"
import { findToken } from "../../../src/accounts/token.ts"
import { dayMs } from "../../../src/base/clock.ts"
import { sha256 } from "../../../src/base/hash.ts"
import { movableClock } from "../../support/clock.ts"
import { type ConsoleClient, consoleClient, password, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
let service: Service

beforeAll(async () => {
  service = await aService().withClock(clock).started()
})
afterAll(() => service[Symbol.asyncDispose]())

async function signInBy(email: string, userAgent: string): Promise<ConsoleClient> {
  const client = consoleClient(service)
  const headers = { "user-agent": userAgent }
  await client.post("/console/sign-in", { email, password }, { token: null, headers })
  return client
}

const hashOf = ({ cookie }: ConsoleClient) => sha256(cookie.split("=")[1] as string)
const isIn = async (client: ConsoleClient) => (await client.get("/console/projects")).status === 200
const account = "/console/settings/account"

test("an operator sees each browser by its name and system, and signs one of them out, or all others", async () => {
  const own = await signedIn(service)
  const phone = await signInBy(
    own.email,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1",
  )
  const desk = await signInBy(
    own.email,
    `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 ${"x".repeat(2000)}`,
  )
  const page = (await own.get(account)).text
  for (const device of ["Safari sur iPhone", "Firefox sur Linux", "ce navigateur"])
    expect(page).toContain(device)
  const kept = await service.app.db.selectFrom("session").select("user_agent").execute()
  expect(Math.max(...kept.map(({ user_agent }) => user_agent?.length ?? 0))).toBe(400)
  const ofPhone = `/console/account/sessions/${hashOf(phone)}/removal`
  for (const present_password of ["", "un autre mot de passe"]) {
    expect((await own.get(ofPhone)).text).toContain('name="present_password"')
    expect((await own.post(ofPhone, { present_password })).status).toBe(400)
  }
  expect(await isIn(phone)).toBe(true)
  expect((await own.post(ofPhone, { present_password: password })).location).toBe(`${account}?done=session`)
  expect([await isIn(phone), await isIn(desk), await isIn(own)]).toEqual([false, true, true])
  await own.get(account)
  expect((await own.post("/console/account/sessions/removal", {})).status).toBe(400)
  expect((await own.post("/console/account/sessions/removal", { present_password: password })).location).toBe(
    `${account}?done=others`,
  )
  expect([await isIn(desk), await isIn(own)]).toEqual([false, true])
})

test("nobody ends the session of somebody else", async () => {
  const [one, other] = [await signedIn(service), await signedIn(service)]
  const again = { present_password: password }
  expect((await one.post(`/console/account/sessions/${hashOf(other)}/removal`, again)).status).toBe(404)
  await one.get(account)
  await one.post("/console/account/sessions/removal", again)
  expect(await isIn(other)).toBe(true)
})

test("a browser's name is written as a text, whatever it says", async () => {
  const own = await signedIn(service)
  await signInBy(own.email, "<script>alert(1)</script>")
  const { text } = await own.get(account)
  expect(text).toContain("Navigateur inconnu")
  expect(text).not.toContain("alert(1)")
})

test("a token of the console has the rights of a preset, or those chosen one by one, and the end that is chosen", async () => {
  const owner = await signedIn(service)
  const make = async (values: Record<string, string>) => {
    await owner.get("/console/settings/tokens")
    const { text } = await owner.post("/console/settings/tokens", { name: "CI", ...values })
    const token = await findToken(service.app.db, /gch_\w{43}/.exec(text)?.[0] as string)
    return [token?.scopes.join(" "), token?.expiresAt ?? null]
  }
  const reads = "projects:read answers:read forms:read endpoints:read messages:read workspace:read"
  expect(await make({ preset: "reading", expires: "30" })).toEqual([reads, clock.now() + 30 * dayMs])
  expect(await make({ preset: "integration", expires: "0", workspace: "none" })).toEqual([
    "projects:read answers:read forms:read endpoints:write messages:read",
    null,
  ])
  expect((await make({ preset: "everything", expires: "365" }))[0]).toBe("all")
  expect((await make({ preset: "everything", forms: "read" }))[0]).toBe("forms:read")
  const page = (await owner.get("/console/settings/tokens")).text
  expect(page).toContain("jamais utilisé")
})
