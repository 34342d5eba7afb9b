import { Elysia } from "elysia"
import { detail } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import type { FormDeps } from "../forms/deps.ts"
import { confirmConsent, findConsentLink } from "../forms/submission/consent.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import { type Limit, visitorOn } from "../limits/limit.ts"
import { take } from "../limits/take.ts"
import { asPage } from "./form-pages/as-page.ts"
import { consentDonePage, consentExpiredPage, consentPage, consentUsedPage } from "./form-pages/pages.tsx"
import { words } from "./words.fr.ts"

/** Requests of one visitor. Nobody follows so many links, and a token is too long to be guessed anyway. */
const visitLimit: Limit = { key: "consent", points: 30, per: "minute", on: "visitor", retryAfterSeconds: 60 }

/** `/consent/…`: the link of a double opt-in. Following it shows a button, and only the button confirms. */
export function consentRoutes({ db, relaxed, clock, vault, config, log }: FormDeps & { relaxed: Db }) {
  const clientOf = clientReader(config.trustedProxies)

  async function limitRate(request: Request): Promise<void> {
    const at = { timezone: config.timezone, nowMs: clock.now() }
    const visitor = visitorOn(vault, visitorAddress(clientOf(request)), at)
    // Relaxed durability: a route that anybody may call must not cost a wait for the disk.
    await relaxed
      .transaction()
      .execute((transaction) => take(transaction, visitLimit, visitor, at, detail("forms.tooManyVisits")))
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
