import { switchWorkspace } from "../../accounts/session.ts"
import { Refusal } from "../../base/errors.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { nextPage, seeOther } from "../kit/reply.ts"
import { words } from "../kit/words.fr.ts"

/** Switches the session to another workspace of the operator, and leads to the page that `?next=` names. */
export function switchRoutes(pages: Pages, { db }: ConsoleDeps) {
  pages.action("/console/workspace", "viewer", async ({ session, values, query }) => {
    if (!(await switchWorkspace(db, session, values.get("workspace") ?? "")))
      throw new Refusal("not_found", words.unknownPage)
    return seeOther(nextPage(query["next"]))
  })
}
