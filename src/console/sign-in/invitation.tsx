/** @jsxImportSource preact */
import { Elysia } from "elysia"
import {
  acceptInvitation,
  type Invitation,
  makeInvitedAccount,
  requireInvitation,
} from "../../accounts/invitation.ts"
import type { Operator } from "../../accounts/operator.ts"
import { findSession, type Session } from "../../accounts/session.ts"
import type { Db } from "../../db/connection.ts"
import { recordAction } from "../../operations/audit-log.ts"
import { toRefusal } from "../../wording/error-replies.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { readForm, refused, untouched } from "../kit/forms/submitted-form.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { refusedPage } from "../kit/refused-page.tsx"
import { seeOther } from "../kit/reply.ts"
import { sessionText } from "../kit/session/cookie.ts"
import { csrfToken, requireOwnOrigin } from "../kit/session/csrf.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import { plainPage } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"

/**
 * The page of an invitation link. An operator with an account signs in and accepts; anybody else creates an
 * account. The page is the same whether or not the address has an account, because the inviter can open the
 * link too and must not learn it.
 */
export function invitationRoutes(pages: Pages, { access, db, clock, vault, log, config }: ConsoleDeps) {
  async function showPage(request: Request, link: string, submitted = untouched): Promise<Response> {
    const nowMs = clock.now()
    const invitation = await requireInvitation(db, link, nowMs)
    const text = sessionText(request)
    const session = text === undefined ? undefined : await findSession(db, text, nowMs)
    return plainPage(
      { title: words.invitationTitle, submitted },
      <>
        <p>
          {words.invitation(invitation.workspaceName, commonWords.roles[invitation.role], invitation.email)}
        </p>
        {session ? (
          <Acceptance invitation={invitation} session={session} link={link} />
        ) : (
          <NewAccount link={link} />
        )}
      </>,
    )
  }

  function Acceptance({
    invitation,
    session,
    link,
  }: {
    invitation: Invitation
    session: Session
    link: string
  }) {
    const token = csrfToken(vault, session)
    if (session.operator.email === invitation.email)
      return <Form token={token} action={`${addressOf(link)}/acceptance`} send={words.accept} />
    return (
      <>
        <p class="notice">{words.signedInAs(session.operator.email)}</p>
        <Form token={token} action="/console/sign-out" send={commonWords.signOut} />
      </>
    )
  }

  async function createAccount(request: Request, link: string): Promise<Response> {
    let submitted = untouched
    try {
      requireOwnOrigin(request, config.publicUrl)
      const values = await readForm(request)
      submitted = { ...untouched, values }
      await makeInvitedAccount(db, { text: link, password: values.get("password") ?? "" }, clock.now())
      return seeOther(`${signInBy(link)}&done=account`)
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      if (refusal.code === "not_found" || refusal.code === "forbidden") throw refusal
      return await showPage(request, link, refused(submitted.values, refusal))
    }
  }

  async function orRefusedPage(request: Request, act: () => Promise<Response>): Promise<Response> {
    try {
      return await act()
    } catch (error) {
      const refusal = toRefusal(error, request, log)
      if (refusal.code === "not_found") access.refused(request, "link refused", refusal.code)
      return refusedPage(refusal, undefined)
    }
  }

  pages.action("/console/invitations/:link/acceptance", "viewer", async ({ session, params }) => {
    const { workspaceId } = await acceptInvitation(db, session, params["link"] ?? "", clock.now())
    await recordJoin(db, session.operator, workspaceId, clock.now())
    return seeOther("/console/settings/operators?done=joined")
  })
  return new Elysia({ name: "console-invitation", prefix: "/console/invitations" })
    .get("/:link", ({ request, params }) => orRefusedPage(request, () => showPage(request, params.link)))
    .post(
      "/:link",
      ({ request, params }) => orRefusedPage(request, () => createAccount(request, params.link)),
      {
        parse: "none",
      },
    )
}

function NewAccount({ link }: { link: string }) {
  return (
    <>
      <Problem />
      <section>
        <h2>{words.haveAccount}</h2>
        <p>
          <a class="button" href={signInBy(link)}>
            {words.signInToAccept}
          </a>
        </p>
      </section>
      <section>
        <h2>{words.noAccount}</h2>
        <form method="post" action={addressOf(link)} novalidate>
          <Field
            name="password"
            type="password"
            label={words.password}
            hint={words.passwordHint}
            autocomplete="new-password"
          />
          <button type="submit">{words.createAndAccept}</button>
        </form>
      </section>
    </>
  )
}

/** An operator joined a workspace by the link of an invitation. */
export async function recordJoin(
  db: Db,
  { id, email }: Operator,
  workspaceId: string,
  nowMs: number,
): Promise<void> {
  const actor = { kind: "operator" as const, id, name: email }
  const done = { action: "operator.joined" as const, subject: id, subjectName: email }
  await recordAction(db, workspaceId, actor, done, nowMs)
}

/** The link of an invitation that `path` is the page of. */
export function linkIn(path: string): string | undefined {
  return /^\/console\/invitations\/([\w-]+)$/.exec(path)?.[1]
}

function signInBy(link: string): string {
  return `/console/sign-in?next=${encodeURIComponent(addressOf(link))}`
}

function addressOf(link: string): string {
  return `/console/invitations/${encodeURIComponent(link)}`
}
