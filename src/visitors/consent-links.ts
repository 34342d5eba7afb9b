import { Elysia } from "elysia"
import { subjectOf, takePlace } from "../accounts/quotas/rate-limit.ts"
import { minuteMs } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/sqlite/connection.ts"
import { confirmConsent, findConsentLink } from "../forms/consent/consent.ts"
import type { FormParts } from "../forms/parts.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import { asPage } from "./form-pages/as-page.ts"
import { consentDonePage, consentExpiredPage, consentPage, consentUsedPage } from "./form-pages/pages.tsx"
import { messages } from "./messages.fr.ts"

/** Of one visitor; nobody follows so many links, and a token is too long to be guessed anyway. */
const visits = { count: 30, windowMs: minuteMs }

/** `/consent/…`: the link of a double opt-in. Following it shows a button, and only the button confirms. */
export function consentRoutes({ db, passing, clock, vault, config, log }: FormParts & { passing: Db }) {
  const clientOf = clientReader(config.trustedProxies)

  async function refuseCrowd(request: Request): Promise<void> {
    const nowMs = clock.now()
    const visitor = visitorAddress(clientOf(request))
    const subject = subjectOf(vault, "consent", visitor, config.timezone, nowMs)
    // Nothing that anybody may ask for is worth a wait for the disk.
    const taking = passing
      .transaction()
      .execute((transaction) => takePlace(transaction, subject, visits, nowMs))
    if (!(await taking))
      throw new Refusal("rate_limited", detail("forms.tooManyVisits"), { retryAfterSeconds: 60 })
  }

  async function shown(token: string): Promise<Response> {
    const link = await findConsentLink(db, token, clock.now())
    if (link.state === "open") return consentPage(link.formName, link.text)
    return link.state === "used" ? consentUsedPage() : consentExpiredPage()
  }

  return new Elysia({ name: "consent" })
    .get("/consent/:token", ({ request, params }) =>
      asPage(request, log, messages.consentTitle, async () => {
        await refuseCrowd(request)
        return shown(params.token)
      }),
    )
    .post(
      "/consent/:token",
      ({ request, params }) =>
        asPage(request, log, messages.consentTitle, async () => {
          await refuseCrowd(request)
          const confirmed = await confirmConsent(db, params.token, clock.now())
          return confirmed ? consentDonePage() : shown(params.token)
        }),
      { parse: "none" },
    )
}
