import { Type } from "@sinclair/typebox"
import packageFile from "../../package.json" with { type: "json" }
import { sendTestMail } from "../accounts/workspaces/operations.ts"
import { detail, Refusal } from "../base/errors.ts"
import { isSameSecret } from "../base/hash.ts"
import { shown } from "../http/record/json.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

const serviceRecord = Type.Object(
  { version: Type.String(), writable: Type.Boolean(), mail: Type.Boolean() },
  { $id: "Service" },
)
const mailAccepted = Type.Object({ to: Type.String() }, { $id: "MailTaken" })

/**
 * `/api/v1/service`: the version, whether the database accepts writes, whether mails are configured.
 * `/api/v1/mail-tests` sends a test mail.
 */
export function serviceHandlers(deps: ApiDeps) {
  const { mailer, writable } = deps
  const { performs, shows } = handlers(deps)

  return {
    show: shows(shown(serviceRecord), async () => ({
      version: packageFile.version,
      writable: await writable(),
      mail: mailer.configured,
    })),
    testMail: performs(sendTestMail, {
      status: 202,
      schema: mailAccepted,
      json: (to) => ({ to }),
      refuses: [409, 429],
    }),
  }
}

/** The metrics for holders of their token, which is not one of the API. */
export function metricsHandler({ metrics, config }: ApiDeps) {
  return async ({ request }: { request: Request }) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
    const { metricsToken } = config.secrets
    if (given === undefined || metricsToken === undefined || !isSameSecret(given, metricsToken))
      throw new Refusal("unauthorized", detail("requests.unauthorized"))
    const { contentType, body } = await metrics.text()
    return new Response(body, { headers: { "content-type": contentType, "cache-control": "no-store" } })
  }
}
