import { mailPasswordLink, requirePasswordLink, resetPassword } from "../../accounts/password-link.ts"
import { clientReader } from "../../http/client.ts"
import type { RequestContext } from "../../http/routes.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { flashMessage } from "../kit/flash.ts"
import { Field, Problem } from "../kit/forms/fields.tsx"
import { readForm, refused, type SubmittedForm, untouched } from "../kit/forms/submitted-form.ts"
import { seeOther } from "../kit/reply.ts"
import { clearedCookies } from "../kit/session/cookie.ts"
import { requireOwnOrigin } from "../kit/session/csrf.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import { NewPassword, waitHeaders } from "../kit/session/sign-in-page.tsx"
import { plainPage } from "../kit/shell.tsx"
import { linkPage } from "./link-pages.ts"

const address = "/console/password-reset"

/** The page that mails a link to choose another password, and the page of the link. */
export function passwordResetPages(deps: ConsoleDeps) {
  const { db, clock, mailer, log, config } = deps
  const clientAddress = clientReader(config.trustedProxies)

  function requestPage(submitted: SubmittedForm, headers: [string, string][] = [], flash?: string): Response {
    return plainPage(
      { title: words.newPassword, submitted, headers, flash },
      <>
        {mailer.configured ? <RequestForm /> : <WithoutMail />}
        <p>
          <a href="/console/sign-in">{words.toSignIn}</a>
        </p>
      </>,
    )
  }

  async function request(request: Request): Promise<Response> {
    let submitted = untouched
    try {
      requireOwnOrigin(request, config.publicUrl)
      const values = await readForm(request)
      submitted = { ...untouched, values }
      const linkRequest = { email: values.get("email") ?? "", address: clientAddress(request) }
      await mailPasswordLink(deps, linkRequest, clock.now())
      return seeOther(`${address}?done=sent`)
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      return requestPage(refused(submitted.values, refusal), waitHeaders(refusal))
    }
  }

  const link = linkPage(deps, {
    async show(link, submitted) {
      const { email } = await requirePasswordLink(db, link, clock.now())
      return plainPage(
        { title: words.newPassword, submitted },
        <form method="post" action={`${address}/${encodeURIComponent(link)}`} novalidate>
          <p>{words.resetOf(email)}</p>
          <Problem />
          <NewPassword />
          <button type="submit">{words.resetSend}</button>
        </form>,
      )
    },
    async send(link, values) {
      const nowMs = clock.now()
      const wanted = { text: link, password: values.get("password") ?? "" }
      await resetPassword(deps, wanted, nowMs)
      return seeOther("/console/sign-in?done=password", clearedCookies())
    },
  })
  return {
    show: ({ query }: RequestContext) =>
      requestPage(untouched, [], flashMessage(query, { sent: words.resetSent })),
    send: ({ request: sent }: RequestContext) => request(sent),
    link,
  }
}

function RequestForm() {
  return (
    <form method="post" action={address} novalidate>
      <p>{words.resetIntro}</p>
      <Problem />
      <Field name="email" type="email" label={words.email} autocomplete="username" />
      <button type="submit">{words.resetAsk}</button>
    </form>
  )
}

function WithoutMail() {
  return (
    <>
      <p>{words.noMail}</p>
      <p>{words.noMailOwner}</p>
      <p>{words.noMailMachine}</p>
      <pre>
        <code>{words.forgottenCommand}</code>
      </pre>
      <p>{words.noMailSetup}</p>
      <pre>
        <code>{words.setupLinkCommand}</code>
      </pre>
    </>
  )
}
