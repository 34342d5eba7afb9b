import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect } from "node:net"
import { idleSeconds } from "../../src/http/extend-timeout.ts"
import { type FormSite, recordedMessages, site } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"

let forms: FormSite

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: recordedMessages() }).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

/** Sends slowly for long enough that Bun alone would have closed the connection. */
async function postSlowly(publicId: string, bytesPerSecond: number, totalBytes: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(forms.service.url)
  const body = Buffer.from(`nom=A&message=${"x".repeat(totalBytes - 14)}`)
  let sent = 0
  let reply = ""
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      `POST /f/${publicId} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${site}\r\nConnection: close\r\nContent-Length: ${totalBytes}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`,
    )
  })
  const drip = setInterval(() => {
    if (sent < totalBytes) socket.write(body.subarray(sent, sent + bytesPerSecond))
    sent += bytesPerSecond
  }, 1000)
  socket.on("data", (data) => {
    reply += data
  })
  socket.on("error", () => {})
  socket.on("close", () => {
    clearInterval(drip)
    resolve(reply.split("\r\n")[0] ?? "")
  })
  return promise
}

test("a phone on a poor line gets its form through, and who only trickles is ended", async () => {
  const [phone, trickle] = await Promise.all([forms.form(), forms.form()])
  const seconds = idleSeconds + 6
  expect(
    await Promise.all([
      postSlowly(phone.publicId, 2048, 2048 * seconds),
      // Would take forever.
      postSlowly(trickle.publicId, 1, 30_000),
    ]),
  ).toEqual(["HTTP/1.1 201 Created", ""])
  expect(await phone.responses()).toHaveLength(1)
  expect(await trickle.responses()).toHaveLength(0)
})
