/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { addOwnedWorkspace } from "../../accounts/owned-workspace.ts"
import { switchWorkspace } from "../../accounts/session.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/settings.fr.ts"

/** A workspace beside the one that is shown: whoever makes it owns it, and is shown it. */
export function newWorkspacePages(door: Door, { db, clock }: ConsoleParts) {
  function shown(visit: Visit, filled: Filled, status: number): Response {
    return page(
      visit,
      { title: messages.newWorkspace, current: "settings", status },
      <>
        <h1>{messages.newWorkspace}</h1>
        <p>{messages.newWorkspaceHint}</p>
        <Form visit={visit} action="/console/settings/workspaces">
          <Problem filled={filled} />
          <Field filled={filled} name="name" label={messages.name} />
          <button type="submit">{messages.makeWorkspace}</button>
        </Form>
      </>,
    )
  }

  return new Elysia({ name: "console-new-workspace", prefix: "/console/settings/workspaces" })
    .get(
      "/new",
      door.page((visit) => shown(visit, untouched, 200), "owner"),
    )
    .post(
      "",
      door.action(
        "owner",
        async ({ session, workspaceId, values, about }) => {
          const name = values.get("name") ?? ""
          const wanted = { name, besideId: workspaceId, ownerIds: [session.operator.id] }
          const id = await addOwnedWorkspace(db, wanted, clock.now())
          await switchWorkspace(db, session, id)
          about(id, name)
          return seeOther("/console")
        },
        shown,
      ),
      { parse: "none" },
    )
}
