import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import packageFile from "../../package.json" with { type: "json" }
import type { Clock } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { bodyOf } from "../http/fields.ts"
import { email } from "../http/schemas.ts"
import type { Mailer } from "../mail/outbox.ts"
import { sendTestMail } from "../mail/test-mail.ts"
import { testMail } from "../wording/mail.fr.ts"
import { area } from "./kit/area.ts"

const maxBodyBytes = 4 * 1024

const serviceAnswer = Type.Object(
  { version: Type.String(), writable: Type.Boolean(), mail: Type.Boolean() },
  { $id: "Service" },
)
const newMailTest = Type.Object({ to: email() }, { $id: "NewMailTest" })
const mailAccepted = Type.Object({ to: Type.String() }, { $id: "MailTaken" })

interface ServiceDeps {
  db: Db
  clock: Clock
  mailer: Mailer
  config: { timezone: string }
  writable(): Promise<boolean>
}

/**
 * `/api/v1/service`: the version, whether the database accepts writes, whether mails are configured.
 * `/api/v1/mail-tests` sends a test mail.
 */
export function serviceRoutes({ db, clock, mailer, config, writable }: ServiceDeps) {
  const { bearer, operation } = area({ db, clock }, "workspace")

  return new Elysia({ name: "service", prefix: "/api/v1" })
    .use(bearer)
    .get(
      "/service",
      async (): Promise<Static<typeof serviceAnswer>> => ({
        version: packageFile.version,
        writable: await writable(),
        mail: mailer.configured,
      }),
      operation({ answers: { 200: serviceAnswer } }),
    )
    .post(
      "/mail-tests",
      async ({ request, workspaceId, set }) => {
        const { to } = await bodyOf(request, maxBodyBytes, newMailTest)
        const wanted = { workspaceId, to: to.trim(), timezone: config.timezone, mail: testMail }
        await sendTestMail(db, mailer, wanted, clock.now())
        set.status = 202
        return { to }
      },
      operation({
        body: newMailTest,
        answers: { 202: mailAccepted },
        refuses: [409, 429],
        audit: "mail.tested",
      }),
    )
}
