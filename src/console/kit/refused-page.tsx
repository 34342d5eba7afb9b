/** @jsxImportSource preact */
import { type Refusal, statusOfCode } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { userMessage } from "../../wording/user-message.ts"
import { messages } from "../messages/shell.fr.ts"
import { Form } from "./forms/fields.tsx"
import { switchTo } from "./navigation.tsx"
import type { PageContext } from "./page-context.ts"
import { page, plainPage } from "./shell.tsx"

/**
 * The page of a refusal, with the navigation if the operator is signed in. `elsewhere`: the workspace of the operator
 * that the page belongs to, which is one click away.
 */
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
      { title: messages.elsewhereTitle, status, current: "none" },
      <>
        <h1>{messages.elsewhereTitle}</h1>
        <p role="alert">{messages.elsewhere(elsewhere.name, context.session.workspace.name)}</p>
        <Form action={switchTo(encodeURIComponent(pathname + search))}>
          <input type="hidden" name="workspace" value={elsewhere.id} />
          <button type="submit">{messages.goElsewhere(elsewhere.name)}</button>
        </Form>
      </>,
    )
  }
  const title = messages.refusedTitle
  const body = (
    <>
      <p role="alert">{userMessage(detail)}</p>
      <p>
        <a href="/console">{messages.toHome}</a>
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

/**
 * The workspace that the page belongs to, where another one is shown and the operator is a member of both: mails and
 * bookmarks lead to pages of all of them.
 */
export async function otherWorkspaceOf(
  db: Db,
  { params, session }: Pick<PageContext, "params" | "session">,
): Promise<{ id: string; name: string } | undefined> {
  const { project, endpoint, delivery } = params
  if (!project && !endpoint && !delivery) return undefined
  return db
    .selectFrom("member")
    .innerJoin("workspace", "workspace.id", "member.workspace_id")
    .select(["workspace.id", "workspace.name"])
    .where("operator_id", "=", session.operator.id)
    .where("workspace.id", "!=", session.workspace.id)
    .where("workspace.id", "in", (query) =>
      project
        ? query.selectFrom("project").select("workspace_id").where("id", "=", project)
        : endpoint
          ? query.selectFrom("endpoint").select("workspace_id").where("id", "=", endpoint)
          : query
              .selectFrom("delivery")
              .innerJoin("message", "message.id", "delivery.message_id")
              .select("message.workspace_id")
              .where("delivery.id", "=", delivery as string),
    )
    .executeTakeFirst()
}
