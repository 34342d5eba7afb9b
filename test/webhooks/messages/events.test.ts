import { afterEach, expect, test } from "bun:test"
import { storeAnswer } from "../../../src/answering/ask/store-answer.ts"
import { dayMs, hourMs } from "../../../src/base/clock.ts"
import { detail } from "../../../src/base/errors.ts"
import { recordFailure } from "../../../src/indexing/indexing-run.ts"
import { announceFailedIndexings, announceUnansweredQuestions } from "../../../src/mails/owner-events.ts"
import { eventTypes } from "../../../src/webhooks/endpoints/event-types.ts"
import { notifyFailing } from "../../../src/webhooks/endpoints/failing.ts"
import { signingKey, verifySignature } from "../../../src/webhooks/endpoints/signature.ts"
import { eraseQuestions } from "../../../src/webhooks/messages/erase.ts"
import { announceFailing } from "../../../src/webhooks/messages/events/endpoint-failing.ts"
import { messageChecker } from "../../support/operations.ts"
import type { Received } from "../../support/receiver.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

/* Events that an endpoint gets only if its owner asks for them. */

let webhooks: Webhooks
afterEach(async () => {
  // Whatever a receiver got is what `openapi.json` tells of its kind, and holds nothing more.
  const faultsOf = messageChecker((await webhooks.api.get("/api/v1/openapi.json")).body)
  const messages = webhooks.receivers.flatMap(({ received }) => received.map(bodyOf))
  expect(messages.map((body) => [body.type, ...faultsOf(body)])).toEqual(messages.map(({ type }) => [type]))
  await webhooks[Symbol.asyncDispose]()
})

async function started(): Promise<void> {
  webhooks = await aService()
    .withReceivers([() => new Response("ok"), () => new Response("", { status: 500 })])
    .started()
}

async function add(receiver: number, body: object): Promise<{ id: string; secret: string }> {
  const url = `https://${webhooks.receivers[receiver]?.name}/hook`
  const { status, body: reply } = await webhooks.api.post("/api/v1/endpoints", { url, ...body })
  expect([status, reply.error]).toEqual([201, undefined])
  return reply
}

const project = async (name: string) =>
  (await webhooks.api.post("/api/v1/projects", { name, site: "https://a.fr" })).body.id as string

const bodyOf = ({ body }: Received) => JSON.parse(new TextDecoder().decode(body))
/** What the first receiver got. */
const got = () => webhooks.receiver.received.map(bodyOf)
const ofType = (type: string) => got().filter((message) => message.type === type)

/** What the hourly job does. */
async function tellFailing(): Promise<void> {
  const { db, log, messageQueue } = webhooks.service.app
  const nowMs = webhooks.clock.now()
  await notifyFailing(db, log, async () => {}, nowMs, announceFailing(nowMs))
  messageQueue.wake()
  await webhooks.settled()
}

test("an endpoint gets the messages of forms alone unless it asks for more, and may ask for other events alone", async () => {
  await started()
  const { id } = await add(0, {})
  const endpoint = async () => (await webhooks.api.get(`/api/v1/endpoints/${id}`)).body.events
  expect(await endpoint()).toEqual(["form.response.created"])
  const change = (events: unknown) => webhooks.api.patch(`/api/v1/endpoints/${id}`, { events })
  expect((await change(["questions.unanswered", "questions.unanswered"])).body.events).toEqual([
    "questions.unanswered",
  ])
  await webhooks.respond()
  await webhooks.settled()
  expect(got()).toEqual([])
  for (const events of [[], ["form.deleted"], "endpoint.failing"])
    expect((await change(events)).status).toBe(400)
})

test("that an endpoint fails is told to others that ask, never to itself, once a day, signed as any message", async () => {
  await started()
  const asked = { events: ["form.response.created", "endpoint.failing"] }
  const { secret } = await add(0, asked)
  const failing = await add(1, { ...asked, description: "CRM" })
  for (let hours = 0; hours <= 26; hours++) {
    await webhooks.respond()
    await webhooks.pass(hourMs)
    await tellFailing()
  }
  const [told, ...more] = ofType("endpoint.failing")
  expect(more).toEqual([])
  expect(told.data).toMatchObject({ endpoint_id: failing.id, description: "CRM", answer: "500", cause: null })
  const request = webhooks.receiver.received.find(
    (each) => bodyOf(each).type === "endpoint.failing",
  ) as Received
  const sentAtMs = Number(request.headers.get("webhook-timestamp")) * 1000
  expect(verifySignature([signingKey(secret)], request.headers, request.body, sentAtMs)).toBe("right")
  const toItself = webhooks.receivers[1]?.received.filter((each) => bodyOf(each).type === "endpoint.failing")
  expect(toItself).toEqual([])
  for (let hours = 0; hours <= 25; hours++) {
    await webhooks.respond()
    await webhooks.pass(hourMs)
    await tellFailing()
  }
  expect(ofType("endpoint.failing")).toHaveLength(2)
})

test("an endpoint of one client hears of its projects alone, and of no endpoint that gets more", async () => {
  await started()
  const [own, other] = [await project("A"), await project("B")]
  const events = ["endpoint.failing", "project.index_failed"]
  await add(0, { events, projects: [own] })
  await add(1, {})
  const { app } = webhooks.service
  for (const id of [own, other])
    await recordFailure(
      app.db,
      id,
      { told: detail("assistant.indexingStuck"), reason: detail("reading.indexingStuck") },
      webhooks.clock.now(),
    )
  await announceFailedIndexings(app)
  for (let hours = 0; hours <= 26; hours++) {
    await webhooks.respond()
    await webhooks.pass(hourMs)
    await tellFailing()
  }
  expect(got().map(({ type, data }) => [type, data.project_id])).toEqual([["project.index_failed", own]])
})

test("a documentation that cannot be read is told once, and again after it could be", async () => {
  await started()
  const id = await project("Docs")
  await add(0, { events: ["project.index_failed"] })
  const { app } = webhooks.service
  const fail = async () => {
    await recordFailure(
      app.db,
      id,
      { told: detail("assistant.indexingStuck"), reason: detail("reading.indexingStuck") },
      webhooks.clock.now(),
    )
    await announceFailedIndexings(app)
    await webhooks.settled()
  }
  await fail()
  await fail()
  const [first, ...more] = got()
  expect(more).toEqual([])
  expect(first.data).toMatchObject({ project_id: id, project_name: "Docs" })
  expect(first.data.message.length).toBeGreaterThan(5)
  await app.db.updateTable("indexing_run").set({ outcome: "{}" }).execute()
  await announceFailedIndexings(app)
  await fail()
  expect(got()).toHaveLength(2)
  await webhooks.api.delete(`/api/v1/projects/${id}`)
  expect(await app.db.selectFrom("message").select("id").execute()).toEqual([])
})

/** Asks what nothing answers, some hours before two o'clock in the morning. */
function questions() {
  webhooks.clock.move(-(webhooks.clock.now() % dayMs) + dayMs + 2 * hourMs)
  return async (projectId: string, question: string, hoursAgo: number) => {
    const result = { status: "no_answer" as const, answer: "Rien.", sources: [], related: [] }
    const kept = { projectId, question, page: undefined, generation: 0, cacheKey: null, result }
    await storeAnswer(webhooks.service.app.db, kept, webhooks.clock.now() - hoursAgo * hourMs)
  }
}

test("each day's unanswered questions are told the day after, once, different ones, newest first", async () => {
  await started()
  const id = await project("Docs")
  await project("Silent")
  await add(0, { events: ["questions.unanswered"] })
  const { app } = webhooks.service
  const askAny = questions()
  const ask = (question: string, hoursAgo: number) => askAny(id, question, hoursAgo)
  await ask("Avant-hier, où se garer ?", 50)
  await ask("Où garer un vélo ?", 20)
  await ask("Où garer un vélo", 19)
  await ask("Peut-on payer en plusieurs fois ?", 10)
  for (let time = 0; time < 2; time++) {
    await announceUnansweredQuestions(app)
    await webhooks.settled()
  }
  expect(got()).toHaveLength(1)
  const [{ data }] = got()
  expect(data).toMatchObject({ project_id: id, project_name: "Docs", more: false })
  expect(data.questions.map(({ question }: { question: string }) => question)).toEqual([
    "Peut-on payer en plusieurs fois ?",
    "Où garer un vélo",
  ])
  // Where questions are kept for less time than the log.
  await eraseQuestions(app.db, webhooks.clock.now() + 1, webhooks.clock.now())
  expect(await app.db.selectFrom("message").select("payload").execute()).toEqual([{ payload: null }])
  webhooks.clock.move(2 * dayMs)
  await announceUnansweredQuestions(app)
  await webhooks.settled()
  expect(got()).toHaveLength(1)
})

test("questions that are too large for one message together are told as far as they fit, and hold up no other project", async () => {
  await started()
  const crowded = await project("Crowded")
  const quiet = await project("Quiet")
  await add(0, { events: ["questions.unanswered"] })
  const ask = questions()
  for (let number = 10; number < 60; number++) await ask(crowded, `mot${number}`.padEnd(1000, "\u0001"), 10)
  await ask(quiet, "Où garer un vélo ?", 10)
  await announceUnansweredQuestions(webhooks.service.app)
  await webhooks.settled()
  const told = new Map(got().map(({ data }) => [data.project_id, data]))
  expect(told.get(crowded)).toMatchObject({ more: true })
  expect(told.get(crowded).questions.length).toBeGreaterThan(40)
  expect(told.get(quiet)).toMatchObject({ more: false, questions: [{ question: "Où garer un vélo ?" }] })
})

test("a test message may be of each of these types", async () => {
  await started()
  const { id } = await add(0, {})
  for (const type of eventTypes)
    expect((await webhooks.api.post(`/api/v1/endpoints/${id}/tests`, { type })).status).toBe(202)
  expect((await webhooks.api.post(`/api/v1/endpoints/${id}/tests`, { type: "other" })).status).toBe(400)
  expect((await webhooks.api.post(`/api/v1/endpoints/${id}/tests`)).status).toBe(202)
  await webhooks.settled()
  expect(
    got()
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual([...eventTypes, "form.response.created"].toSorted())
})
