/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { fieldsOf } from "../http/fields.ts"
import { addOwnedWorkspace } from "../workspaces/owned-workspace.ts"
import { newWorkspace } from "../workspaces/schemas.ts"
import { switchWorkspace } from "../workspaces/session.ts"
import type { ConsoleParts, Door, Visit } from "./door.ts"
import { Field, Form, Problem } from "./fields.tsx"
import { type Filled, untouched } from "./form.ts"
import { seeOther } from "./reply.ts"
import { sentences } from "./sentences/settings.ts"
import { page } from "./shell.tsx"

/** A workspace beside the one that is shown: whoever makes it owns it, and is shown it. */
export function newWorkspacePages(door: Door, { db, clock }: ConsoleParts) {
  function shown(visit: Visit, filled: Filled, status: number): Response {
    return page(
      visit,
      { title: sentences.newWorkspace, current: "settings", status },
      <>
        <h1>{sentences.newWorkspace}</h1>
        <p>{sentences.newWorkspaceHint}</p>
        <Form visit={visit} action="/console/settings/workspaces">
          <Problem filled={filled} />
          <Field filled={filled} name="name" label={sentences.name} />
          <button type="submit">{sentences.makeWorkspace}</button>
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
          const { name } = fieldsOf({ name: values.get("name") ?? "" }, newWorkspace)
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
