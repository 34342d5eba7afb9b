import { afterEach, expect, test } from "bun:test"
import { createToken } from "../../src/accounts/token.ts"
import { dayMs, hourMs } from "../../src/base/clock.ts"
import { newId } from "../../src/base/ids.ts"
import { erasePayloads } from "../../src/webhooks/messages/erase.ts"
import { numberSkippedMessages } from "../../src/webhooks/messages/message-order.ts"
import { purgeLog } from "../../src/webhooks/messages/purge.ts"
import { aService } from "../support/service-builder.ts"
import type { Webhooks } from "../support/webhooks.ts"

const path = "/api/v1/messages"
let webhooks: Webhooks
afterEach(() => webhooks[Symbol.asyncDispose]())

async function start(): Promise<void> {
  webhooks = await aService().withReceivers().started()
}

async function poll(query = "") {
  return (await webhooks.api.get(`${path}${query}`)).body
}

const numbersIn = (items: { body: string }[]) => items.map(({ body }) => JSON.parse(body).data.values.n)

test("messages come in order, at most 100 at once, with the exact body that is delivered", async () => {
  await start()
  await webhooks.endpoint()
  for (const n of ["0", "1"]) await webhooks.respond({ n })
  await webhooks.settled()
  const first = await poll()
  expect(numbersIn(first.items)).toEqual(["0", "1"])
  expect(first).toMatchObject({ more: false })
  expect(first.items.map(({ body }: { body: string }) => body)).toEqual(
    webhooks.receiver.received.map(({ body }) => Buffer.from(body).toString()),
  )
  expect(first.items.map(({ id }: { id: string }) => id)).toEqual(
    webhooks.receiver.received.map(({ headers }) => headers.get("webhook-id")),
  )
  await webhooks.respondMany(150)
  const second = await poll(`?after=${first.next_cursor}`)
  expect([second.items.length, second.more]).toEqual([100, true])
  const third = await poll(`?after=${second.next_cursor}&limit=70`)
  expect([third.items.length, third.more]).toEqual([50, false])
  const all = [...numbersIn(second.items), ...numbersIn(third.items)].map(Number)
  expect(all.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 150 }, (_, n) => n))
  expect(await poll(`?after=${third.next_cursor}`)).toEqual({
    items: [],
    next_cursor: third.next_cursor,
    more: false,
  })
})

test("a message that is stored late, with an earlier id, is not passed over", async () => {
  await start()
  await webhooks.respond({ n: "1" })
  const { next_cursor } = await poll()
  const { db } = webhooks.service.app
  const payload = Buffer.from(JSON.stringify({ data: { values: { n: "late" } } }))
  const createdAt = webhooks.clock.now() - 30_000
  const row = {
    workspace_id: webhooks.api.workspaceId,
    type: "form.response.created",
    payload,
    response_id: "resp_1",
  }
  await db
    .insertInto("message")
    .values({
      ...row,
      id: newId("msg", createdAt),
      created_at: createdAt,
      form_id: null,
      person: null,
      search_text: null,
    })
    .execute()
  expect(numbersIn((await poll(`?after=${next_cursor}`)).items)).toEqual(["late"])
})

test("a clock that was ahead hides nothing that comes once it is right", async () => {
  await start()
  const { clock, service } = webhooks
  clock.move(hourMs)
  await webhooks.respond({ n: "ahead" })
  const { next_cursor } = await poll()
  clock.move(-hourMs)
  await webhooks.respond({ n: "at once" })
  const { items, next_cursor: then } = await poll(`?after=${next_cursor}`)
  expect(numbersIn(items)).toEqual(["at once"])

  clock.move(hourMs)
  await webhooks.respond({ n: "ahead again" })
  const { next_cursor: beforeTheGap } = await poll(`?after=${then}`)
  clock.move(-hourMs / 2)
  await webhooks.respond({ n: "while nobody polled" })
  clock.move(hourMs)
  await webhooks.respond({ n: "afterwards" })
  expect(numbersIn((await poll(`?after=${beforeTheGap}`)).items)).toEqual(["afterwards"])
  expect(await numberSkippedMessages(service.app.db)).toBe(1)
  expect(numbersIn((await poll(`?after=${beforeTheGap}`)).items)).toEqual([
    "afterwards",
    "while nobody polled",
  ])
  expect(await numberSkippedMessages(service.app.db)).toBe(0)
})

test("a cursor outlives what it points at, and what was erased is left out", async () => {
  await start()
  await webhooks.respond({ n: "0" })
  const { next_cursor } = await poll()
  webhooks.clock.move(31 * dayMs)
  const { db } = webhooks.service.app
  await purgeLog(db, webhooks.clock.now())
  expect((await poll(`?after=${next_cursor}`)).items).toEqual([])
  const erased = await webhooks.respond({ n: "1" })
  await webhooks.respond({ n: "2" })
  await db.transaction().execute((transaction) => erasePayloads(transaction, [erased], webhooks.clock.now()))
  expect(numbersIn((await poll(`?after=${next_cursor}`)).items)).toEqual(["2"])
})

test("who begins at the end gets what comes from then on", async () => {
  await start()
  await webhooks.respondMany(130)
  const { items, next_cursor } = await poll("?after=end")
  expect(items).toEqual([])
  await webhooks.respond({ n: "new" })
  expect(numbersIn((await poll(`?after=${next_cursor}`)).items)).toEqual(["new"])
})

test("an answer ends where it would be too large, and goes on from there", async () => {
  await start()
  const long = "x".repeat(200_000)
  for (let n = 0; n < 8; n++) await webhooks.respond({ n: String(n), long })
  const first = await poll()
  expect([first.items.length, first.more]).toEqual([5, true])
  expect(numbersIn((await poll(`?after=${first.next_cursor}`)).items)).toEqual(["5", "6", "7"])
})

test("it takes a right of its own, sees its own workspace, and refuses what it cannot read", async () => {
  await start()
  await webhooks.respond()
  const { app, url } = webhooks.service
  const ask = async (scopes: string[]) => {
    const { text } = await createToken(app.db, webhooks.api.workspaceId, "", webhooks.clock.now(), scopes)
    return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${text}` } })).status
  }
  expect(await ask(["messages:read"])).toBe(200)
  expect(await ask(["endpoints:write", "forms:write"])).toBe(403)
  expect((await (await webhooks.stranger()).get(path)).body.items).toEqual([])
  const { status, body } = await webhooks.api.get(`${path}?after=x&limit=101`)
  expect([status, Object.keys(body.error.fields)]).toEqual([400, ["after", "limit"]])
})
