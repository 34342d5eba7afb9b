import { findProject } from "../accounts/project.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import type { Form } from "../forms/definition/form.ts"
import type { FormDeps } from "../forms/deps.ts"
import { confirmConsent, findConsentLink } from "../forms/submission/consent.ts"
import { confirmNoticeAddress, findNoticeLink } from "../forms/submission/notice-address.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import type { RequestContext } from "../http/routes.ts"
import { type Limit, visitorOn } from "../limits/limit.ts"
import { take } from "../limits/take.ts"
import { asPage } from "./form-pages/as-page.ts"
import {
  consentDonePage,
  consentPage,
  consentUsedPage,
  expiredPage,
  noticeDonePage,
  noticePage,
} from "./form-pages/confirmation.tsx"
import { type FormView, formView } from "./form-pages/form-view.ts"
import { words } from "./words.fr.ts"

/** Requests of one visitor: more links than a person follows. A token is too long to be guessed anyway. */
const visitLimit: Limit = { key: "consent", points: 30, per: "minute", on: "visitor", retryAfterSeconds: 60 }

interface LinkKind {
  title: string
  show(token: string, request: Request): Promise<Response>
  confirm(token: string, request: Request): Promise<Response>
}

/**
 * `/consent/…`, the link of a double opt-in, and `/notice/…`, by which an address wants to be told about responses.
 * Following a link shows a button, and only the button confirms.
 */
export function confirmationHandlers(deps: FormDeps & { relaxed: Db }) {
  const { db, relaxed, clock, vault, config, log } = deps
  const clientAddress = clientReader(config.trustedProxies)

  async function limitRate(request: Request): Promise<void> {
    const at = { timezone: config.timezone, nowMs: clock.now() }
    const visitor = visitorOn(vault, visitorAddress(clientAddress(request)), at)
    // Relaxed durability: a route that anybody may call must not cost a wait for the disk.
    await relaxed
      .transaction()
      .execute((transaction) => take(transaction, visitLimit, visitor, at, detail("forms.tooManyVisits")))
  }

  /** Throws Refusal `not_found` while the form's project is being removed. */
  async function readView(form: Form): Promise<FormView> {
    const project = await findProject(db, form.projectId)
    if (!project) throw new Refusal("not_found", detail("forms.unknownForm"))
    return formView(deps, { form, project })
  }

  const consent: LinkKind = {
    title: words.consentTitle,
    async show(token, request) {
      const link = await findConsentLink(db, token, clock.now())
      if (link.state === "unknown") return expiredPage(request, words.expired.consent)
      const view = await readView(link.form)
      return link.state === "used" ? consentUsedPage(view) : consentPage(view, link.text)
    },
    async confirm(token, request) {
      const link = await findConsentLink(db, token, clock.now())
      if (link.state === "unknown" || !(await confirmConsent(db, token, clock.now())))
        return consent.show(token, request)
      return consentDonePage(await readView(link.form))
    },
  }

  const notice: LinkKind = {
    title: words.noticeTitle,
    async show(token, request) {
      const link = await findNoticeLink(db, token, clock.now())
      return link ? noticePage(await readView(link.form)) : expiredPage(request, words.expired.notice)
    },
    async confirm(token, request) {
      const link = await findNoticeLink(db, token, clock.now())
      if (!link || !(await confirmNoticeAddress(db, token, clock.now())))
        return expiredPage(request, words.expired.notice)
      return noticeDonePage(await readView(link.form))
    },
  }

  const handlersOf = ({ title, show, confirm }: LinkKind) => {
    const page = (answer: LinkKind["show"]) =>
      async function reply({ request, params }: RequestContext<"token">) {
        return asPage(request, log, title, async () => {
          await limitRate(request)
          return answer(params.token, request)
        })
      }
    return { show: page(show), confirm: page(confirm) }
  }
  return { consent: handlersOf(consent), notice: handlersOf(notice) }
}
