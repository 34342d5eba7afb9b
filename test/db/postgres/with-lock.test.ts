import { test as anyTest, expect } from "bun:test"
import { setUpFirstOperator } from "../../../src/accounts/first-operator.ts"
import { removeOperator } from "../../../src/accounts/members/operations.ts"
import { addFirstOperator, listMembers } from "../../../src/accounts/operator.ts"
import type { Project } from "../../../src/accounts/project.ts"
import { reserveAsk } from "../../../src/accounts/quotas/ask-quota.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { commandCaller } from "../../../src/cli/kit/open.ts"
import { confirmConsent } from "../../../src/forms/submission/consent.ts"
import { perform } from "../../../src/operations/perform.ts"
import { signingKeys } from "../../../src/webhooks/endpoints/secret.ts"
import { holdTable } from "../../support/held-table.ts"
import { insertMember, password } from "../../support/operator.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { aService } from "../../support/service-builder.ts"

const test = anyTest.skipIf(noPostgres())

/*
 * Rules that hold on SQLite because its writing transactions run one at a time, and on PostgreSQL because of `withLock`.
 * The conditions of single statements keep the consent and the replay by themselves.
 */

const onPostgres = async () => serverSettings(await createDatabase())

function atOnce<Result>(count: number, run: (index: number) => Promise<Result>) {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => run(index)))
}

function fulfilled<Result>(results: PromiseSettledResult<Result>[]): Result[] {
  return results.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
}

test("a limit lets exactly as many questions in as it names, however many come at once", async () => {
  await using service = await aService()
    .withSettings(await onPostgres())
    .started()
  const { db, clock } = service.app
  const wide = { perMinute: 1000, perVisitorDay: 1000, perProjectDay: 1000, perOrganisationMonth: 1000 }
  for (const limit of ["perMinute", "perVisitorDay", "perProjectDay", "perOrganisationMonth"] as const) {
    const project = { id: limit, organisationId: limit, limits: {} } as Project
    const results = await atOnce(40, () =>
      reserveAsk(
        db,
        { project, visitor: "v" },
        { ...wide, [limit]: 10 },
        { timezone: "Europe/Paris", nowMs: clock.now() },
      ),
    )
    expect([limit, fulfilled(results).length]).toEqual([limit, 10])
  }
})

test("a workspace has 20 endpoints, however many are made at once", async () => {
  await using webhooks = await aService()
    .withSettings(await onPostgres())
    .withReceivers()
    .started()
  const url = `https://${webhooks.receiver.name}/hook`
  const made = await Promise.all(
    Array.from({ length: 40 }, () => webhooks.api.post("/api/v1/endpoints", { url })),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(20)
})

test("there is one first operator, whoever else signs up at the same time", async () => {
  const database = await createDatabase()
  await using service = await aService().withSettings(serverSettings(database)).started()
  const { db, clock } = service.app
  // Everybody has looked before anybody writes.
  await using held = await holdTable(database, "LOCK TABLE operator IN SHARE MODE")
  const signedUp = atOnce(4, (index) =>
    addFirstOperator(db, { email: `o${index}@exemple.fr`, password }, clock.now()),
  )
  await held.waiters(4)
  await held.release()
  expect(fulfilled(await signedUp)).toHaveLength(1)
})

test("nodes that start together with an operator in their settings all go on, and one makes the operator", async () => {
  const database = await createDatabase()
  await using service = await aService().withSettings(serverSettings(database)).started()
  const { db, log, clock } = service.app
  const config = { publicUrl: service.url, firstOperator: { email: "auto@exemple.fr", password } }
  await using held = await holdTable(database, "LOCK TABLE operator IN SHARE MODE")
  const started = atOnce(4, () => setUpFirstOperator({ db, log, config }, clock.now()))
  await held.waiters(4)
  await held.release()
  expect(fulfilled(await started)).toHaveLength(4)
  expect(await db.selectFrom("operator").select("email").execute()).toEqual([{ email: "auto@exemple.fr" }])
})

test("a workspace keeps an owner when its owners remove one another at once", async () => {
  await using service = await aService()
    .withSettings(await onPostgres())
    .started()
  const { app } = service
  const { db } = app
  const workspaceId = await defaultWorkspaceId(db)
  const caller = commandCaller("test", workspaceId)
  for (let round = 0; round < 5; round++) {
    for (const name of ["a", "b", "c"])
      await insertMember(app, { email: `${name}${round}@exemple.fr`, role: "owner", workspaceId })
    const owners = await listMembers(db, workspaceId)
    await Promise.allSettled(owners.map(({ id }) => perform(removeOperator, app, caller, { operator: id })))
    expect(await listMembers(db, workspaceId)).toHaveLength(1)
  }
})

test("posts with one idempotency key are one response", async () => {
  await using site = await aService()
    .withSettings(await onPostgres())
    .withForms()
    .started()
  const form = await site.form()
  const posted = await Promise.all(
    Array.from({ length: 20 }, () => form.json({ nom: "Camille", guichet_key: "k".repeat(32) })),
  )
  expect(posted.filter(({ status }) => status >= 300)).toEqual([])
  expect(new Set(posted.map(({ body }) => body.id)).size).toBe(1)
  expect(await form.responses()).toHaveLength(1)
})

test("a response that waits is accepted once", async () => {
  const database = await createDatabase()
  await using site = await aService().withSettings(serverSettings(database)).withForms().started()
  const form = await site.form()
  const { body: unwanted } = await form.json({ nom: "Camille", guichet_trap: "x" })
  await using held = await holdTable(database, "LOCK TABLE form_response IN SHARE MODE")
  const accepted = atOnce(6, () =>
    site.api.post(`/api/v1/forms/${form.id}/responses/${unwanted.id}/acceptance`),
  )
  await held.waiters(6)
  await held.release()
  expect(fulfilled(await accepted).filter(({ status }) => status < 300)).toHaveLength(1)
  const messages = site.service.app.db
    .selectFrom("message")
    .select("id")
    .where("response_id", "=", unwanted.id)
  expect(await messages.execute()).toHaveLength(1)
})

test("a visitor's posts of a day and of a minute are counted exactly", async () => {
  const limits = { GUICHET_FORM_PER_VISITOR_DAY: "12", GUICHET_FORM_PER_VISITOR_MINUTE: "5" }
  await using site = await aService()
    .withSettings({ ...(await onPostgres()), ...limits })
    .withForms()
    .started()
  const forms = [await site.form(), await site.form()]
  const posted = await Promise.all(
    Array.from({ length: 30 }, (_, index) => forms[index % 2]?.json({ nom: `${index}` })),
  )
  expect(posted.filter((each) => each && each.status < 300)).toHaveLength(12)
  const received = await Promise.all(forms.map((form) => form.responses()))
  expect(received.flat()).toHaveLength(5)
})

test("a consent is confirmed by one of several clicks on its link", async () => {
  const texts: string[] = []
  await using site = await aService()
    .withSettings(await onPostgres())
    .withOverrides({ sendMail: async ({ text }) => void texts.push(text) })
    .withForms()
    .started()
  const consent = { text: "Oui", confirmation: true }
  const form = await site.form({ consent })
  await form.json({ nom: "Camille", adresse: "camille@exemple.fr", consent: "on" })
  await site.service.app.mailer.sendDue()
  const [, token = ""] = /\/consent\/(\S+)/.exec(texts.join("\n")) ?? []
  const { db, clock } = site.service.app
  const confirmed = await atOnce(10, () => confirmConsent(db, token, clock.now()))
  expect(fulfilled(confirmed).filter(Boolean)).toHaveLength(1)
})

test("links of consents are followed exactly as often as a visitor may", async () => {
  await using site = await aService()
    .withSettings(await onPostgres())
    .withForms()
    .started()
  const followed = await Promise.all(
    Array.from({ length: 60 }, () => fetch(`${site.service.url}/consent/unknown`)),
  )
  for (const each of followed) await each.arrayBuffer()
  expect(followed.filter(({ status }) => status !== 429)).toHaveLength(30)
})

test("deliveries that are replayed or sent again several times at once are sent once", async () => {
  await using webhooks = await aService()
    .withSettings(await onPostgres())
    .withReceivers()
    .started()
  const { id } = await webhooks.endpoint()
  await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: false })
  for (let number = 0; number < 5; number++) await webhooks.respond()
  await webhooks.settled()
  await webhooks.api.patch(`/api/v1/endpoints/${id}`, { active: true })
  const since = "2020-01-01"
  const replayed = await Promise.all(
    Array.from({ length: 6 }, () => webhooks.api.post(`/api/v1/endpoints/${id}/replays`, { since })),
  )
  expect(replayed.reduce((sum, { body }) => sum + body.count, 0)).toBe(5)
  await webhooks.settled()
  expect(webhooks.receiver.received).toHaveLength(5)

  const [delivery] = await webhooks.deliveries(id)
  await webhooks.service.stopWork()
  const again = await Promise.all(
    Array.from({ length: 6 }, () => webhooks.api.post(`/api/v1/deliveries/${delivery.id}/attempts`)),
  )
  expect(again.filter(({ status }) => status !== 202)).toEqual([])
})

test("every secret that a rotation gives out signs, however many rotations come at once", async () => {
  await using webhooks = await aService()
    .withSettings(await onPostgres())
    .withReceivers()
    .started()
  const { app } = webhooks.service
  const { id } = await webhooks.endpoint()
  const rotated = await Promise.all(
    Array.from({ length: 8 }, () => webhooks.api.post(`/api/v1/endpoints/${id}/secret-rotations`)),
  )
  const secrets = rotated.filter(({ status }) => status < 300).map(({ body }) => body.secret as string)
  const { secrets: stored } = await app.db
    .selectFrom("endpoint")
    .select("secrets")
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  const keys = signingKeys(stored, app.vault, id, app.clock.now()).map(({ key }) => key.toString("base64"))
  // The first one and four more: five sign at most.
  expect(secrets).toHaveLength(4)
  expect(secrets.filter((secret) => !keys.includes(secret.replace("whsec_", "")))).toEqual([])
})
