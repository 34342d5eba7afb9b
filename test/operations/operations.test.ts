import { afterAll, beforeAll, expect, test } from "bun:test"
import type { TSchema } from "@sinclair/typebox"
import { createToken } from "../../src/accounts/token.ts"
import { hourMs } from "../../src/base/clock.ts"
import { ruleOf } from "../../src/http/record/rule.ts"
import { text } from "../../src/http/record/schemas.ts"
import { allows, roleScopes, scopes } from "../../src/operations/scope.ts"
import { movableClock } from "../support/clock.ts"
import { failWrites } from "../support/failing-writes.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import { call, isOfConsole, nameOf, type Performing, submit, testReceiver } from "../support/performing.ts"
import { aService } from "../support/service-builder.ts"
import { fileOf, noteOn, unwantedResponse, type World } from "../support/world.ts"

const clock = movableClock()
let world: World
let owner: ConsoleClient

beforeAll(async () => {
  world = await aService().withClock(clock).withOneOfEach().started()
  owner = await signedIn(world.service, "owner", world.api.workspaceId)
})
afterAll(() => world[Symbol.asyncDispose]())

/** The audit log does not name a person whose data is exported or erased. */
const isOfPerson = ({ operation: { audit } }: Performing) => audit?.startsWith("person.") ?? false

/** What makes a thing comes first, and what removes one last, a project after everything in it. */
function inOrder(rows: readonly Performing[]): Performing[] {
  const last = [/\.removed$/, /^project\.removed$/, /^DELETE .*\/workspaces/]
  const rank = (row: Performing) => {
    const { audit } = row.operation
    return audit?.endsWith(".added") ? 0 : 2 + last.findLastIndex((one) => one.test(audit ?? nameOf(row)))
  }
  return rows.toSorted((one, other) => rank(one) - rank(other) || other.path.length - one.path.length)
}

test("every operation asks of either face for its rights, and is done by nobody without them", async () => {
  const { performing } = world.service
  expect(performing.length).toBeGreaterThan(10)
  const viewer = await signedIn(world.service, "viewer", world.api.workspaceId)
  const { db } = world.service.app
  for (const row of performing) {
    const { needs } = row.operation
    if (isOfConsole(row)) {
      const mayViewer = needs.every((scope) => allows(roleScopes("viewer"), scope))
      expect(mayViewer ? 403 : await submit(world, row, viewer), nameOf(row)).toBe(403)
      continue
    }
    for (const missing of needs) {
      const others = scopes.filter((scope) => scope !== "all" && !allows([scope], missing))
      const { text } = await createToken(db, world.api.workspaceId, "others", clock.now(), others)
      expect(await call(world, row, text), `${nameOf(row)} without ${missing}`).toBe(403)
    }
  }
})

test("an operation that is one transaction is undone where its entry in the audit log cannot be written", async () => {
  const rows = world.service.performing.filter(({ operation }) => operation.isOneTransaction)
  expect(rows.length).toBeGreaterThan(40)
  const { db } = world.service.app
  const succeedAgain = await failWrites(db, "INSERT ON audit_log")
  const before = await everything()
  for (const row of rows) {
    const status = isOfConsole(row) ? await submit(world, row, owner) : await call(world, row)
    expect(status, nameOf(row)).toBeGreaterThanOrEqual(500)
    expect(await everything(), nameOf(row)).toEqual(before)
  }
  await succeedAgain()
})

/** Every row of what operations change, but for when a token was used or a response read last. */
async function everything(): Promise<unknown> {
  const { db } = world.service.app
  const rows = await Promise.all(
    changedTables.map((name) =>
      db
        .selectFrom(name as "token")
        .selectAll()
        .execute(),
    ),
  )
  return rows.map((each) => each.map((row) => JSON.stringify({ ...row, last_used_at: 0, read_at: 0 })).sort())
}

const changedTables = [
  "workspace",
  "token",
  "project",
  "project_origin",
  "feed",
  "synonym_group",
  "chosen_answer",
  "evaluation_question",
  "evaluation_run",
  "answer",
  "gap_mail",
  "form_response",
  "form_response_note",
  "widget_settings",
  "member",
] as const

test("every operation leaves one entry in the audit log that names what it was done to, through either face", async () => {
  await evaluated()
  // Its own row makes it.
  await world.api.delete(`/api/v1/endpoints/${await testReceiver(world)}`)
  for (const row of inOrder(world.service.performing)) {
    clock.move(1)
    if (row.operation.audit === "delivery.cancelled") await makeDueLater()
    const status = isOfConsole(row) ? await submit(world, row, owner) : await call(world, row)
    expect(status, nameOf(row)).toBeLessThan(400)
    const { audit } = row.operation
    const entry = {
      action: audit,
      actor_kind: isOfConsole(row) ? "operator" : "token",
      subject: isOfPerson(row) ? null : expect.any(String),
      subject_name: isOfPerson(row) ? null : expect.any(String),
    }
    expect(await entriesOfNow(), nameOf(row)).toMatchObject(audit === null ? [] : [entry])
    await restore(row)
  }
})

/** An attempt of every delivery is to come. */
async function makeDueLater(): Promise<void> {
  const later = { state: "pending" as const, due_at: clock.now() + hourMs, ended_at: null }
  await world.service.app.db.updateTable("delivery").set(later).execute()
}

/** In every workspace. */
function entriesOfNow() {
  const { db } = world.service.app
  return db.selectFrom("audit_log").selectAll().where("at", "=", clock.now()).execute()
}

/** By the action that removed a thing, where it is made again for the rows that come after. */
const madeAgain: Record<string, string | string[]> = {
  "project.removed": "/api/v1/projects",
  "endpoint.removed": "/api/v1/endpoints",
  "form.removed": "/api/v1/forms",
  "chosen_answer.removed": "/api/v1/projects/{id}/chosen-answers",
  "feed.removed": ["/api/v1/projects/{id}/feeds", "/api/v1/projects/{id}/feeds/{feedId}/uploads"],
  "file.removed": "/api/v1/projects/{id}/feeds/{feedId}/uploads",
  "evaluation.changed": "/api/v1/projects/{id}/evaluation-questions",
  "synonym.removed": "/api/v1/projects/{id}/synonyms",
  "token.removed": "/api/v1/tokens",
}

async function restore({ operation: { audit } }: Performing): Promise<void> {
  const { api, bodies, ids, service } = world
  // Its session has ended, or shows the workspace that was added.
  if (["password.changed", "account.ended", "workspace.added"].includes(audit ?? ""))
    owner = await signedIn(service, "owner", api.workspaceId)
  if (audit === "operator.removed")
    ids["operators"] = (await signedIn(service, "editor", api.workspaceId)).operatorId
  for (const template of [madeAgain[audit ?? ""] ?? []].flat()) {
    const made = await api.post(world.addressOf(template), bodies[`POST ${template}`])
    if (made.status === 201) ids[template.split("/").at(-1) as string] = made.body.id ?? made.body.items[0].id
  }
  if (audit === "evaluation.run") await evaluated()
  const isResponseGone = ["form.removed", "response.accepted", "response.erased", "person.erased"].includes(
    audit ?? "",
  )
  if (isResponseGone)
    ids["responses"] = await unwantedResponse(service, (await api.get(`/api/v1/forms/${ids["forms"]}`)).body)
  if (isResponseGone || audit === "note.removed")
    ids["notes"] = await noteOn(api, ids["forms"] as string, ids["responses"] as string)
  if (isResponseGone) ids["files"] = await fileOf(service, api.workspaceId, ids["responses"] as string)
}

/** One run is over before another starts, or is agreed with. */
async function evaluated(): Promise<void> {
  const list = world.addressOf("/api/v1/projects/{id}/evaluation-runs")
  while ((await world.api.get(list)).body.items.some(({ ended_at }: EndedAt) => ended_at === null))
    await Bun.sleep(10)
}

type EndedAt = { ended_at: string | null }

test("a text with a pattern is read by code that judges it: nobody runs the patterns of schemas", () => {
  const unread = world.service.performing.flatMap(({ operation }) => {
    const { audit, input } = operation as typeof operation & { input?: TSchema }
    return input ? patternsWithoutReader(input).map((pattern) => [audit, pattern]) : []
  })
  expect(unread).toEqual([])
})

/** A null or another shape beside has the reader of the whole. */
function patternsWithoutReader(schema: TSchema, readAbove = false): string[] {
  const isRead = readAbove || ruleOf(schema).read !== undefined
  const { pattern, items, properties = {}, anyOf = [] } = schema
  return [
    ...(pattern !== undefined && !isRead && pattern !== text().pattern ? [pattern] : []),
    ...(items ? patternsWithoutReader(items) : []),
    ...Object.values<TSchema>(properties).flatMap((member) => patternsWithoutReader(member)),
    ...anyOf.flatMap((shape: TSchema) => patternsWithoutReader(shape, isRead)),
  ]
}
