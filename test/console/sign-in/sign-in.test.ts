import { afterAll, beforeAll, expect, test } from "bun:test"
import { changePassword, findOperator } from "../../../src/accounts/operator.ts"
import { decoyHash } from "../../../src/accounts/password.ts"
import { sessionIdleMs, sessionLongestMs } from "../../../src/accounts/session.ts"
import { dayMs, hourMs, minuteMs, secondMs } from "../../../src/base/clock.ts"
import { movableClock } from "../../support/clock.ts"
import { consoleClient, password, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
let service: Service

beforeAll(async () => {
  service = await aService().withClock(clock).started()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Each try comes from its own address, so that tests do not slow one another down. */
let people = 0
const somewhere = () => {
  people++
  return { "x-forwarded-for": `203.0.${113 + (people >> 8)}.${people & 255}` }
}

const tryAs = (email: string, given: string, headers: Record<string, string> = somewhere()) =>
  consoleClient(service).post("/console/sign-in", { email, password: given }, { token: null, headers })

test("an operator signs in by address and password, in whichever case the address is typed", async () => {
  const { email } = await signedIn(service)
  const reply = await tryAs(` ${email.toUpperCase()} `, password)
  expect([reply.status, reply.location]).toEqual([303, "/console"])
})

test("an accent in a password is the same however a keyboard makes it", async () => {
  const { app } = service
  const { operatorId, email } = await signedIn(service)
  await changePassword(app.db, operatorId, "l’été à la mer, déjà".normalize("NFD"))
  for (const form of ["NFC", "NFD"] as const)
    expect((await tryAs(email, "l’été à la mer, déjà".normalize(form), somewhere())).status).toBe(303)
})

test("the database keeps neither the password nor what the cookie holds", async () => {
  const { cookie } = await signedIn(service)
  const { db } = service.app
  const kept = JSON.stringify([
    await db.selectFrom("operator").selectAll().execute(),
    await db.selectFrom("session").selectAll().execute(),
  ])
  expect(kept).not.toContain(cookie.split("=")[1] as string)
  expect(kept).not.toContain(password)
  expect(kept).toContain("$argon2id$")
})

test("a word in a link that no action ends with says nothing", async () => {
  const visitor = consoleClient(service)
  const status = (text: string) => /role="status"/.test(text)
  expect(status((await visitor.get("/console/sign-in?done=out")).text)).toBe(true)
  expect(status((await visitor.get("/console/sign-in?done=constructor")).text)).toBe(false)
})

test("an unknown account is answered like a wrong password, after the same work", async () => {
  const { email } = await signedIn(service)
  const wrong = await tryAs(email, "un autre mot de passe")
  const unknown = await tryAs("personne@exemple.fr", "un autre mot de passe")
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  // Each page has a challenge of its own for passkeys.
  const shown = (text: string, typed: string) =>
    text.replaceAll(typed, "…").replace(/(?<=challenge&quot;:&quot;)[\w-]+/, "…")
  expect(shown(unknown.text, "personne@exemple.fr")).toBe(shown(wrong.text, email))
  expect(wrong.text).toContain("L’adresse e-mail ou le mot de passe ne convient pas.")
  const { passwordHash } = (await findOperator(service.app.db, email)) as { passwordHash: string }
  const cost = (hash: string) => hash.split("$").slice(1, 4)
  expect(cost(decoyHash)).toEqual(cost(passwordHash))
})

test("a clock that is set back keeps nobody out for longer than the longest wait", async () => {
  const { email } = await signedIn(service)
  const headers = somewhere()
  expect((await tryAs(email, "un autre mot de passe", headers)).status).toBe(401)
  clock.move(-dayMs)
  expect((await tryAs(email, password, headers)).status).toBe(303)
  clock.move(dayMs)
})

test("guessing at one account is slowed more and more, from whichever address it comes", async () => {
  const { email } = await signedIn(service)
  const waits: number[] = []
  for (let guess = 0; guess < 12; guess++) {
    for (;;) {
      const reply = await tryAs(email, `essai numéro ${guess}`)
      if (reply.status !== 429) break
      const waitMs = Number(reply.headers.get("retry-after")) * secondMs
      waits.push(waitMs)
      expect((await tryAs(email, password)).status).toBe(429)
      clock.move(waitMs - 1)
      expect((await tryAs(email, password)).status).toBe(429)
      clock.move(1)
    }
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60].map((seconds) => seconds * secondMs))
  clock.move(minuteMs)
  expect((await tryAs(email, password)).status).toBe(303)
  expect((await tryAs(email, "un autre mot de passe")).status).toBe(401)
})

test("guessing from one address at many accounts is slowed too; one’s own account does not pay for it", async () => {
  const { email } = await signedIn(service)
  const headers = somewhere()
  for (let guess = 0; guess < 20; guess++) {
    expect((await tryAs(`personne${guess}@exemple.fr`, password, headers)).status).toBe(401)
    if (guess === 10) expect((await tryAs(email, password, headers)).status).toBe(303)
  }
  expect((await tryAs(email, password, headers)).status).toBe(429)
  expect((await tryAs(email, password)).status).toBe(303)
})

test("tries at once are counted each", async () => {
  const { email } = await signedIn(service)
  const replies = await Promise.all(Array.from({ length: 12 }, () => tryAs(email, "un autre mot de passe")))
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
})

test("a session ends when it is idle for long, and at the latest after two weeks", async () => {
  const idle = await signedIn(service)
  clock.move(sessionIdleMs - 1)
  expect((await idle.get("/console/projects")).status).toBe(200)
  clock.move(sessionIdleMs)
  expect((await idle.get("/console/projects")).location).toBe("/console/sign-in?next=%2Fconsole%2Fprojects")

  const busy = await signedIn(service)
  for (let passed = 0; passed < sessionLongestMs - hourMs; passed += 6 * hourMs) {
    expect((await busy.get("/console/projects")).status).toBe(200)
    clock.move(6 * hourMs)
  }
  clock.move(hourMs)
  expect((await busy.get("/console/projects")).status).toBe(303)
  expect(sessionLongestMs).toBe(14 * dayMs)
})

test("signing out ends this session, a new sign-in the one that the browser had, a new password all", async () => {
  const first = await signedIn(service)
  const second = consoleClient(service)
  const third = consoleClient(service)
  for (const client of [second, third]) {
    await client.post(
      "/console/sign-in",
      { email: first.email, password },
      { token: null, headers: somewhere() },
    )
    await client.get("/console/projects")
  }
  const before = first.cookie
  expect((await first.post("/console/sign-out")).location).toBe("/console/sign-in?done=out")
  first.cookie = before
  expect((await first.get("/console/projects")).status).toBe(303)
  expect((await second.get("/console/projects")).status).toBe(200)
  const { cookie } = second
  await second.post("/console/sign-in", { email: first.email, password }, { token: null })
  expect((await second.get("/console/projects")).status).toBe(200)
  second.cookie = cookie
  expect((await second.get("/console/projects")).status).toBe(303)
  expect((await third.get("/console/projects")).status).toBe(200)

  const changed = await signedIn(service)
  await changePassword(service.app.db, changed.operatorId, "encore un autre mot de passe")
  expect((await changed.get("/console/projects")).status).toBe(303)
})

test("a password that was typed after the session had ended is shown on no page", async () => {
  const client = await signedIn(service)
  clock.move(sessionIdleMs)
  const typed = { present_password: password, password: "un tout autre mot de passe" }
  const asked = await client.post("/console/settings/password", typed)
  expect([asked.status, asked.location]).toEqual([303, "/console/sign-in"])
})

test("what was typed before the session ended is sent after signing in again, at the press of a button", async () => {
  const client = await signedIn(service)
  clock.move(sessionIdleMs)
  const typed = { name: "Docs & « tout »", site: "https://tapee.exemple.fr" }
  const asked = await client.post("/console/projects", typed)
  expect(asked.status).toBe(401)
  expect(asked.text).toContain("ce que vous aviez saisi n’est pas perdu")
  const carried = hiddenOf(asked.text)
  const wrong = await client.post(
    "/console/sign-in",
    { ...carried, email: client.email, password: "pas le bon" },
    { token: null, headers: somewhere() },
  )
  expect([wrong.status, hiddenOf(wrong.text)]).toEqual([401, carried])
  const signed = await client.post(
    "/console/sign-in",
    { ...carried, email: client.email, password },
    { token: null, headers: somewhere() },
  )
  expect(signed.status).toBe(200)
  expect(signed.text).toContain('action="/console/projects"')
  const sent = await client.post("/console/projects", hiddenOf(signed.text))
  expect(sent.status).toBe(303)
  expect((await client.get("/console/projects")).text).toContain("tapee.exemple.fr")

  for (const path of ["https://evil.example/", "//evil.example", "/api/v1/x"]) {
    const values = { email: client.email, password, pending_path: path, pending: "a=b" }
    const reply = await client.post("/console/sign-in", values, { token: null, headers: somewhere() })
    expect([reply.status, reply.location]).toEqual([303, "/console"])
  }
})

test("after signing in, the page that was asked for opens, and no other site", async () => {
  const { email } = await signedIn(service)
  const to = async (next: string) =>
    (
      await consoleClient(service).post(
        "/console/sign-in",
        { email, password, next },
        { token: null, headers: somewhere() },
      )
    ).location
  // Forms and URLSearchParams encode a space as `+` and leave `*` as it is.
  for (const page of ["/console/projects?done=removed", "/console/projects/a/indexing?search=mot+cl%C3%A9*"])
    expect(await to(page)).toBe(page)
  for (const elsewhere of [
    "https://evil.example/",
    "//evil.example",
    "/console//evil\\",
    "javascript:alert(1)",
    "/api",
  ])
    expect(await to(elsewhere)).toBe("/console")
})

test("the guessed address /console/login leads to the console, or to sign in first", async () => {
  const path = "/console/login"
  expect(await consoleClient(service).get(path)).toMatchObject({
    status: 303,
    location: "/console/sign-in?next=%2Fconsole%2Flogin",
  })
  expect(await (await signedIn(service)).get(path)).toMatchObject({ status: 303, location: "/console" })
})

test("over https the cookie is bound to the host and never sent in the clear; on the machine itself it need not be", async () => {
  await using behind = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" })
    .withClock(clock)
    .started()
  const { email } = await signedIn(behind)
  const sent = async (origin: string) => {
    const client = consoleClient(behind)
    const reply = await client.post(
      "/console/sign-in",
      { email, password },
      { token: null, headers: { origin, ...somewhere() } },
    )
    return [reply.status, reply.headers.getSetCookie()[0]?.replace(/=[\w-]{43}/, "=…")]
  }
  const lasting = `Path=/; Max-Age=${sessionLongestMs / secondMs}; HttpOnly; SameSite=Lax`
  expect(await sent("https://guichet.exemple.fr")).toEqual([303, `__Host-guichet=…; ${lasting}; Secure`])
  expect(await sent(behind.url)).toEqual([303, `guichet=…; ${lasting}`])
})

test("over plain http from elsewhere nobody signs in: the page says why", async () => {
  await using open = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "http://192.0.2.7:3000" })
    .withClock(clock)
    .started()
  const { email } = await signedIn(open)
  const reply = await consoleClient(open).post(
    "/console/sign-in",
    { email, password },
    { token: null, headers: { origin: "http://192.0.2.7:3000" } },
  )
  expect(reply.status).toBe(403)
  expect(reply.text).toContain("La console demande une URL en https://")
  expect(reply.headers.getSetCookie()).toEqual([])
})

/** The hidden fields of a page, as a browser sends them. */
function hiddenOf(text: string): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)
  const plain = (value: string) =>
    value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")
  return Object.fromEntries([...fields].map(([, name, value]) => [name, plain(value as string)]))
}
