import { findProject } from "../../accounts/project.ts"
import { findMembership } from "../../accounts/session.ts"
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { workspaceOfEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import { workspaceOfDelivery } from "../../webhooks/messages/delivery-log.ts"
import { userMessage } from "../../wording/user-message.ts"
import { Form } from "./forms/fields.tsx"
import { switchTo } from "./navigation.tsx"
import type { PageContext } from "./page-context.ts"
import { page, plainPage } from "./shell.tsx"
import { words } from "./words.fr.ts"

/** The page of a refusal. `elsewhere`: the operator's workspace that the page belongs to, one click away. */
export function refusedPage(
  { code, detail }: Refusal,
  context: PageContext | undefined,
  elsewhere?: { id: string; name: string },
): Response {
  const status = statusOfCode[code]
  if (context && elsewhere) {
    const { pathname, search } = new URL(context.request.url)
    return page(
      context,
      { title: words.elsewhereTitle, status, current: "none" },
      <>
        <h1>{words.elsewhereTitle}</h1>
        <p role="alert">{words.elsewhere(elsewhere.name, context.session.workspace.name)}</p>
        <Form
          action={switchTo(encodeURIComponent(pathname + search))}
          send={words.goElsewhere(elsewhere.name)}
        >
          <input type="hidden" name="workspace" value={elsewhere.id} />
        </Form>
      </>,
    )
  }
  const title = words.refusedTitle
  const body = (
    <>
      <p role="alert">{userMessage(detail)}</p>
      <p>
        <a href="/console">{words.toHome}</a>
      </p>
    </>
  )
  if (!context) return plainPage({ title, status }, body)
  return page(
    context,
    { title, status, current: "none" },
    <>
      <h1>{title}</h1>
      {body}
    </>,
  )
}

/** The page's workspace, if it is another one of the operator's: mails and bookmarks lead to all of them. */
export async function findOtherWorkspace(
  db: Db,
  { params, session }: Pick<PageContext, "params" | "session">,
): Promise<{ id: string; name: string } | undefined> {
  const { project, endpoint, delivery } = params
  const home = project
    ? (await findProject(db, project))?.workspaceId
    : endpoint
      ? await workspaceOfEndpoint(db, endpoint)
      : delivery && (await workspaceOfDelivery(db, delivery))
  if (!home || home === session.workspace.id) return undefined
  return findMembership(db, session.operator.id, home)
}
