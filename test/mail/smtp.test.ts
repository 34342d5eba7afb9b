import { expect, test } from "bun:test"
import { SMTPServer } from "smtp-server"
import { smtpSender } from "../../src/mail/smtp.ts"
import { openAuthorities } from "../../src/outbound/authorities.ts"

const noAuthorities = openAuthorities({ file: undefined, folders: undefined, extraFile: undefined })

/**
 * A server, or an attacker in between, that hides STARTTLS. Resolves to the password it received.
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
  const send = smtpSender(`smtp://guichet:secret@${host}:${port}`, "guichet@acme.fr", noAuthorities)
  await send({ id: "mail_1", to: "camille@exemple.fr", subject: "Bonjour", text: "Un mot" }).catch(() => {})
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return passwords
}

test("a password leaves the machine encrypted or not at all", async () => {
  // The sender takes it for another machine: only known names and addresses of the loopback are local.
  expect(await toldAt("0.0.0.0")).toEqual([])
  expect(await toldAt("127.0.0.1")).toEqual(["secret"])
})
