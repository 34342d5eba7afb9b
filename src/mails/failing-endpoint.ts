import { frenchDates } from "../base/time.ts"
import type { FailingEndpoint, Notify } from "../webhooks/endpoints/failing.ts"
import { endpointName } from "../wording/endpoint-name.fr.ts"
import { answerInWords } from "../wording/webhooks.fr.ts"
import { mailOwners, type OwnerMailDeps } from "./owners.ts"
import { words } from "./words.fr.ts"

/**
 * Mails every owner of the workspace, one mail for all failing endpoints. Without a mail server, only the log
 * and the API show them.
 */
export function failingMails(deps: OwnerMailDeps): Notify {
  const { mailer, config } = deps
  const date = frenchDates({ timeZone: config.timezone, dateStyle: "long", timeStyle: "short" })

  return async (workspaceId, failing) => {
    if (!mailer.configured) return
    const endpoints = failing.map((each) =>
      words.failingMailEndpoint({
        name: nameIn(each),
        answer: answerInWords(each),
        since: date(each.sinceMs),
      }),
    )
    const { failingMailSubject, failingMailSubjects } = words
    const subject = failing.length === 1 ? failingMailSubject : failingMailSubjects({ count: failing.length })
    const text = words.failingMail({ endpoints: endpoints.join("\n"), publicUrl: config.publicUrl })
    await mailOwners(deps, workspaceId, { subject, text })
  }
}

/** A mail has no link to the endpoint, so that its address stands below a description. */
function nameIn(endpoint: FailingEndpoint): string {
  if (endpoint.kind === "test") return endpointName(endpoint)
  return [endpoint.description, endpoint.url].filter(Boolean).join("\n")
}
