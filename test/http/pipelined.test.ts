import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect } from "node:net"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service
beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

// Needs no database: Bun itself closes a connection on which a request comes while another one waits for something.
const page = "HEAD /form.js HTTP/1.1\r\nHost: localhost\r\n\r\n"

/** Resolves to all that is answered on a new connection until the service closes it, or after `count` pages. */
async function replies(sent: string, count: number): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1")
  socket.write(sent)
  let text = ""
  for await (const bytes of socket) {
    text += bytes
    if (text.split("\r\n\r\n").length > count) break
  }
  return text
}

test("of the requests that come together on one connection few are answered, the last one closes it", async () => {
  const text = await replies(page.repeat(50), 50)
  expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(4)
  expect(text.match(/^connection: close\r$/gim)).toHaveLength(1)
})

test("a few are all answered, and the connection stays", async () => {
  const text = await replies(page.repeat(3), 3)
  expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(3)
  expect(text).not.toMatch(/^connection: close/im)
})
