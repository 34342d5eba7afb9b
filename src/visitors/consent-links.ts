import { Elysia } from "elysia"
import { consume, subjectOf } from "../accounts/quotas/rate-limit.ts"
import { minuteMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { withLock } from "../db/with-lock.ts"
import type { FormDeps } from "../forms/deps.ts"
import { confirmConsent, findConsentLink } from "../forms/submission/consent.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import { asPage } from "./form-pages/as-page.ts"
import { consentDonePage, consentExpiredPage, consentPage, consentUsedPage } from "./form-pages/pages.tsx"
import { words } from "./words.fr.ts"

/** Requests of one visitor. Visitors follow fewer links, and a token is too long to be guessed anyway. */
const visitLimit = { count: 30, windowMs: minuteMs }

/** `/consent/…`: the link of a double opt-in. Following it shows a button, and only the button confirms. */
export function consentRoutes({ db, relaxed, clock, vault, config, log }: FormDeps & { relaxed: Db }) {
  const clientOf = clientReader(config.trustedProxies)

  async function limitRate(request: Request): Promise<void> {
    const nowMs = clock.now()
    const visitor = visitorAddress(clientOf(request))
    const subject = subjectOf(vault, "consent", visitor, config.timezone, nowMs)
    // Relaxed durability: a route that anybody may call must not cost a wait for the disk.
    const consuming = withLock(relaxed, subject, (transaction) =>
      consume(transaction, subject, visitLimit, nowMs),
    )
    if (!(await consuming))
      throw new Refusal("rate_limited", detail("forms.tooManyVisits"), { retryAfterSeconds: 60 })
  }

  async function linkPage(token: string): Promise<Response> {
    const link = await findConsentLink(db, token, clock.now())
    if (link.state === "open") return consentPage(link.formName, link.text)
    return link.state === "used" ? consentUsedPage() : consentExpiredPage()
  }

  return new Elysia({ name: "consent" })
    .get("/consent/:token", ({ request, params }) =>
      asPage(request, log, words.consentTitle, async () => {
        await limitRate(request)
        return linkPage(params.token)
      }),
    )
    .post(
      "/consent/:token",
      ({ request, params }) =>
        asPage(request, log, words.consentTitle, async () => {
          await limitRate(request)
          const confirmed = await confirmConsent(db, params.token, clock.now())
          return confirmed ? consentDonePage() : linkPage(params.token)
        }),
      { parse: "none" },
    )
}
