import { Elysia } from "elysia"
import { switchWorkspace } from "../../accounts/session.ts"
import { Refusal } from "../../base/errors.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { seeOther } from "../kit/reply.ts"
import { messages } from "../messages/shell.fr.ts"

/** Shows another workspace of the operator. */
export function workspaceRoutes(door: Door, { db }: ConsoleParts) {
  return new Elysia({ name: "console-workspace" }).post(
    "/console/workspace",
    door.action("viewer", async ({ session, values }) => {
      if (!(await switchWorkspace(db, session, values.get("workspace") ?? "")))
        throw new Refusal("not_found", messages.unknownPage)
      return seeOther("/console")
    }),
    { parse: "none" },
  )
}
