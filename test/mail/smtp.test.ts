import { expect, test } from "bun:test"
import { SMTPServer } from "smtp-server"
import { smtpSender } from "../../src/mail/smtp.ts"

/**
 * A server that hides encryption, or an intermediary that does. Resolves to what it was told as a password.
 */
async function toldAt(host: string): Promise<unknown[]> {
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
  const send = smtpSender(`smtp://guichet:secret@${host}:${port}`, "guichet@acme.fr")
  await send({ id: "mail_1", to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }).catch(() => {})
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return passwords
}

test("a password leaves the machine encrypted or not at all", async () => {
  // To the sender, another machine: only names and numbers of the loopback are this one.
  expect(await toldAt("0.0.0.0")).toEqual([])
  expect(await toldAt("127.0.0.1")).toEqual(["secret"])
})
