import {
  acceptInvitation,
  type Invitation,
  makeInvitedAccount,
  requireInvitation,
} from "../../accounts/invitation.ts"
import type { Operator } from "../../accounts/operator.ts"
import { findSession, type Session } from "../../accounts/session.ts"
import type { Db } from "../../db/connection.ts"
import { type Action, recordAction } from "../../operations/audit-log.ts"
import { LinkButton, Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { action } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { sessionText } from "../kit/session/cookie.ts"
import { csrfToken } from "../kit/session/csrf.ts"
import { words } from "../kit/session/sign-in.fr.ts"
import { NewPassword } from "../kit/session/sign-in-page.tsx"
import { plainPage } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { linkPage } from "./link-pages.ts"

/**
 * The page of an invitation link. An operator with an account signs in and accepts; anybody else creates an
 * account. The page is the same whether or not the address has an account, because the inviter can open the
 * link too and must not learn it.
 */
export function invitationPage(deps: ConsoleDeps) {
  const { db, clock, vault, config } = deps

  function Acceptance({ invitation, session, link }: AcceptanceProps) {
    const token = csrfToken(vault, session)
    if (session.operator.email === invitation.email)
      return <Form token={token} action={`${invitationAddress(link)}/acceptance`} send={words.accept} />
    return (
      <>
        <p class="notice">{words.signedInAs(session.operator.email)}</p>
        <Form token={token} action="/console/sign-out" send={commonWords.signOut} />
      </>
    )
  }

  return {
    accept: action(async ({ session, params }) => {
      const { workspaceId } = await acceptInvitation(db, session, params["link"] ?? "", clock.now())
      await recordJoin(db, session.operator, workspaceId, clock.now())
      return seeOther("/console/settings/operators?done=joined")
    }),
    ...linkPage(deps, {
      async show(link, submitted, request) {
        const nowMs = clock.now()
        const invitation = await requireInvitation(db, link, nowMs)
        const { workspaceName, role, email } = invitation
        const text = sessionText(request)
        const session = text === undefined ? undefined : await findSession(db, text, nowMs)
        return plainPage(
          { title: words.invitationTitle, submitted },
          <>
            <p>{words.invitation(workspaceName, commonWords.roles[role], email)}</p>
            {session ? (
              <Acceptance {...{ invitation, session, link }} />
            ) : (
              <NewAccount link={link} hasPasswords={config.passwordSignIn} />
            )}
          </>,
        )
      },
      async send(link, values) {
        await makeInvitedAccount(db, { text: link, password: values.get("password") ?? "" }, clock.now())
        return seeOther(`${signInBy(link)}&done=account`)
      },
    }),
  }
}

interface AcceptanceProps {
  invitation: Invitation
  session: Session
  link: string
}

function NewAccount({ link, hasPasswords }: { link: string; hasPasswords: boolean }) {
  return (
    <>
      <Problem />
      <Section title={words.haveAccount}>
        <p>
          <LinkButton href={signInBy(link)} label={words.signInToAccept} isMain />
        </p>
      </Section>
      {hasPasswords && (
        <Section title={words.noAccount}>
          <form method="post" action={invitationAddress(link)} novalidate>
            <NewPassword label={words.password} />
            <button type="submit">{words.create}</button>
          </form>
        </Section>
      )}
    </>
  )
}

/** An operator joined a workspace by the link of an invitation. */
export function recordJoin(db: Db, operator: Operator, workspaceId: string, nowMs: number) {
  return recordOwn(db, operator, "operator.joined", workspaceId, nowMs)
}

/** Records what an operator did to their own account. */
export async function recordOwn(
  db: Db,
  { id, email }: Operator,
  action: Action,
  workspaceId: string,
  nowMs: number,
) {
  const actor = { kind: "operator" as const, id, name: email }
  await recordAction(db, workspaceId, actor, { action, subject: id, subjectName: email }, nowMs)
}

/** The link of an invitation that `path` is the page of. */
export function linkIn(path: string): string | undefined {
  return /^\/console\/invitations\/([\w-]+)$/.exec(path)?.[1]
}

function signInBy(link: string): string {
  return `/console/sign-in?next=${encodeURIComponent(invitationAddress(link))}`
}

function invitationAddress(link: string): string {
  return `/console/invitations/${encodeURIComponent(link)}`
}
