import { expect, test } from "bun:test"
import { Webhook } from "standardwebhooks"
import { newSecret, sign, signingKey } from "../../../src/webhooks/endpoints/signature.ts"
import { vectors } from "./signature-vectors.json"

const bytes = (text: string) => new TextEncoder().encode(text)

test.each(vectors)("vector $name is signed as published", ({ secret, id, timestamp, body, signature }) => {
  expect(sign([signingKey(secret)], id, timestamp, bytes(body))).toBe(signature)
})

test("a library implementing the standard verifies what is signed, to the byte", () => {
  const secret = newSecret()
  const body = '{"type":"form.response.created","data":{"values":{"nom":"Zoé 😀"}}}'
  const sentAtSeconds = Math.floor(Date.now() / 1000)
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(sentAtSeconds),
    "webhook-signature": sign([signingKey(secret)], "msg_1", sentAtSeconds, bytes(body)),
  }
  const receiver = new Webhook(secret)
  expect(receiver.verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => receiver.verify(body.replace("Zoé", "Zoe"), headers)).toThrow()
  expect(() => receiver.verify(body, { ...headers, "webhook-id": "msg_2" })).toThrow()
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow()
})

test("while a rotation overlaps, a receiver with either secret verifies; the current one stands first", () => {
  const [current, previous] = [newSecret(), newSecret()]
  const sentAtSeconds = Math.floor(Date.now() / 1000)
  const both = sign([signingKey(current), signingKey(previous)], "msg_1", sentAtSeconds, bytes("{}"))
  expect(both.split(" ")).toEqual([
    sign([signingKey(current)], "msg_1", sentAtSeconds, bytes("{}")),
    sign([signingKey(previous)], "msg_1", sentAtSeconds, bytes("{}")),
  ])
  for (const secret of [current, previous])
    new Webhook(secret).verify("{}", {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(sentAtSeconds),
      "webhook-signature": both,
    })
})

test("a secret is whsec_ and 32 random bytes in padded base64", () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(newSecret()).not.toBe(newSecret())
})
