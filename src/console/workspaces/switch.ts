import { Elysia } from "elysia"
import { switchWorkspace } from "../../accounts/session.ts"
import { Refusal } from "../../base/errors.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import type { PageHandlers } from "../kit/page-handlers.ts"
import { nextPage, seeOther } from "../kit/reply.ts"
import { messages } from "../messages/shell.fr.ts"

/** Switches the session to another workspace of the operator, and leads to the page that `?next=` names. */
export function switchRoutes(handlers: PageHandlers, { db }: ConsoleDeps) {
  return new Elysia({ name: "console-workspace" }).post(
    "/console/workspace",
    handlers.action("viewer", async ({ session, values, query }) => {
      if (!(await switchWorkspace(db, session, values.get("workspace") ?? "")))
        throw new Refusal("not_found", messages.unknownPage)
      return seeOther(nextPage(query["next"]))
    }),
    { parse: "none" },
  )
}
