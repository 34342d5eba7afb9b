import { afterAll, beforeAll, expect, test } from "bun:test"
import { storeTotp } from "../../../src/accounts/second-factor/totp.ts"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import { deleteRows } from "../../../src/db/store.ts"
import { type Api, apiOf, strangerOf } from "../../support/api.ts"
import { guichet } from "../../support/cli.ts"
import { movableClock } from "../../support/clock.ts"
import { consoleClient, joinWorkspace, password, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"
import { type MailServer, startMailServer } from "../../support/smtp.ts"
import { totpCode } from "../../support/totp.ts"

// An owner helps a member who has lost the second factor, and weakens nobody of another workspace.

const clock = movableClock()
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
let service: Service
let smtp: MailServer
let api: Api

beforeAll(async () => {
  smtp = await startMailServer()
  service = await aService().withClock(clock).withSettings({ GUICHET_SMTP_URL: smtp.url }).started()
  api = await apiOf(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

type Client = Awaited<ReturnType<typeof signedIn>>

const pageOf = ({ operatorId }: Client) => `/console/settings/operators/${operatorId}/second-factor-removal`
const take = (by: Client, from: Client, present = password) =>
  by.post(pageOf(from), { present_password: present })
const isProtected = async ({ operatorId }: Client) =>
  (await service.app.db.selectFrom("totp").select("sealed").where("operator_id", "=", operatorId).execute())
    .length > 0

async function protectedOne(role: "viewer" | "editor" | "owner" = "editor"): Promise<Client> {
  const client = await signedIn(service, role)
  const { operatorId } = client
  const { db, vault } = service.app
  const sealed = vault.seal(secret, `totp ${operatorId}`)
  const wanted = { operatorId, sealed, code: totpCode(secret, clock.now()) }
  await db.transaction().execute((transaction) => storeTotp(transaction, vault, wanted, clock.now()))
  return client
}

/** The first mail to a member, whatever else is on its way. */
async function mailTo({ email }: Client) {
  for (let count = 1; ; count++) {
    const mail = (await smtp.waitFor(count)).find(({ to }) => to[0] === email)
    if (mail) return mail
  }
}

async function signsInByPassword({ email }: Client): Promise<boolean> {
  const reply = await consoleClient(service).post("/console/sign-in", { email, password }, { token: null })
  return reply.location !== null && !reply.text.includes('name="step"')
}

test("an owner who gives their own password takes a lost second factor: sessions end, a mail and the audit log say so", async () => {
  const [owner, member] = [await signedIn(service), await protectedOne()]
  expect(await signsInByPassword(member)).toBe(false)
  expect((await owner.get("/console/settings/operators")).text).toContain(pageOf(member))
  expect((await owner.get(pageOf(member))).text).toContain(member.email)
  const wrong = await take(owner, member, "un autre mot de passe")
  expect([wrong.status, await isProtected(member)]).toEqual([400, true])
  expect((await member.get("/console/projects")).status).toBe(200)

  expect((await take(owner, member)).location).toBe("/console/settings/operators?done=factors")
  expect(await isProtected(member)).toBe(false)
  expect((await member.get("/console/projects")).location).toStartWith("/console/sign-in")
  expect(await signsInByPassword(member)).toBe(true)
  const mail = await mailTo(member)
  expect([mail.to, mail.headers.get("subject")]).toEqual([
    [member.email],
    "Votre deuxième étape de connexion est retirée",
  ])
  expect(mail.text).toContain(owner.email)
  const [entry] = (await api.get("/api/v1/journal?limit=1")).body.items
  expect(entry).toMatchObject({
    action: "second_factor.removed",
    actor: { kind: "operator", id: owner.operatorId },
    subject: member.operatorId,
    subject_name: member.email,
  })
})

test("nobody else takes one: no editor, no token, no owner from themselves, and none where there is none", async () => {
  const [owner, editor, member] = [
    await protectedOne("owner"),
    await signedIn(service, "editor"),
    await protectedOne(),
  ]
  for (const reply of [await editor.get(pageOf(member)), await take(editor, member)])
    expect(reply.status).toBe(403)
  expect((await api.delete(`/api/v1/operators/${member.operatorId}/second-factors`)).status).toBe(404)
  const own = await take(owner, owner)
  expect([own.status, own.text.includes("se retire dans «\u00a0Votre compte\u00a0»")]).toEqual([403, true])
  expect([await isProtected(member), await isProtected(owner)]).toEqual([true, true])
  const plain = await signedIn(service, "editor")
  expect((await take(owner, plain)).status).toBe(409)
  expect((await plain.get("/console/projects")).status).toBe(200)
})

test("an account of another workspace, or of another one too, is weakened by no owner: they are told who can", async () => {
  const { db } = service.app
  const there = await strangerOf(service)
  const [here, elsewhere] = [await signedIn(service), await signedIn(service, "owner", there.workspaceId)]
  const member = await protectedOne()
  expect((await take(elsewhere, member)).status).toBe(404)
  // They join between the page and its button.
  expect((await here.get(pageOf(member))).status).toBe(200)
  await joinWorkspace(service, member.email, there.workspaceId, "viewer")
  for (const owner of [here, elsewhere])
    for (const reply of [await take(owner, member), await owner.get(pageOf(member))]) {
      expect(reply.status).toBe(403)
      expect(reply.text).toContain(`guichet operator password ${member.email} --without-second-factor`)
    }
  expect(await isProtected(member)).toBe(true)
  expect((await member.get("/console/projects")).status).toBe(200)
  await service.app.mailer.sendDue()
  expect(smtp.mails.filter(({ to }) => to[0] === member.email)).toEqual([])
  await deleteRows(db, "member", { workspace_id: there.workspaceId, operator_id: member.operatorId })
  expect((await take(here, member)).status).toBe(303)
})

test("the machine's owner takes it by a command wherever the account belongs, and the mail goes all the same", async () => {
  const member = await protectedOne()
  const second = await insertWorkspace(service.app.db, "Encore ailleurs", clock.now())
  await joinWorkspace(service, member.email, second, "viewer")
  const settings = { GUICHET_DATA_DIR: service.app.config.dataDir, GUICHET_SMTP_URL: smtp.url }
  const command = ["operator", "password", member.email, "--without-second-factor"]
  expect((await guichet(command, settings, `${password}\n`)).exitCode).toBe(0)
  // Commands write by the machine's clock.
  clock.move(Math.max(0, Date.now() - clock.now()) + 1000)
  await service.app.mailer.sendDue()
  const mail = await mailTo(member)
  expect([mail.to, mail.text.includes("La personne qui administre le serveur a retiré")]).toEqual([
    [member.email],
    true,
  ])
  expect(await isProtected(member)).toBe(false)
})
