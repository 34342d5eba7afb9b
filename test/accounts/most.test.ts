import { afterAll, beforeAll, expect, test } from "bun:test"
import { invite, joinByLink, maxMembers } from "../../src/accounts/invitation.ts"
import { maxProjects } from "../../src/accounts/project.ts"
import { findSession, maxSessions, openSession } from "../../src/accounts/session.ts"
import { createToken } from "../../src/accounts/token.ts"
import { maxTokens } from "../../src/accounts/tokens/operations.ts"
import { insertWorkspace, maxWorkspaces } from "../../src/accounts/workspace.ts"
import { untilNextDayMs } from "../../src/base/clock.ts"
import { newProjectId } from "../../src/base/ids.ts"
import { keepConsentText, maxConsentTexts } from "../../src/forms/definition/consent-text.ts"
import { maxForms, maxFormsOfWorkspace } from "../../src/forms/definition/form.ts"
import { everyScope } from "../../src/operations/scope.ts"
import { maxFeeds, saveFeed } from "../../src/reading/feed.ts"
import { testLimit } from "../../src/webhooks/messages/test-message.ts"
import { type Answered, strangerOf } from "../support/api.ts"
import { contact, site } from "../support/forms.ts"
import { signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"
import type { Webhooks } from "../support/webhooks.ts"

let webhooks: Webhooks

beforeAll(async () => {
  webhooks = await aService().withReceivers().started()
})
afterAll(() => webhooks[Symbol.asyncDispose]())

/** A client that makes things in a loop gets a French message at the limit, and none below it. */
function refusedFor(reply: Answered, most: number): void {
  expect([reply.status, reply.body.error?.code]).toEqual([409, "conflict"])
  expect(reply.body.error.message).toContain(String(most))
}

test("a workspace has so many projects, a project so many forms and feeds; its neighbours are none the poorer", async () => {
  const { app } = webhooks.service
  const api = await strangerOf(webhooks.service)
  const now = app.clock.now()
  const add = () => api.post("/api/v1/projects", { name: "Site", site })
  const project = (await add()).body.id
  await app.db
    .insertInto("project")
    .values(
      Array.from({ length: maxProjects - 2 }, () => ({
        id: newProjectId(),
        workspace_id: api.workspaceId,
        name: "Site",
        site,
        language: "fr" as const,
        assistant_enabled: 1 as const,
        answers: "written" as const,
        created_at: now,
      })),
    )
    .execute()
  expect((await add()).status).toBe(201)
  refusedFor(await add(), maxProjects)
  expect((await webhooks.api.post("/api/v1/projects", { name: "Site", site })).status).toBe(201)

  const addForm = () => api.post("/api/v1/forms", { ...contact, project })
  const [form] = [(await addForm()).body.id]
  const row = await app.db.selectFrom("form").selectAll().where("id", "=", form).executeTakeFirstOrThrow()
  await app.db
    .insertInto("form")
    .values(
      Array.from({ length: maxForms - 2 }, (_, number) => ({
        ...row,
        id: `form_${number}`,
        public_id: `p${number}`,
      })),
    )
    .execute()
  expect((await addForm()).status).toBe(201)
  refusedFor(await addForm(), maxForms)

  for (let number = 0; number < maxFeeds; number++)
    await saveFeed(app.db, project, { kind: "llms", address: `${site}/${number}/llms.txt` }, now)
  const addFeed = (address: string) =>
    api.post(`/api/v1/projects/${project}/feeds`, { kind: "llms", address: site + address })
  refusedFor(await addFeed("/llms.txt"), maxFeeds)
  // Adding the same address again does not add a feed.
  const same = { kind: "llms" as const, address: `${site}/0/llms.txt` }
  expect((await saveFeed(app.db, project, same, now)).added).toBe(false)
})

test("a workspace has so many forms in all its projects, and so many members", async () => {
  const { app } = webhooks.service
  const { db, clock } = app
  const api = await strangerOf(webhooks.service)
  const now = clock.now()
  const projects: string[] = []
  for (let number = 0; number < 2; number++)
    projects.push((await api.post("/api/v1/projects", { name: "Site", site })).body.id)
  const addForm = (project: string | undefined) => api.post("/api/v1/forms", { ...contact, project })
  const [form] = [(await addForm(projects[0])).body.id]
  const row = await db.selectFrom("form").selectAll().where("id", "=", form).executeTakeFirstOrThrow()
  // More than one project may have: where a later limit is lower, everybody keeps what there is.
  for (let from = 1; from < maxFormsOfWorkspace; from += 500)
    await db
      .insertInto("form")
      .values(
        Array.from({ length: Math.min(500, maxFormsOfWorkspace - 1 - from) }, (_, at) => ({
          ...row,
          id: `form_all_${from + at}`,
          public_id: `all${from + at}`,
        })),
      )
      .execute()
  expect((await addForm(projects[1])).status).toBe(201)
  const refused = await addForm(projects[1])
  expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"])
  expect(refused.body.error.message).toContain(maxFormsOfWorkspace.toLocaleString("fr"))

  const { workspaceId } = api
  const wanted = {
    workspaceId,
    email: "une@exemple.fr",
    role: "viewer" as const,
    held: [everyScope],
    inviter: undefined,
  }
  const { link } = await invite(app, wanted, now)
  const operators = Array.from({ length: maxMembers }, (_, at) => ({
    id: `opr_most_${at}`,
    email: `most${at}@exemple.fr`,
    password_hash: "x",
    created_at: now,
  }))
  await db.insertInto("operator").values(operators).execute()
  const members = operators.map(({ id }) => ({
    workspace_id: workspaceId,
    operator_id: id,
    role: "viewer" as const,
    created_at: now,
  }))
  await db.insertInto("member").values(members).execute()
  refusedFor(await api.post("/api/v1/operators", { email: "autre@exemple.fr", role: "viewer" }), maxMembers)
  const text = link.split("/").at(-1) as string
  const joined = joinByLink(db, { id: "opr_une", email: wanted.email }, text, now)
  await expect(joined).rejects.toMatchObject({ code: "conflict" })
})

test("an operator is signed in with so many browsers: one more ends the oldest", async () => {
  const { db } = webhooks.service.app
  const { clock } = webhooks
  const operator = await signedIn(webhooks.service)
  const first = await db
    .selectFrom("session")
    .select("hash")
    .where("operator_id", "=", operator.operatorId)
    .executeTakeFirstOrThrow()
  const sign = () => openSession(db, { id: operator.operatorId, email: operator.email }, clock.now())
  const sessions = () =>
    db.selectFrom("session").select("hash").where("operator_id", "=", operator.operatorId).execute()
  clock.move(1)
  for (let number = 1; number < maxSessions; number++) await sign()
  expect(await sessions()).toContainEqual(first)
  const last = await sign()
  const left = await sessions()
  expect(left).toHaveLength(maxSessions)
  expect(left).not.toContainEqual(first)
  expect(await findSession(db, last?.text ?? "", clock.now())).toBeDefined()
})

test("a workspace has so many tokens, and an organisation so many workspaces made from within", async () => {
  const { app } = webhooks.service
  const api = await strangerOf(webhooks.service)
  const now = app.clock.now()
  // The caller's own token counts as one.
  await app.db.transaction().execute(async (transaction) => {
    for (let number = 0; number < maxTokens - 2; number++)
      await createToken(transaction, api.workspaceId, "un de plus", now)
  })
  const add = () => api.post("/api/v1/tokens", { name: "jeton", scopes: ["forms:read"] })
  const both = await Promise.all([add(), add()])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  refusedFor(await add(), maxTokens)

  const { count } = await app.db
    .selectFrom("workspace")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  await app.db.transaction().execute(async (transaction) => {
    for (let number = count; number < maxWorkspaces - 1; number++)
      await insertWorkspace(transaction, "espace", now)
  })
  const addSpace = () => api.post("/api/v1/workspaces", { name: "Espace" })
  expect((await addSpace()).status).toBe(201)
  refusedFor(await addSpace(), maxWorkspaces)
})

test("a consent has so many wordings, each kept as a proof; one of these may be taken up again", async () => {
  const api = await strangerOf(webhooks.service)
  const project = await api.post("/api/v1/projects", { name: "Site", site })
  const described = { ...contact, project: project.body.id, consent: { text: "Texte 0" } }
  const { id } = (await api.post("/api/v1/forms", described)).body
  const reword = (number: number) =>
    api.patch(`/api/v1/forms/${id}`, { consent: { text: `Texte ${number}` } })
  const { app } = webhooks.service
  await app.db.transaction().execute(async (transaction) => {
    for (let number = 1; number < maxConsentTexts - 1; number++)
      await keepConsentText(transaction, id, { text: `Texte ${number}`, confirmation: false })
  })
  expect((await reword(maxConsentTexts - 1)).status).toBe(200)
  const refused = await reword(maxConsentTexts)
  refusedFor(refused, maxConsentTexts)
  expect((await reword(0)).status).toBe(200)
  expect((await api.get(`/api/v1/forms/${id}`)).body.consent.text).toBe("Texte 0")
})

test("an endpoint is sent so many test messages a day", async () => {
  const { app } = webhooks.service
  const { id } = await webhooks.endpoint()
  const send = () => webhooks.api.post(`/api/v1/endpoints/${id}/tests`)
  expect((await send()).status).toBe(202)
  await app.db
    .updateTable("limit_count")
    .set({ used: testLimit.points - 1 })
    .where("subject", "=", `test messages:${id}`)
    .execute()
  const both = await Promise.all([send(), send()])
  expect(both.map(({ status }) => status).sort()).toEqual([202, 429])
  const refused = await send()
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"])
  expect(refused.body.error.message).toContain("messages d’essai")
  await webhooks.settled()
  // The next day begins in the owner's time zone, an hour before that of UTC.
  webhooks.clock.move(untilNextDayMs("Europe/Paris", webhooks.clock.now()) - 1)
  expect((await send()).status).toBe(429)
  webhooks.clock.move(1)
  expect((await send()).status).toBe(202)
  await webhooks.settled()
})
