import { type Clock, secondMs } from "../clock.ts"
import type { Config } from "../config.ts"
import type { Db } from "../db/connection.ts"
import { greetSmtp } from "../mail/smtp.ts"
import { type Found, failed, ok, warning } from "./check.ts"

/** What checks need of the running program; `App` is one. */
export interface Services {
  config: Pick<Config, "dataDir" | "publicUrl" | "secrets">
  db: Db
  clock: Clock
  indexes: { unsound(look: { files: boolean }): Promise<string[]> }
  /** The language model that the settings name; undefined: none. */
  models: unknown
  writable(): Promise<boolean>
}

export async function checkSmtp({ config }: Services): Promise<Found> {
  const { smtpUrl } = config.secrets
  if (!smtpUrl) return ok("not set: no mail is sent")
  try {
    await greetSmtp(smtpUrl)
    return ok("the server takes mails from here")
  } catch (error) {
    // What the server says may quote the account.
    return failed(`the server cannot be used (${(error as { code?: string }).code ?? "no answer"})`)
  }
}

/** Calls nobody: a call costs, and its failures are counted in /metrics. */
export function checkModel({ models }: Services): Found {
  return ok(models ? "a language model writes the answers" : "none: answers are taken from the documentation")
}

export async function checkPublicUrl(publicUrl: string): Promise<Found> {
  if (/^http:\/\/(localhost|127\.|\[::1\])/.test(publicUrl))
    return warning(`${publicUrl}: set GUICHET_PUBLIC_URL to the address visitors use`)
  const reply = await fetch(`${publicUrl}/healthz`, {
    redirect: "manual",
    signal: AbortSignal.timeout(8 * secondMs),
  })
  if (reply.ok && (await reply.text()) === "ok\n") return ok(`${publicUrl} leads here`)
  return failed(`${publicUrl}/healthz answers ${reply.status}, not the service`)
}
