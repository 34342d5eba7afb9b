import { afterAll, beforeAll, expect, test } from "bun:test"
import { defaultWorkspaceId, insertWorkspace } from "../../../src/accounts/workspace.ts"
import { hourMs } from "../../../src/base/clock.ts"
import { apiOf, strangerOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { consoleClient, joinWorkspace, password, signedIn } from "../../support/operator.ts"
import { rawRequest, sendRaw } from "../../support/raw-request.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"
import { type MailServer, startMailServer } from "../../support/smtp.ts"

const clock = movableClock()
let service: Service
let smtp: MailServer

beforeAll(async () => {
  smtp = await startMailServer()
  const settings = { GUICHET_SMTP_URL: smtp.url, GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" }
  service = await aService().withClock(clock).withSettings(settings).started()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

/** Each comes from its own address, so that tests do not reach one another's limits. */
let people = 0
const somewhere = () => ({ "x-forwarded-for": `203.0.113.${++people}` })
const ask = (email: string, headers: Record<string, string> = somewhere()) =>
  consoleClient(service).post("/console/password-reset", { email }, { token: null, headers })
const choose = (path: string, text: string) =>
  consoleClient(service).post(path, { password: text }, { token: null })
const enter = (email: string, text: string) =>
  consoleClient(service).post("/console/sign-in", { email, password: text }, { token: null })

/** The path of the link in the mail to an address, the first one to it or a later one. */
async function mailedTo(email: string, count = 1): Promise<string> {
  const mail = (await smtp.waitFor(count, email)).at(-1)
  const [, origin, path] = /(https?:\/\/[^/\s]+)(\/console\/\S+)/.exec(mail?.text ?? "") ?? []
  expect(origin).toBe("https://guichet.exemple.fr")
  return path as string
}

test("a forgotten password is chosen anew by a mailed link, once, and every session ends", async () => {
  const camille = await signedIn(service)
  const other = await signedIn(service)
  expect((await ask(` ${camille.email.toUpperCase()} `)).location).toBe("/console/password-reset?done=sent")
  const path = await mailedTo(camille.email)
  expect((await consoleClient(service).get(path)).text).toContain(camille.email)
  expect((await choose(path, "court")).text).toContain("12 à 256 caractères")
  const chosen = "un tout autre mot de passe"
  expect((await choose(path, chosen)).location).toBe("/console/sign-in?done=password")
  expect((await camille.get("/console/projects")).location).toStartWith("/console/sign-in")
  expect((await other.get("/console/projects")).status).toBe(200)
  expect([
    (await enter(camille.email, password)).status,
    (await enter(camille.email, chosen)).status,
  ]).toEqual([401, 303])
  for (const reply of [await choose(path, chosen), await consoleClient(service).get(path)])
    expect([reply.status, reply.text.includes("n’est plus valable")]).toEqual([404, true])
  const entry = (await (await apiOf(service)).get("/api/v1/journal?limit=1")).body.items[0]
  expect(entry).toMatchObject({ action: "password.reset", subject: camille.operatorId })
  const kept = JSON.stringify(await service.app.db.selectFrom("password_link").selectAll().execute())
  expect(kept).not.toContain(path.split("/").at(-1) as string)
})

test("each workspace of an account notes that its password was chosen anew", async () => {
  const camille = await signedIn(service)
  const { db } = service.app
  const second = await insertWorkspace(db, "Deuxième", clock.now())
  await joinWorkspace(service, camille.email, second, "viewer")
  await ask(camille.email)
  await choose(await mailedTo(camille.email), `${password} encore`)
  const noted = await db
    .selectFrom("audit_log")
    .select("workspace_id")
    .where("action", "=", "password.reset")
    .where("subject", "=", camille.operatorId)
    .execute()
  const first = await defaultWorkspaceId(db)
  expect(noted.map((entry) => entry.workspace_id).sort()).toEqual([first, second].sort())
})

test("one link of several is good once, however many are sent at once, and the others end with it", async () => {
  const camille = await signedIn(service)
  await ask(camille.email)
  await ask(camille.email)
  const [first, second] = [await mailedTo(camille.email), await mailedTo(camille.email, 2)]
  const replies = await Promise.all([1, 2, 3].map((each) => choose(first, `${password} ${each}`)))
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 404, 404])
  expect((await choose(second, password)).status).toBe(404)
})

test("a link is dead after an hour, and once the password was changed otherwise", async () => {
  const camille = await signedIn(service)
  await ask(camille.email)
  const path = await mailedTo(camille.email)
  clock.move(hourMs)
  expect((await choose(path, password)).status).toBe(404)
  await ask(camille.email)
  const next = await mailedTo(camille.email, 2)
  await enter(camille.email, password)
  const changed = { present_password: password, password: `${password} encore` }
  const again = await signedInAgain(camille.email)
  expect((await again.post("/console/settings/password", changed)).status).toBe(303)
  expect((await choose(next, password)).status).toBe(404)
})

async function signedInAgain(email: string) {
  const client = consoleClient(service)
  await client.post("/console/sign-in", { email, password }, { token: null })
  await client.get("/console/settings/account")
  return client
}

test("an unknown address is answered alike, after the same work, and nobody is written to", async () => {
  const { email } = await signedIn(service)
  const { db } = service.app
  const rows = async () => {
    const [links, mails] = await Promise.all([
      db.selectFrom("password_link").select("hash").execute(),
      db.selectFrom("limit_count").select("subject").execute(),
    ])
    return [links.length, mails.length]
  }
  const queued: number[] = []
  const { mailer } = service.app
  const { queue } = mailer
  mailer.queue = async (transaction, mail, nowMs) => {
    const isQueued = await queue(transaction, mail, nowMs)
    const sealed = await transaction.selectFrom("mail").select("sealed").orderBy("id", "desc").execute()
    queued.push(sealed[0]?.sealed.length ?? 0)
    return isQueued
  }
  using _restored = { [Symbol.dispose]: () => Object.assign(mailer, { queue }) }
  const unknown = `${"x".repeat(email.length - "@exemple.fr".length)}@exemple.fr`
  const counts: number[][] = [await rows()]
  const replies = []
  for (const each of [unknown, email]) {
    const { status, location, text } = await ask(each)
    replies.push([status, location, text])
    counts.push(await rows())
  }
  expect(replies[0]).toEqual(replies[1] as string[])
  const [start, one, two] = counts as [number[], number[], number[]]
  expect(one.map((count, at) => count - (start[at] as number))).toEqual(
    two.map((count, at) => count - (one[at] as number)),
  )
  // The two mails differ by a flag alone, and both are stored.
  expect(queued.length).toBe(2)
  expect(Math.abs((queued[0] as number) - (queued[1] as number))).toBeLessThan(4)
  await mailedTo(email)
  await mailer.sendDue()
  expect(smtp.mails.filter(({ to }) => to.includes(email)).length).toBe(1)
  expect(smtp.mails.filter(({ to }) => to.includes(unknown))).toEqual([])
  expect(await db.selectFrom("mail").select("id").execute()).toEqual([])
})

test("a forged Host changes nothing in the link, and another site's page asks for none", async () => {
  const { email } = await signedIn(service)
  const headers = {
    host: "attaquant.fr",
    "x-forwarded-host": "attaquant.fr",
    origin: "https://guichet.exemple.fr",
    ...somewhere(),
    "content-type": "application/x-www-form-urlencoded",
  }
  const body = Buffer.from(new URLSearchParams({ email }).toString())
  expect(await sendRaw(service.url, rawRequest("POST", "/console/password-reset", headers, body))).toBe(303)
  await mailedTo(email)
  expect((await smtp.waitFor(1, email))[0]?.raw).not.toContain("attaquant")
  expect((await ask(email, { ...somewhere(), origin: "https://attaquant.fr" })).status).toBe(403)
})

test("links are limited by address and by visitor, alike for known and unknown ones", async () => {
  const { email } = await signedIn(service)
  for (const each of [email, "inconnue@exemple.fr"]) {
    const statuses = []
    for (let time = 0; time < 4; time++) statuses.push((await ask(each)).status)
    expect(statuses).toEqual([303, 303, 303, 429])
  }
  const here = somewhere()
  const statuses = []
  for (let each = 0; each < 11; each++) statuses.push((await ask(`personne${each}@exemple.fr`, here)).status)
  expect(statuses).toEqual([...Array(10).fill(303), 429])
  expect((await ask("pas une adresse")).status).toBe(400)
})

test("an owner makes a link for a member of this workspace alone; it is void once they belong to another", async () => {
  const owner = await signedIn(service)
  const there = await strangerOf(service)
  const member = await signedIn(service, "editor")
  await owner.get("/console/settings/operators")
  const made = await owner.post(`/console/settings/operators/${member.operatorId}/password-link`)
  const path = /https:\/\/guichet\.exemple\.fr(\/console\/password-reset\/[\w-]{43})/.exec(
    made.text,
  )?.[1] as string
  expect((await consoleClient(service).get(path)).status).toBe(200)
  await joinWorkspace(service, member.email, there.workspaceId, "viewer")
  expect((await choose(path, `${password} volé`)).status).toBe(404)
  await owner.get("/console/settings/operators")
  const refused = await owner.post(`/console/settings/operators/${member.operatorId}/password-link`)
  expect([refused.status, refused.text.includes("membre d’un autre espace")]).toEqual([403, true])
  const editor = await signedIn(service, "editor")
  expect((await editor.post(`/console/settings/operators/${owner.operatorId}/password-link`)).status).toBe(
    403,
  )
})

test("an invitation is mailed too, three times a day to one mailbox; further ones are handed over by hand", async () => {
  const owner = await signedIn(service)
  await owner.get("/console/settings/operators")
  const values = { email: "nadia@exemple.fr", role: "editor" }
  const made = await owner.post("/console/settings/operators", values)
  expect(made.text).toContain("reçoit le lien par e-mail")
  const path = await mailedTo("nadia@exemple.fr")
  expect((await smtp.waitFor(1, "nadia@exemple.fr"))[0]?.text).toContain(`vient de ${owner.email}`)
  expect((await choose(path, password)).status).toBe(303)
  const api = await apiOf(service)
  const invite = async (email: string) =>
    (await api.post("/api/v1/operators", { email, role: "viewer" })).body
  const mailed = []
  for (const suffix of ["a", "b", "c", "d"]) mailed.push((await invite(`omar+${suffix}@exemple.fr`)).mailed)
  expect(mailed).toEqual([true, true, true, false])
})

test("without a mail server the page says who can make a link, and no mail is promised", async () => {
  await using mute = await aService().started()
  await signedIn(mute)
  const { text } = await consoleClient(mute).get("/console/password-reset")
  for (const way of [
    "guichet operator password EMAIL",
    "guichet setup-link",
    "Un propriétaire peut en créer un",
  ])
    expect(text).toContain(way)
  const posted = await consoleClient(mute).post(
    "/console/password-reset",
    { email: "a@exemple.fr" },
    { token: null },
  )
  expect(posted.status).toBe(409)
  const api = await apiOf(mute)
  expect((await api.post("/api/v1/operators", { email: "a@exemple.fr", role: "viewer" })).body.mailed).toBe(
    false,
  )
})
