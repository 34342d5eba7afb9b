import { spendAttempt } from "../../accounts/oidc/attempt.ts"
import { followGroups } from "../../accounts/oidc/groups.ts"
import { type Admission, admit } from "../../accounts/oidc/identity.ts"
import { sealedProof } from "../../accounts/oidc/operations.ts"
import type { ProvenIdentity, Provider } from "../../accounts/oidc/provider.ts"
import { findIdToken, keepProviderSession } from "../../accounts/oidc/provider-session.ts"
import { findSession, openSession } from "../../accounts/session.ts"
import { countedSignIn } from "../../accounts/sign-in.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { newSecretText } from "../../base/hash.ts"
import { clientReader } from "../../http/client.ts"
import type { RequestContext } from "../../http/routes.ts"
import { recordAction } from "../../operations/audit-log.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import { LinkButton } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { refused } from "../kit/forms/submitted-form.ts"
import { nextPage, seeOther } from "../kit/reply.ts"
import {
  attemptText,
  clearedAttempt,
  sessionCookie,
  sessionText,
  signInBrowser,
} from "../kit/session/cookie.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import { openSignInPage, waitHeaders } from "../kit/session/sign-in-page.tsx"
import { plainPage } from "../kit/shell.tsx"
import { linkIn, recordJoin } from "./invitation.tsx"
import { identityAddress, sendToProvider } from "./to-provider.ts"

/** Routes by which a browser goes to the OpenID provider and comes back from it. */
export function oidcHandlers(deps: ConsoleDeps, provider: Provider) {
  const { access, db, clock, vault, config } = deps
  const log = deps.log.getChild("oidc")
  const clientAddress = clientReader(config.trustedProxies)
  const signInPage = openSignInPage(deps)
  const ourselves = new URL(config.publicUrl)

  /** Refusals stand on the sign-in page; the log has the reason. */
  async function orRefused(request: Request, answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer()
    } catch (error) {
      const refusal = toRefusal(error, request, deps.log)
      if (error instanceof Refusal) {
        log.warn("sign-in by the provider refused", { code: refusal.code, reason: refusalReason(refusal) })
        if (refusal.code !== "unavailable") access.refused(request, "sign-in failed", refusal.code)
      }
      const headers = [clearedAttempt(ourselves), ...waitHeaders(refusal)]
      return signInPage(refused(new URLSearchParams(), refusal), headers)
    }
  }

  async function comeBack(request: Request): Promise<Response> {
    const nowMs = clock.now()
    const { search, searchParams } = new URL(request.url)
    const callback = { sealed: attemptText(request) ?? "", state: searchParams.get("state") ?? "" }
    const attempt = await spendAttempt(deps, callback, nowMs)
    const prove = () => provider.finish(search, attempt)
    if (attempt.joins !== undefined) {
      const identity = await countedSignIn(deps, clientAddress(request), nowMs, prove)
      const text = sessionText(request)
      const session = text === undefined ? undefined : await findSession(db, text, nowMs)
      if (session?.hash !== attempt.joins) throw new Refusal("unauthorized", detail("accounts.deadAttempt"))
      const proof = sealedProof(vault, identity, session.hash, nowMs)
      return seeOther(`${identityAddress}?proof=${proof}`, [clearedAttempt(ourselves)])
    }
    const link = linkIn(attempt.next)
    const { identity, admission } = await countedSignIn(deps, clientAddress(request), nowMs, async () => {
      const identity = await prove()
      return { identity, admission: await admit(db, identity, { link, ...provider.settings }, nowMs) }
    })
    await recordAdmission(admission, identity, link !== undefined, nowMs)
    const opened = await openSession(db, admission.operator, nowMs, signInBrowser(request))
    if (!opened) throw new Refusal("forbidden", words.nowhere, { reason: "a member of no workspace" })
    const session = await findSession(db, opened.text, nowMs)
    if (session) await keepProviderSession(deps, session.hash, identity.idToken)
    access.signedIn()
    const isJoined = link !== undefined && admission.how !== "known"
    const cookie: [string, string] = ["set-cookie", sessionCookie(opened.text, ourselves)]
    return seeOther(isJoined ? "/console" : nextPage(attempt.next), [cookie, clearedAttempt(ourselves)])
  }

  /** An invited operator joins the invitation's workspace too. Groups decide last. */
  async function recordAdmission(
    { operator, how, workspaceId }: Admission,
    { groups }: ProvenIdentity,
    isInvited: boolean,
    nowMs: number,
  ): Promise<void> {
    const actor = { kind: "operator" as const, id: operator.id, name: operator.email }
    const named = { subject: operator.id, subjectName: operator.email }
    if (workspaceId !== undefined) {
      const action = how === "joined" ? "identity.joined" : "operator.provisioned"
      await recordAction(db, workspaceId, actor, { action, ...named }, nowMs)
      if (isInvited) await recordJoin(db, operator, workspaceId, nowMs)
    }
    const { groups: roles, keepsRoleWithoutGroups, name } = provider.settings
    if (roles.length === 0) return
    if (groups === "elsewhere") {
      log.info("role by groups", { operator: operator.id, claim: groups })
      return
    }
    const isTold = groups !== undefined
    const decides = isTold || !keepsRoleWithoutGroups
    const changed = decides ? await followGroups(db, operator, groups, roles) : undefined
    if (changed || !isTold)
      log.info("role by groups", { operator: operator.id, claim: isTold ? "groups" : "none", ...changed })
    if (!changed) return
    const service = { kind: "service" as const, id: "oidc", name }
    await recordAction(db, changed.workspaceId, service, { action: "operator.changed", ...named }, nowMs)
  }

  return {
    leave: ({ request, query }: RequestContext) =>
      orRefused(request, () => sendToProvider(deps, provider, { next: query["next"] ?? "" })),
    comeBack: ({ request }: RequestContext) => orRefused(request, () => comeBack(request)),
    signedOut: () => seeOther("/console/sign-in?done=out"),
  }
}

/** Params of a detail may be an address, which no log has. */
function refusalReason({ reason }: Refusal): string {
  return typeof reason === "string" ? reason : reason.code
}

/** Signed out here; the browser goes on to the provider, which a redirect after a form may not lead it to (CSP). */
export async function leaveProvider(
  { db, vault }: Pick<ConsoleDeps, "db" | "vault">,
  provider: Provider | undefined,
  sessionHash: string,
): Promise<((headers: [string, string][]) => Response) | undefined> {
  const idToken = provider && (await findIdToken({ db, vault }, sessionHash))
  if (idToken === undefined) return undefined
  const address = await provider?.endOfSession(idToken, newSecretText())
  if (address === undefined) return undefined
  return (headers) =>
    plainPage(
      { title: words.leavingTitle, headers: [...headers, ["refresh", `0; url=${address}`]] },
      <>
        <p>{words.leaving}</p>
        <p>
          <LinkButton href={address} label={words.goOn} isMain />
        </p>
      </>,
    )
}
