import { expect, test } from "bun:test"
import { SMTPServer } from "smtp-server"
import type { Check } from "../../src/ops/checks/check.ts"
import { openAuthority } from "../support/authority.ts"
import { guichet } from "../support/cli.ts"
import { temporaryFolder } from "../support/service.ts"

test("models and mail servers whose certificate nobody vouches for are refused, whatever the environment says", async () => {
  using authority = openAuthority()
  const certified = authority.certify(["127.0.0.1", "localhost"])
  let requests = 0
  await using models = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: certified,
    fetch: () => {
      requests++
      return Response.json({ data: [] })
    },
  })
  let greeted = 0
  const mail = new SMTPServer({
    secure: true,
    ...certified,
    onAuth: (_auth, _session, callback) => callback(null, { user: "guichet" }),
    onConnect(_session, callback) {
      greeted++
      callback()
    },
  })
  // The handshake that the client ends.
  mail.on("error", () => {})
  const listener = mail.listen(0, "127.0.0.1")
  await new Promise((resolve) => listener.once("listening", resolve))
  using folder = temporaryFolder()
  const smtp = `smtps://guichet:secret@localhost:${(listener.address() as { port: number }).port}`
  const environment = {
    GUICHET_DATA_DIR: folder.path,
    GUICHET_MODEL: "openai",
    GUICHET_OPENAI_API_KEY: "key",
    GUICHET_OPENAI_BASE_URL: `https://127.0.0.1:${models.port}`,
    GUICHET_OPENAI_MODEL: "model",
    GUICHET_MAIL_FROM: "guichet@acme.fr",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  }
  const check = async (smtpUrl: string) => {
    const { stdout } = await guichet(["check", "--json"], { ...environment, GUICHET_SMTP_URL: smtpUrl })
    const { checks } = JSON.parse(stdout) as { checks: Check[] }
    const found = (name: string) => checks.find((check) => check.name === name)
    return { smtp: found("smtp"), model: found("model") }
  }
  const refused = await check(smtp)
  expect([refused.smtp?.state, refused.model?.state]).toEqual(["failed", "failed"])
  expect({ requests, greeted }).toEqual({ requests: 0, greeted: 0 })
  // The owner may say in the setting itself that this one server is to be trusted.
  expect((await check(`${smtp}?tls.rejectUnauthorized=false`)).smtp?.state).toBe("ok")
  await new Promise<void>((resolve) => mail.close(() => resolve()))
})
