import { joinByLink } from "../../accounts/invitation.ts"
import { type Account, findAccount, hasOperator } from "../../accounts/operator.ts"
import { hasSecondFactor, readSecondFactors } from "../../accounts/second-factor/factors.ts"
import { listPasskeys, maxCredentialLength, usePasskey } from "../../accounts/second-factor/passkeys.ts"
import { requestOptions } from "../../accounts/second-factor/relying-party.ts"
import { findStep, newStep, requireStep, useCode } from "../../accounts/second-factor/second-step.ts"
import { closeSessions, findSession, openSession } from "../../accounts/session.ts"
import { isFailedSignIn, requirePasswordWindow, signIn } from "../../accounts/sign-in.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newSecretText } from "../../base/hash.ts"
import { clientReader } from "../../http/client.ts"
import type { RequestContext } from "../../http/routes.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { flashMessage } from "../kit/flash.ts"
import { otherWorkspacePage, pendingFormIn, pendingPage } from "../kit/forms/pending-form.tsx"
import { readForm, refused, type SubmittedForm, untouched } from "../kit/forms/submitted-form.ts"
import { action } from "../kit/page-handlers.ts"
import { nextPage, seeOther } from "../kit/reply.ts"
import {
  browserCookie,
  browserText,
  clearedCookies,
  sessionCookie,
  signInBrowser,
} from "../kit/session/cookie.ts"
import { csrfToken, requireOwnOrigin } from "../kit/session/csrf.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import {
  firstStartPage,
  openSignInPage,
  type SignInPage,
  secondStepPage,
  waitHeaders,
} from "../kit/session/sign-in-page.tsx"
import { linkIn, recordJoin } from "./invitation.tsx"
import { leaveProvider } from "./oidc.tsx"

/** A form of the sign-in pages, sent by one of them. */
interface Sent {
  request: Request
  values: URLSearchParams
  origin: URL
}

type SignInDeps = ConsoleDeps & { signInPage: SignInPage; clientAddress: ReturnType<typeof clientReader> }

export function signInHandlers(deps: ConsoleDeps) {
  const { db, provider } = deps
  const signInPage = openSignInPage(deps)
  const signInDeps = { ...deps, signInPage, clientAddress: clientReader(deps.config.trustedProxies) }
  const showStep = (submitted: SubmittedForm, headers: [string, string][]) =>
    stepPage(signInDeps, submitted, headers)

  return {
    // The address that people guess. It leads a signed-in operator to the console.
    login: () => seeOther("/console"),
    signOut: action(async ({ session }) => {
      const leave = await leaveProvider(deps, provider, session.hash)
      await closeSessions(db, { hash: session.hash })
      return leave?.(clearedCookies()) ?? seeOther("/console/sign-in?done=out", clearedCookies())
    }),

    async show({ query }: RequestContext) {
      if (!(await hasOperator(db))) return firstStartPage()
      return signInPage(
        { ...untouched, values: new URLSearchParams(openedWith(query)) },
        [],
        flashMessage(query, {
          out: words.signedOut,
          password: words.passwordChanged,
          account: words.accountMade,
          ended: words.accountEnded,
        }),
      )
    },
    send: ({ request }: RequestContext) =>
      submit(signInDeps, request, (sent) => submitCredentials(signInDeps, sent)),
    sendCode: ({ request }: RequestContext) =>
      submit(signInDeps, request, (sent) => submitCode(signInDeps, sent), showStep),
    sendPasskey: ({ request }: RequestContext) =>
      submit(signInDeps, request, (sent) => submitPasskey(signInDeps, sent)),
  }
}

/** Answers a form; what is refused is shown by the page of that step, or by the first one. */
async function submit(
  { config, log, signInPage }: SignInDeps,
  request: Request,
  answer: (sent: Sent) => Promise<Response>,
  show: (submitted: SubmittedForm, headers: [string, string][]) => Response | Promise<Response> = signInPage,
): Promise<Response> {
  let submitted = untouched
  try {
    const origin = requireOwnOrigin(request, config.publicUrl)
    const values = await readForm(request)
    submitted = { ...untouched, values }
    return await answer({ request, values, origin })
  } catch (error) {
    const refusal = toRefusal(error, request, log)
    const page = refusal.code === "unauthorized" ? signInPage : show
    return await page(refused(submitted.values, refusal), waitHeaders(refusal))
  }
}

/** A step that is void by now leads to the first page. */
async function stepPage(deps: SignInDeps, submitted: SubmittedForm, headers: [string, string][]) {
  const { db, clock, signInPage } = deps
  const nowMs = clock.now()
  const account = await findStep(deps, submitted.values.get("step") ?? "", nowMs)
  if (!account) return signInPage(submitted, headers)
  const of = { operatorId: account.id, present: await listPasskeys(db, account.id) }
  return secondStepPage(submitted, headers, requestOptions(deps, of, nowMs))
}

async function submitCredentials(deps: SignInDeps, sent: Sent): Promise<Response> {
  const { access, db, clock, vault, config, clientAddress } = deps
  const { request, values, origin } = sent
  const browser = browserText(request) ?? newSecretText()
  const credentials = {
    email: values.get("email") ?? "",
    password: values.get("password") ?? "",
    address: clientAddress(request),
    browser,
  }
  if (!config.passwordSignIn) await requirePasswordWindow(db, credentials.email, clock.now())
  const account = await signIn({ db, vault }, credentials, clock.now()).catch((error: unknown) => {
    if (isFailedSignIn(error)) access.refused(request, "sign-in failed", error.code)
    throw error
  })
  const cookies: [string, string][] = [["set-cookie", browserCookie(browser, origin)]]
  if (!hasSecondFactor(await readSecondFactors(db, account.id))) return enter(deps, account, sent, cookies)
  values.set("step", newStep(vault, account, clock.now()))
  return stepPage(deps, { ...untouched, values }, cookies)
}

async function submitCode(deps: SignInDeps, sent: Sent): Promise<Response> {
  const { access, clock, clientAddress } = deps
  const { request, values } = sent
  const nowMs = clock.now()
  const account = await requireStep(deps, values.get("step") ?? "", nowMs)
  const tried = { code: values.get("code") ?? "", address: clientAddress(request) }
  await useCode(deps, account, tried, nowMs).catch((error: unknown) => {
    if (error instanceof Refusal) access.refused(request, "sign-in failed", guessed(error))
    throw error
  })
  return enter(deps, account, sent)
}

/** By a passkey alone, whose device has verified the person, or by one after the password. */
async function submitPasskey(deps: SignInDeps, sent: Sent): Promise<Response> {
  const { access, db, clock, config } = deps
  const { request, values } = sent
  const nowMs = clock.now()
  const step = values.get("step") ?? ""
  const proven = step === "" ? undefined : await requireStep(deps, step, nowMs)
  const credential = (values.get("credential") ?? "").slice(0, maxCredentialLength)
  const purpose = proven ? (`second step ${proven.id}` as const) : "sign-in"
  try {
    const operatorId = await usePasskey(deps, { credential, purpose, ofOperator: proven?.id }, nowMs)
    const account = proven ?? (await findAccount(db, operatorId))
    if (!account) throw new Refusal("unauthorized", detail("accounts.wrongPasskey"))
    if (!config.passwordSignIn) await requirePasswordWindow(db, account.email, nowMs)
    return await enter(deps, account, sent)
  } catch (error) {
    if (isFailedSignIn(error)) access.refused(request, "sign-in failed", error.code)
    throw error
  }
}

/** Signs in an account that is proven, and goes on where it was left. */
async function enter(
  { access, db, clock, vault, signInPage }: SignInDeps,
  account: Account,
  { request, values, origin }: Sent,
  headers: [string, string][] = [],
): Promise<Response> {
  const nowMs = clock.now()
  access.signedIn()
  const pending = pendingFormIn(values)
  let next = nextPage(values.get("next"))
  const opening = { workspaceId: pending?.workspaceId, ...signInBrowser(request) }
  let session = await openSession(db, account, nowMs, opening)
  const link = linkIn(next)
  if (!session && link !== undefined) {
    // An account without a workspace has proven both its password and that it holds the link.
    const { workspaceId } = await joinByLink(db, account, link, nowMs)
    await recordJoin(db, account, workspaceId, nowMs)
    session = await openSession(db, account, nowMs, opening)
    next = "/console"
  }
  if (!session) return signInPage({ ...untouched, values, problem: words.nowhere, status: 403 })
  const cookies: [string, string][] = [["set-cookie", sessionCookie(session.text, origin)], ...headers]
  const opened = pending && (await findSession(db, session.text, nowMs))
  // A pending form is offered only in its own workspace: elsewhere it would act on other data.
  if (!opened || !pending) return seeOther(next, cookies)
  return opened.workspace.id === pending.workspaceId
    ? pendingPage(pending, csrfToken(vault, opened), cookies)
    : otherWorkspacePage(pending, cookies)
}

/** `?password`: the form of a password, also where that is off. */
function openedWith({ next = "", password }: Record<string, string | undefined>) {
  return { next, ...(password !== undefined && { password: "" }) }
}

/** A wrong code is a guess like a wrong password. */
function guessed({ code }: Refusal): Refusal["code"] {
  return code === "rate_limited" ? code : "unauthorized"
}
