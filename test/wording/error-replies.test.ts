import { afterAll, beforeAll, expect, test } from "bun:test"
import { sendRaw } from "../support/raw-request.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service

beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

const head = (line: string, host = "localhost") =>
  Buffer.from(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

test("a Host longer than any name is refused, however it is written", async () => {
  for (const host of ["a.".repeat(4000), `xn--${"a9".repeat(4000)}.fr`, "1".repeat(8000)])
    expect(await sendRaw(service.url, head("GET /console", host))).toBe(400)
})
