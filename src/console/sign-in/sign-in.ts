import { Elysia } from "elysia"
import { joinByLink } from "../../accounts/invitation.ts"
import { hasOperator } from "../../accounts/operator.ts"
import { closeSessions, findSession, openSession } from "../../accounts/session.ts"
import { isFailedSignIn, signIn } from "../../accounts/sign-in.ts"
import { newSecretText } from "../../base/hash.ts"
import { clientReader } from "../../http/client.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { flashMessage } from "../kit/flash.ts"
import { otherWorkspacePage, pendingFormIn, pendingPage } from "../kit/forms/pending-form.tsx"
import { readForm, refused, untouched } from "../kit/forms/submitted-form.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { nextPage, seeOther } from "../kit/reply.ts"
import { browserCookie, browserText, clearedCookies, sessionCookie } from "../kit/session/cookie.ts"
import { csrfToken, requireOwnOrigin } from "../kit/session/csrf.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import { firstStartPage, signInPage, waitHeaders } from "../kit/session/sign-in-page.tsx"
import { linkIn, recordJoin } from "./invitation.tsx"

/** Routes to sign in and out. */
export function signInRoutes(pages: Pages, { access, db, clock, vault, log, config }: ConsoleDeps) {
  const clientOf = clientReader(config.trustedProxies)

  async function submitCredentials(request: Request): Promise<Response> {
    let submitted = untouched
    try {
      const origin = requireOwnOrigin(request, config.publicUrl)
      const values = await readForm(request)
      submitted = { ...untouched, values }
      const credentials = {
        email: values.get("email") ?? "",
        password: values.get("password") ?? "",
        address: clientOf(request),
        browser: browserText(request) ?? newSecretText(),
      }
      const operator = await signIn({ db, vault }, credentials, clock.now()).catch((error: unknown) => {
        if (isFailedSignIn(error)) access.refused(request, "sign-in failed", error.code)
        throw error
      })
      access.signedIn()
      const pending = pendingFormIn(values)
      let next = nextPage(values.get("next"))
      const opening = () =>
        openSession(db, operator, clock.now(), {
          workspaceId: pending?.workspaceId,
          userAgent: request.headers.get("user-agent") ?? undefined,
        })
      let session = await opening()
      const link = linkIn(next)
      if (!session && link !== undefined) {
        // Who is a member of nothing yet has proven both: the password, and to hold the link.
        const { workspaceId } = await joinByLink(db, operator, link, clock.now())
        await recordJoin(db, operator, workspaceId, clock.now())
        session = await opening()
        next = "/console"
      }
      if (!session) return signInPage({ ...submitted, problem: words.nowhere, status: 403 })
      const cookies: [string, string][] = [
        ["set-cookie", sessionCookie(session.text, origin)],
        ["set-cookie", browserCookie(credentials.browser, origin)],
      ]
      const opened = pending && (await findSession(db, session.text, clock.now()))
      // A pending form is offered only in its own workspace: elsewhere it would act on other data.
      if (!opened || !pending) return seeOther(next, cookies)
      return opened.workspace.id === pending.workspaceId
        ? pendingPage(pending, csrfToken(vault, opened), cookies)
        : otherWorkspacePage(pending, cookies)
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      return signInPage(refused(submitted.values, refusal), waitHeaders(refusal))
    }
  }

  pages
    // The address that people guess. Who is signed in comes out at the console.
    .page("/console/login", () => seeOther("/console"))
    .action("/console/sign-out", "viewer", async ({ session }) => {
      await closeSessions(db, { hash: session.hash })
      return seeOther("/console/sign-in?done=out", clearedCookies())
    })
    .action("/console/sign-out-everywhere", "viewer", async ({ session }) => {
      await closeSessions(db, { operator_id: session.operator.id })
      return seeOther("/console/sign-in?done=everywhere", clearedCookies())
    })
  return new Elysia({ name: "console-sign-in" })
    .get("/console/sign-in", async ({ query }) => {
      if (!(await hasOperator(db))) return firstStartPage()
      return signInPage(
        { ...untouched, values: new URLSearchParams({ next: query["next"] ?? "" }) },
        [],
        flashMessage(query, {
          out: words.signedOut,
          everywhere: words.signedOutEverywhere,
          password: words.passwordChanged,
          account: words.accountMade,
        }),
      )
    })
    .post("/console/sign-in", ({ request }) => submitCredentials(request), { parse: "none" })
}
