import { afterAll, beforeAll, expect, spyOn, test } from "bun:test"
import { purgeSessions } from "../../src/accounts/session.ts"
import { dayMs } from "../../src/base/clock.ts"
import { type Api, apiOf, strangerOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import { type ConsoleClient, consoleClient, password, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const clock = movableClock()
let service: Service
let api: Api

beforeAll(async () => {
  service = await aService().withClock(clock).started()
  api = await apiOf(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const invite = (by: Api, email: string, role = "viewer") => by.post("/api/v1/operators", { email, role })
const pathOf = (link: string) => new URL(link).pathname
const create = (client: ConsoleClient, path: string, text = password) =>
  client.post(path, { password: text }, { token: null })
/** Signs in with the link still in hand, as the page after `create` asks. */
const signInBy = (client: ConsoleClient, path: string, email: string, text = password) =>
  client.post("/console/sign-in", { email, password: text, next: path }, { token: null })
const people = async (by: Api) =>
  (await by.get("/api/v1/operators?limit=100")).body.items as { id: string; email: string; state: string }[]
/** Masks tokens, ids, e-mail addresses and times, which differ at each call. */
const alike = (text: string) =>
  text.replace(/(?<=invitations(\/|%2F))[\w-]{43}|inv_[0-9a-f]+|[\w.-]+@[\w.-]+|20\d\d-[\dT:.-]+Z/g, "…")

test("whoever invites is answered alike whether or not the address has an account elsewhere, and its link shows alike", async () => {
  const there = await strangerOf(service)
  const known = await signedIn(service, "owner")
  const [one, other] = [await invite(there, known.email), await invite(there, "inconnue@exemple.fr")]
  expect(one.body).toEqual({
    id: expect.stringMatching(/^inv_/),
    email: known.email,
    role: "viewer",
    second_factor: false,
    state: "invited",
    created_at: expect.any(String),
    expires_at: new Date(clock.now() + 7 * dayMs).toISOString(),
    link: expect.stringMatching(/\/console\/invitations\/[\w-]{43}$/),
    mailed: false,
  })
  expect([other.status, alike(JSON.stringify(other.body))]).toEqual([201, alike(JSON.stringify(one.body))])
  const shown = async ({ body }: typeof one) => {
    const { status, text } = await consoleClient(service).get(pathOf(body.link))
    return [status, alike(text)]
  }
  expect(await shown(other)).toEqual(await shown(one))
  expect((await shown(one))[0]).toBe(200)
  const listed = (await there.get("/api/v1/operators")).body.items
  expect(listed.map((item: object) => alike(JSON.stringify(item)))).toEqual(
    Array(2).fill(alike(JSON.stringify(listed[0]))),
  )
  // An invitation alone makes nobody a member.
  expect((await known.post("/console/workspace", { workspace: there.workspaceId })).status).toBe(404)
})

test("inviting makes and verifies no password, which takes long enough to be told from outside", async () => {
  const known = await signedIn(service)
  const there = await strangerOf(service)
  using hashed = spyOn(Bun.password, "hash")
  using verified = spyOn(Bun.password, "verify")
  for (const email of [known.email, "personne@exemple.fr"])
    expect((await invite(there, email)).status).toBe(201)
  expect([hashed.mock.calls.length, verified.mock.calls.length]).toEqual([0, 0])
})

test("who has no account makes a password by the link and signs in to the workspace by it, and the link is spent", async () => {
  const { body } = await invite(api, "nadia@exemple.fr", "editor")
  const path = pathOf(body.link)
  const nadia = consoleClient(service)
  expect((await create(nadia, path, "court")).text).toContain("12 à 256 caractères")
  expect((await create(nadia, path)).location).toStartWith("/console/sign-in?next=")
  expect((await people(api)).find(({ email }) => email === "nadia@exemple.fr")?.state).toBe("invited")
  expect((await signInBy(nadia, path, "nadia@exemple.fr")).location).toBe("/console")
  expect((await nadia.get("/console/settings/operators")).text).toContain("nadia@exemple.fr")
  const [member] = (await people(api)).filter(({ email }) => email === "nadia@exemple.fr")
  expect(member).toMatchObject({
    id: expect.stringMatching(/^opr_/),
    role: "editor",
    state: "active",
    expires_at: null,
  })
  expect((await api.get("/api/v1/journal?limit=1")).body.items[0]).toMatchObject({
    action: "operator.joined",
    actor: { kind: "operator", name: "nadia@exemple.fr" },
  })
  for (const reply of [await consoleClient(service).get(path), await create(consoleClient(service), path)])
    expect([reply.status, reply.text.includes("n’est plus valable")]).toEqual([404, true])
  expect((await api.get(`/api/v1/operators/${body.id}`)).status).toBe(404)
})

test("one link makes one account, however many open it at once", async () => {
  const { body } = await invite(api, "ensemble@exemple.fr")
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => create(consoleClient(service), pathOf(body.link))),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(303))
  const { id } = await service.app.db
    .selectFrom("operator")
    .select("id")
    .where("email", "=", "ensemble@exemple.fr")
    .executeTakeFirstOrThrow()
  const signed = await Promise.all(
    Array.from({ length: 3 }, () =>
      signInBy(consoleClient(service), pathOf(body.link), "ensemble@exemple.fr"),
    ),
  )
  expect(signed.filter(({ location }) => location === "/console").length).toBeGreaterThan(0)
  expect((await people(api)).filter((each) => each.id === id)).toHaveLength(1)
})

test("who has an account signs in and accepts; nobody else does, and no password is set over theirs", async () => {
  const there = await strangerOf(service)
  const camille = await signedIn(service)
  const { body } = await invite(there, camille.email.toUpperCase(), "editor")
  const path = pathOf(body.link)
  // The link tells nobody whether the address has an account: it answers an unknown one to the letter alike.
  const unknown = (await invite(there, "personne.encore@exemple.fr", "editor")).body
  const other = "celui de quelqu’un d’autre"
  const answers = await Promise.all(
    [path, pathOf(unknown.link)].map(async (each) => {
      const { status, location, text } = await create(consoleClient(service), each, other)
      const after = await consoleClient(service).get(each)
      return [status, alike(String(location)), alike(text), after.status, alike(after.text)]
    }),
  )
  expect(answers[1]).toEqual(answers[0] as (string | number)[])
  expect((await signInBy(consoleClient(service), path, camille.email, other)).location).toBeNull()
  await there.delete(`/api/v1/operators/${unknown.id}`)

  const stranger = await signedIn(service)
  expect((await stranger.get(path)).text).toContain(`connecté avec l’adresse e-mail ${stranger.email}`)
  const refused = await stranger.post(`${path}/acceptance`)
  expect([refused.status, refused.text.includes(camille.email)]).toEqual([403, true])

  const browser = consoleClient(service)
  const signingIn = await browser.get(path)
  const next = /href="(\/console\/sign-in\?next=[^"]+)"/.exec(signingIn.text)?.[1] as string
  const credentials = {
    email: camille.email,
    password,
    next: new URL(next, service.url).searchParams.get("next") ?? "",
  }
  const signed = await browser.post("/console/sign-in", credentials, { token: null })
  expect(signed.location).toBe(path)
  await browser.get(path)
  expect((await browser.post(`${path}/acceptance`)).status).toBe(303)
  expect((await browser.get("/console/settings/operators")).text).toContain("stranger")
  expect(await people(there)).toMatchObject([{ id: camille.operatorId, role: "editor", state: "active" }])
  const [joined] = (await there.get("/api/v1/journal")).body.items
  expect(joined).toMatchObject({ action: "operator.joined", subject: camille.operatorId })
  expect(JSON.stringify((await api.get("/api/v1/journal?limit=100")).body)).not.toContain(path.slice(-43))
  expect((await browser.post(`${path}/acceptance`)).status).toBe(404)
})

test("an account made for an address by one workspace opens no invitation of another without its link", async () => {
  const squatter = await strangerOf(service)
  const squatted = consoleClient(service)
  const squattedPath = pathOf((await invite(squatter, "dsi@banque.fr", "owner")).body.link)
  await create(squatted, squattedPath)
  await signInBy(squatted, squattedPath, "dsi@banque.fr")
  const bank = await strangerOf(service)
  expect((await invite(bank, "dsi@banque.fr", "owner")).status).toBe(201)
  const { text } = await squatted.get("/console/settings")
  expect(text).not.toContain(bank.workspaceId)
  expect((await squatted.post("/console/workspace", { workspace: bank.workspaceId })).status).toBe(404)
})

test("an invitation forged by another site's page does nothing", async () => {
  const { body } = await invite(api, "cible@exemple.fr")
  const path = pathOf(body.link)
  const headers = { origin: "https://ailleurs.fr" }
  const posted = await consoleClient(service).post(path, { password }, { token: null, headers })
  expect(posted.status).toBe(403)
  const camille = await signedIn(service)
  const hers = pathOf((await invite(await strangerOf(service), camille.email)).body.link)
  await camille.get(hers)
  expect((await camille.post(`${hers}/acceptance`, {}, { headers })).status).toBe(403)
  expect((await camille.post(`${hers}/acceptance`, {}, { token: null })).status).toBe(403)
  expect((await camille.post(`${hers}/acceptance`, {}, { token: `${api.workspaceId}.x` })).status).toBe(403)
  expect((await camille.post(`${hers}/acceptance`)).status).toBe(303)
  const owner = await signedIn(service)
  const values = { email: "forge@exemple.fr", role: "owner" }
  expect((await owner.post("/console/settings/operators", values, { token: null })).text).not.toContain(
    "/invitations/",
  )
  expect((await people(api)).map(({ email }) => email)).not.toContain("forge@exemple.fr")
})

test("an account that was made by a link and joined nothing goes with the invitation; members stay", async () => {
  const there = await strangerOf(service)
  const { body } = await invite(there, "jamais@exemple.fr")
  await create(consoleClient(service), pathOf(body.link))
  const accounts = async () => {
    const { db } = service.app
    return (await db.selectFrom("operator").select("email").execute()).map(({ email }) => email)
  }
  await purgeSessions(service.app.db, clock.now())
  const before = await accounts()
  expect(before).toContain("jamais@exemple.fr")
  await there.delete(`/api/v1/operators/${body.id}`)
  await purgeSessions(service.app.db, clock.now())
  expect(await accounts()).toEqual(before.filter((email) => email !== "jamais@exemple.fr"))
})

test("a link is dead after 7 days, when it is taken back, and when its workspace is gone", async () => {
  const there = await strangerOf(service)
  const old = await invite(there, "tard@exemple.fr")
  clock.move(7 * dayMs)
  expect((await create(consoleClient(service), pathOf(old.body.link))).status).toBe(404)
  expect((await there.get("/api/v1/operators")).body.items).toEqual([])
  const again = await invite(there, "tard@exemple.fr")
  expect([again.status, (await invite(there, "tard@exemple.fr")).status]).toEqual([201, 409])
  expect((await there.delete(`/api/v1/operators/${again.body.id}`)).status).toBe(204)
  expect((await create(consoleClient(service), pathOf(again.body.link))).status).toBe(404)
  const last = await invite(there, "tard@exemple.fr")
  expect((await api.delete(`/api/v1/operators/${last.body.id}`)).status).toBe(404)
  expect((await there.delete(`/api/v1/workspaces/${there.workspaceId}`)).status).toBe(204)
  expect((await create(consoleClient(service), pathOf(last.body.link))).status).toBe(404)
})

test("who is only invited has no password and no session to be ended", async () => {
  const { body } = await invite(api, "absente@exemple.fr")
  const path = `/api/v1/operators/${body.id}`
  const passwords = { present_password: password, password: "un tout autre mot de passe" }
  expect((await api.call("PUT", `${path}/password`, passwords)).status).toBe(404)
  expect((await api.delete(`${path}/sessions`)).status).toBe(404)
  expect((await api.patch(path, { role: "owner" })).body).toMatchObject({ role: "owner", state: "invited" })
  expect((await api.get(path)).body).toMatchObject({ id: body.id, role: "owner" })
})

test("an owner invites, sees who has not answered, and takes an invitation back in the console", async () => {
  const owner = await signedIn(service)
  await owner.get("/console/settings/operators")
  const values = { email: "invitee@exemple.fr", role: "editor" }
  const made = await owner.post("/console/settings/operators", values)
  expect(made.text).toMatch(/http:\/\/localhost:\d*\/console\/invitations\/[\w-]{43}/)
  const page = await owner.get("/console/settings/operators")
  expect(page.text).toContain("invitation sans réponse, valable jusqu’au")
  const [, id] = /operators\/(inv_\w+)\/removal/.exec(page.text.slice(page.text.indexOf(values.email))) ?? []
  expect((await owner.post(`/console/settings/operators/${id}`, { role: "viewer" })).status).toBe(303)
  const taken = await owner.post(`/console/settings/operators/${id}/removal`)
  expect(taken.location).toBe("/console/settings/operators?done=back")
  expect((await owner.get("/console/settings/operators")).text).not.toContain(values.email)
})

test("an address that is none is refused at its field", async () => {
  for (const email of ["", "x", "a@b c", "@", "é".repeat(300)]) {
    const { status, body } = await invite(api, email)
    expect([email, status, Object.keys(body.error.fields)]).toEqual([email, 400, ["email"]])
  }
})
