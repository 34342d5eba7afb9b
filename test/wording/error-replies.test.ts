import { afterAll, beforeAll, expect, test } from "bun:test"
import { sendRaw } from "../support/raw-request.ts"
import { type Service, startService } from "../support/service.ts"

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const head = (line: string, host = "localhost") =>
  Buffer.from(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

for (const target of ["203.0.113.400:443", "exemple.fr:443", "[:443"])
  test(`CONNECT ${target} is a route that there is not`, async () => {
    expect(await sendRaw(service.url, head(`CONNECT ${target}`))).toBe(404)
  })

test("a Host longer than any name is refused, however it is written", async () => {
  for (const host of ["a.".repeat(4000), `xn--${"a9".repeat(4000)}.fr`, "1".repeat(8000)])
    expect(await sendRaw(service.url, head("GET /healthz", host))).toBe(400)
})
