import type { Db } from "../../db/connection.ts"
import type { PageContext } from "./page-context.ts"

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
