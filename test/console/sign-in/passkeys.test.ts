import { afterAll, beforeAll, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { purgeSessions } from "../../../src/accounts/session.ts"
import { minuteMs } from "../../../src/base/clock.ts"
import { apiOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { type ConsoleClient, consoleClient, password, signedIn } from "../../support/operator.ts"
import { type Authenticator, authenticator, type Options, type Wrong } from "../../support/passkey.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
const origin = "https://guichet.exemple.fr"
const page = "/console/account/passkeys"
let service: Service

beforeAll(async () => {
  service = await aService().withClock(clock).withSettings({ GUICHET_PUBLIC_URL: origin }).started()
})
afterAll(() => service[Symbol.asyncDispose]())

const optionsIn = (text: string): Options =>
  JSON.parse(
    (/data-options="([^"]+)"/.exec(text)?.[1] ?? "null").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  )
const stepIn = (text: string) => /name="step" value="([^"]+)"/.exec(text)?.[1] ?? ""

async function register(client: ConsoleClient, device: Authenticator, wrong?: Wrong, given = password) {
  const options = optionsIn((await client.get(page)).text)
  const credential = device.register(options, wrong)
  const reply = await client.post(page, { name: "Téléphone", credential, present_password: given })
  return { options, credential, reply }
}

/** An operator with a passkey. */
async function withPasskey(wrong?: Wrong) {
  const own = await signedIn(service)
  const device = authenticator(origin)
  const { reply } = await register(own, device, wrong)
  if (reply.status !== 200) throw new Error(reply.text)
  return { own, device, codes: reply.text.match(/[a-z2-9]{4}(-[a-z2-9]{4}){5}/g) ?? [] }
}

const send = (credential: string, values: Record<string, string> = {}, client = consoleClient(service)) =>
  client.post("/console/sign-in/passkey", { credential, ...values }, { token: null })
const signInOptions = async () => optionsIn((await consoleClient(service).get("/console/sign-in")).text)

test("a passkey signs in by itself, to the page that was asked for", async () => {
  const { own, device, codes } = await withPasskey()
  expect(codes).toHaveLength(10)
  const options = await signInOptions()
  expect(options).toMatchObject({
    rpId: "guichet.exemple.fr",
    userVerification: "required",
    allowCredentials: [],
  })
  const client = consoleClient(service)
  const reply = await send(device.answer(options), { next: "/console/webhooks" }, client)
  expect([reply.status, reply.location]).toEqual([303, "/console/webhooks"])
  expect((await client.get("/console/settings/account")).text).toContain(own.email)
  expect((await client.get(page)).text).toContain("utilisée le")
  const { items } = (await (await apiOf(service)).get("/api/v1/journal?limit=1")).body
  expect(items[0]).toMatchObject({ action: "passkey.added", subject: own.operatorId })
})

test("the same answer signs in once, however often and however many times at once it is sent", async () => {
  // Synced passkeys count no uses.
  const { device } = await withPasskey({ counter: 0 })
  const answer = device.answer(await signInOptions(), { counter: 0 })
  const replies = await Promise.all([1, 2, 3, 4].map(() => send(answer)))
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
  expect((await send(answer)).status).toBe(401)
  clock.move(15 * minuteMs)
  await purgeSessions(service.app.db, clock.now())
  expect((await send(answer)).status).toBe(401)
})

test("an answer of another origin, site, kind, challenge, key, person or without the person verified opens nothing", async () => {
  const { own, device } = await withPasskey()
  const other = await withPasskey()
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const step = optionsIn(
    (await consoleClient(service).post("/console/sign-in", { email: own.email, password }, { token: null }))
      .text,
  )
  const creation = optionsIn((await own.get(page)).text)
  const wrongs: Wrong[] = [
    { origin: "https://attaquant.fr" },
    { origin: service.url },
    { origin: "https://guichet.exemple.fr.attaquant.fr" },
    { rpId: "attaquant.fr" },
    { type: "webauthn.create" },
    { challenge: Buffer.from("9".repeat(13)).toString("base64url") },
    { challenge: "" },
    { challenge: step.challenge },
    { challenge: creation.challenge },
    { key },
    { isUnverified: true },
    { userHandle: Buffer.from(other.own.operatorId).toString("base64url") },
  ]
  for (const wrong of wrongs)
    expect([wrong, (await send(device.answer(await signInOptions(), wrong))).status]).toEqual([wrong, 401])
  for (const garbage of [
    "",
    "{}",
    "null",
    "[]",
    "1",
    `{"id":1}`,
    `{"id":"${device.id}"}`,
    "x".repeat(100_000),
  ])
    expect([garbage.slice(0, 20), (await send(garbage)).status]).toEqual([garbage.slice(0, 20), 401])
  expect((await send(authenticator(origin).answer(await signInOptions()))).status).toBe(401)
  const late = await signInOptions()
  clock.move(15 * minuteMs)
  expect((await send(device.answer(late))).status).toBe(401)
  // A device that counts backwards was copied.
  expect((await send(device.answer(await signInOptions(), { counter: 50 }))).status).toBe(303)
  expect((await send(device.answer(await signInOptions(), { counter: 50 }))).status).toBe(401)
  const headers = { origin: "https://attaquant.fr" }
  const values = { credential: device.answer(await signInOptions(), { counter: 60 }) }
  const forged = await consoleClient(service).post("/console/sign-in/passkey", values, {
    token: null,
    headers,
  })
  expect(forged.status).toBe(403)
})

test("after the password a passkey of that account is a second step; another's is none, and no code is needed besides", async () => {
  const { own, device, codes } = await withPasskey()
  const other = await withPasskey()
  const first = async () => {
    const client = consoleClient(service)
    const { text } = await client.post("/console/sign-in", { email: own.email, password }, { token: null })
    return { client, options: optionsIn(text), step: stepIn(text) }
  }
  const { client, options, step } = await first()
  expect(options.allowCredentials).toEqual([{ type: "public-key", id: device.id }])
  expect(options.userVerification).toBe("preferred")
  expect((await send(other.device.answer(options), { step })).status).toBe(401)
  expect((await send(device.answer(options), { step: "" })).status).toBe(401)
  expect((await send(device.answer(await signInOptions()), { step })).status).toBe(401)
  expect((await send(device.answer(options, { isUnverified: true }), { step }, client)).status).toBe(303)
  const again = await first()
  const byCode = { step: again.step, code: codes[0] as string }
  expect((await again.client.post("/console/sign-in/second-step", byCode, { token: null })).status).toBe(303)
})

test("a passkey is added with the present password, for this account and this site alone, without a manufacturer's word", async () => {
  const own = await signedIn(service)
  const other = await signedIn(service)
  const device = authenticator(origin)
  const elsewhere = consoleClient(service)
  await elsewhere.post("/console/sign-in", { email: own.email, password }, { token: null })
  const wrongs: Wrong[] = [
    { origin: "https://attaquant.fr" },
    { rpId: "attaquant.fr" },
    { challenge: optionsIn((await other.get(page)).text).challenge },
    { challenge: (await signInOptions()).challenge },
    { format: "apple" },
    { format: "fido-u2f" },
    { format: "inconnu" },
  ]
  for (const wrong of wrongs)
    expect([wrong, (await register(own, device, wrong)).reply.status]).toEqual([wrong, 400])
  expect((await register(own, device, {}, "un autre mot de passe")).reply.status).toBe(400)
  expect((await elsewhere.get("/console/projects")).status).toBe(200)
  expect((await register(own, device)).reply.status).toBe(200)
  expect((await elsewhere.get("/console/projects")).status).toBe(303)
  expect((await register(own, device)).reply.status).toBe(409)
  expect((await register(other, device)).reply.status).toBe(409)
  await other.get(page)
  const stolen = { passkey: device.id, present_password: password }
  expect((await other.post(`${page}/removal`, stolen)).status).toBe(404)
  await own.get(page)
  expect((await own.post(`${page}/removal`, { ...stolen, present_password: "x" })).status).toBe(400)
  expect((await own.post(`${page}/removal`, stolen)).location).toBe(`${page}?done=removed`)
  expect((await send(device.answer(await signInOptions()))).status).toBe(401)
  const signed = await consoleClient(service).post(
    "/console/sign-in",
    { email: own.email, password },
    { token: null },
  )
  expect(signed.status).toBe(303)
})

test("an installation that is reached by its IP address offers no passkeys, and says why", async () => {
  await using bare = await aService().withSettings({ GUICHET_PUBLIC_URL: "http://127.0.0.1:3000" }).started()
  const own = await signedIn(bare)
  expect((await own.get(page)).text).toContain("nom de domaine")
  expect((await consoleClient(bare).get("/console/sign-in")).text).not.toContain("data-passkey=")
})
