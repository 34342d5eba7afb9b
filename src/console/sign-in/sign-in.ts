import { Elysia } from "elysia"
import { hasOperator } from "../../accounts/operator.ts"
import { closeEverySession, closeSession, findSession, openSession } from "../../accounts/session.ts"
import { signIn } from "../../accounts/sign-in.ts"
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import { clientReader } from "../../http/client.ts"
import { refusalOf } from "../../wording/error-replies.ts"
import { browserCookie, browserText, clearedCookies, newBrowserText, sessionCookie } from "../kit/cookie.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { forgeryToken, requireOwnOrigin } from "../kit/forgery.ts"
import { readForm, refused, untouched } from "../kit/form.ts"
import { pendingIn, pendingPage, strayPage } from "../kit/pending.tsx"
import { seeOther } from "../kit/reply.ts"
import { firstStartPage, signInPage } from "../kit/sign-in-page.tsx"
import { messages } from "../messages/sign-in.fr.ts"

/** Signing in and out. */
export function signInRoutes(door: Door, { db, clock, vault, log, config }: ConsoleParts) {
  const clientOf = clientReader(config.trustedProxies)

  async function signedIn(request: Request): Promise<Response> {
    let filled = untouched
    try {
      const origin = requireOwnOrigin(request, config.publicUrl)
      const values = await readForm(request)
      filled = { ...untouched, values }
      const credentials = {
        email: values.get("email") ?? "",
        password: values.get("password") ?? "",
        address: clientOf(request),
        browser: browserText(request) ?? newBrowserText(),
      }
      const operator = await signIn({ db, vault }, credentials, clock.now())
      const pending = pendingIn(values)
      const session = await openSession(db, operator, clock.now(), pending?.workspaceId)
      if (!session) return signInPage({ ...filled, problem: messages.nowhere }, 403)
      const cookies: [string, string][] = [
        ["set-cookie", sessionCookie(session.text, origin)],
        ["set-cookie", browserCookie(credentials.browser, origin)],
      ]
      const opened = pending && (await findSession(db, session.text, clock.now()))
      // In another workspace than it was typed for it would do something else.
      if (!opened || !pending) return seeOther(nextOf(values.get("next")), cookies)
      return opened.workspace.id === pending.workspaceId
        ? pendingPage(pending, forgeryToken(vault, opened), cookies)
        : strayPage(pending, cookies)
    } catch (error) {
      const refusal = refusalOf(error, request, log)
      return signInPage(refused(filled.values, refusal), statusOfCode[refusal.code], waitHeaders(refusal))
    }
  }

  return new Elysia({ name: "console-sign-in" })
    .get("/console/sign-in", async ({ query }) => {
      if (!(await hasOperator(db))) return firstStartPage()
      return signInPage(
        { ...untouched, values: new URLSearchParams({ next: query["next"] ?? "" }) },
        200,
        [],
        doneOf(query, {
          out: messages.signedOut,
          everywhere: messages.signedOutEverywhere,
          password: messages.passwordChanged,
        }),
      )
    })
    .post("/console/sign-in", ({ request }) => signedIn(request), { parse: "none" })
    .post(
      "/console/sign-out",
      door.action("viewer", async ({ session }) => {
        await closeSession(db, session)
        return seeOther("/console/sign-in?done=out", clearedCookies())
      }),
      { parse: "none" },
    )
    .post(
      "/console/sign-out-everywhere",
      door.action("viewer", async ({ session }) => {
        await closeEverySession(db, session.operator.id)
        return seeOther("/console/sign-in?done=everywhere", clearedCookies())
      }),
      { parse: "none" },
    )
}

/** A page of the console alone: a link must not lead elsewhere by way of signing in. */
function nextOf(wanted: string | null): string {
  return wanted !== null && /^\/console\/[\w/?=&%.*+-]*$/.test(wanted) ? wanted : "/console"
}

function waitHeaders({ retryAfterSeconds }: Refusal): [string, string][] {
  return retryAfterSeconds === undefined ? [] : [["retry-after", String(retryAfterSeconds)]]
}
