import { afterEach, beforeEach, expect, test } from "bun:test"
import { dayMs, hourMs } from "../../../src/base/clock.ts"
import { sign, signingKey } from "../../../src/webhooks/endpoints/signature.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

let webhooks: Webhooks
let id: string
let first: string

beforeEach(async () => {
  webhooks = await aService().withReceivers().started()
  const made = await webhooks.endpoint()
  id = made.id
  first = made.secret
})
afterEach(() => webhooks[Symbol.asyncDispose]())

const rotation = () => webhooks.api.post(`/api/v1/endpoints/${id}/secret-rotations`)

/** The indices of the secrets that signed the next message, in the order of the header. */
async function signersOf(...secrets: string[]): Promise<number[]> {
  await webhooks.respond()
  await webhooks.settled()
  const { headers, body } = webhooks.receiver.received.at(-1) as NonNullable<
    (typeof webhooks.receiver.received)[0]
  >
  const [messageId, timestamp] = [headers.get("webhook-id") ?? "", Number(headers.get("webhook-timestamp"))]
  return (headers.get("webhook-signature") ?? "")
    .split(" ")
    .map((signature) =>
      secrets.findIndex((secret) => sign([signingKey(secret)], messageId, timestamp, body) === signature),
    )
}

test("after a rotation both secrets sign for 24 hours, the new one first; then the new one alone", async () => {
  expect(await signersOf(first)).toEqual([0])
  const { status, body } = await rotation()
  expect(status).toBe(200)
  expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await signersOf(first, body.secret)).toEqual([1, 0])
  webhooks.clock.move(dayMs - 1)
  expect(await signersOf(first, body.secret)).toEqual([1, 0])
  webhooks.clock.move(1)
  expect(await signersOf(first, body.secret)).toEqual([1])
})

test("a second rotation does not cut short what the first one promised", async () => {
  const second = (await rotation()).body.secret
  webhooks.clock.move(hourMs)
  const third = (await rotation()).body.secret
  expect(await signersOf(first, second, third)).toEqual([2, 1, 0])
  webhooks.clock.move(23 * hourMs)
  expect(await signersOf(first, second, third)).toEqual([2, 1])
  webhooks.clock.move(hourMs)
  expect(await signersOf(first, second, third)).toEqual([2])
})

test("signatures do not pile up without end", async () => {
  for (let number = 0; number < 4; number++) expect((await rotation()).status).toBe(200)
  const refused = await rotation()
  expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"])
  webhooks.clock.move(dayMs)
  expect((await rotation()).status).toBe(200)
})

test("rotations at the same moment lose no secret", async () => {
  const answers = await Promise.all([rotation(), rotation(), rotation()])
  const secrets = answers.map((answer) => answer.body.secret)
  expect((await signersOf(first, ...secrets)).toSorted()).toEqual([0, 1, 2, 3])
})
