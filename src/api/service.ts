import { Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import packageFile from "../../package.json" with { type: "json" }
import { type MailTestDeps, sendTestMail } from "../accounts/workspaces/operations.ts"
import { shown } from "../http/record/json.ts"
import { area, type KitDeps } from "./kit/area.ts"

const serviceRecord = Type.Object(
  { version: Type.String(), writable: Type.Boolean(), mail: Type.Boolean() },
  { $id: "Service" },
)
const mailAccepted = Type.Object({ to: Type.String() }, { $id: "MailTaken" })

interface ServiceDeps extends MailTestDeps {
  writable(): Promise<boolean>
}

/**
 * `/api/v1/service`: the version, whether the database accepts writes, whether mails are configured.
 * `/api/v1/mail-tests` sends a test mail.
 */
export function serviceRoutes(deps: ServiceDeps & KitDeps) {
  const { mailer, writable } = deps
  const { bearer, performs, shows } = area(deps, "workspace")

  return new Elysia({ name: "service", prefix: "/api/v1" })
    .use(bearer)
    .get(
      "/service",
      ...shows(shown(serviceRecord), async () => ({
        version: packageFile.version,
        writable: await writable(),
        mail: mailer.configured,
      })),
    )
    .post(
      "/mail-tests",
      ...performs(sendTestMail, {
        status: 202,
        schema: mailAccepted,
        json: (to) => ({ to }),
        refuses: [409, 429],
      }),
    )
}
