import { describe, expect, test } from "bun:test"
import { SMTPServer } from "smtp-server"
import { smtpSender } from "../../src/mail/smtp.ts"
import { openAuthorities } from "../../src/outbound/authorities.ts"
import { openAuthority } from "../support/authority.ts"
import { aService } from "../support/service-builder.ts"
import { startMailServer } from "../support/smtp.ts"

const noAuthorities = openAuthorities({ file: undefined, folders: undefined, extraFile: undefined })

/**
 * A server, or an attacker in between, that hides STARTTLS. Resolves to the password it received.
 */
async function toldAt(host: string, query = ""): Promise<unknown[]> {
  const passwords: unknown[] = []
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onAuth({ password }, _session, callback) {
      passwords.push(password)
      callback(null, { user: "guichet" })
    },
  })
  const listener = server.listen(0, "0.0.0.0")
  await new Promise((resolve) => listener.once("listening", resolve))
  const { port } = listener.address() as { port: number }
  const send = smtpSender(
    () => `smtp://guichet:secret@${host}:${port}${query}`,
    "guichet@acme.fr",
    noAuthorities,
  )
  await send({ id: "mail_1", to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }).catch(() => {})
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return passwords
}

test("a password leaves the machine encrypted or not at all", async () => {
  // The sender takes it for another machine: only known names and addresses of the loopback are local.
  expect(await toldAt("0.0.0.0")).toEqual([])
  expect(await toldAt("0.0.0.0", "?ignoreTLS=true")).toEqual([])
  expect(await toldAt("127.0.0.1")).toEqual(["secret"])
})

test("a mail that a server of an unknown authority does not get is one line with the remedy", async () => {
  using authority = openAuthority()
  const server = new SMTPServer({ secure: true, ...authority.certify(["127.0.0.1"]) })
  // The handshake that the client ends.
  server.on("error", () => {})
  const listener = server.listen(0, "127.0.0.1")
  await new Promise((resolve) => listener.once("listening", resolve))
  const { port } = listener.address() as { port: number }
  await using service = await aService()
    .withSettings({
      GUICHET_LOG_LEVEL: "warning",
      // No name: nodemailer tries any of its addresses, and another program may hold the port of ::1.
      GUICHET_SMTP_URL: `smtps://guichet:secret@127.0.0.1:${port}`,
    })
    .started()
  const { db, mailer, clock } = service.app
  const lines: string[] = []
  const write = process.stderr.write
  process.stderr.write = (line: string | Uint8Array) => lines.push(String(line)) > 0
  try {
    const mail = { workspaceId: "ws_1", to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }
    await db.transaction().execute((transaction) => mailer.queue(transaction, mail, clock.now()))
    await mailer.sendDue()
  } finally {
    process.stderr.write = write
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  const line = JSON.parse(lines.find((text) => text.includes("mail not sent")) ?? "{}")
  expect(line).toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" })
  expect(line.reason).toMatch(/nobody .* vouches .*NODE_EXTRA_CA_CERTS/)
})

describe("a server with a certificate of its own, as Debian's Postfix and Exim have", () => {
  for (const [where, url, isTaken] of [
    ["on this machine without a password", "smtp://127.0.0.1", true],
    ["on this machine with one", "smtp://guichet:secret@127.0.0.1", false],
    ["on another machine", "smtp://0.0.0.0", false],
    ["on another machine, where its encryption is left out", "smtp://0.0.0.0?ignoreTLS=true", true],
  ] as const)
    test(`${where}, ${isTaken ? "gets the mail" : "gets none"}`, async () => {
      using authority = openAuthority()
      let mails = 0
      const server = new SMTPServer({
        ...authority.certify(["mail.exemple.fr"]),
        authOptional: true,
        disableReverseLookup: true,
        onAuth: (_auth, _session, callback) => callback(null, { user: "guichet" }),
        onData(stream, _session, callback) {
          stream.resume().on("end", () => {
            mails++
            callback()
          })
        },
      })
      server.on("error", () => {})
      const listener = server.listen(0, "0.0.0.0")
      await new Promise((resolve) => listener.once("listening", resolve))
      const { port } = listener.address() as { port: number }
      const [address, query = ""] = url.split("?")
      const send = smtpSender(() => `${address}:${port}/?${query}`, "guichet@acme.fr", noAuthorities)
      await send({ id: "mail_1", to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }).catch(
        () => {},
      )
      await new Promise<void>((resolve) => server.close(() => resolve()))
      expect(mails).toBe(isTaken ? 1 : 0)
    })
})

test("the address of an answer is ASCII in its header, or left out", async () => {
  await using server = await startMailServer()
  const send = smtpSender(() => server.url, "guichet@acme.fr", noAuthorities)
  for (const replyTo of ["rené@exemple.fr", "rene@exämple.fr"])
    await send({ id: "mail_1", to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot", replyTo })
  const [accented, domain] = server.mails
  expect(accented?.headers.get("reply-to")).toBeUndefined()
  expect(domain?.headers.get("reply-to")).toBe("rene@xn--exmple-cua.fr")
  for (const { raw } of server.mails) expect(raw).not.toMatch(/[^\s!-~]/)
})
