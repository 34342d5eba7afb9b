/** @jsxImportSource preact */

import { Elysia } from "elysia"
import { addOwnedWorkspace } from "../../accounts/owned-workspace.ts"
import { switchWorkspace } from "../../accounts/session.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import type { PageHandlers } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/settings.fr.ts"

/** Creates a workspace. Its creator owns it and is switched to it. */
export function newWorkspacePages(handlers: PageHandlers, { db, clock }: ConsoleDeps) {
  function showPage(context: PageContext, formState: FormState, status: number): Response {
    return page(
      context,
      { title: messages.newWorkspace, current: "settings", status },
      <>
        <Head title={messages.newWorkspace} back={{ href: "/console/settings", name: messages.settings }}>
          {messages.newWorkspaceHint}
        </Head>
        <Form context={context} action="/console/settings/workspaces">
          <Problem formState={formState} />
          <Field formState={formState} name="name" label={messages.name} />
          <button type="submit">{messages.makeWorkspace}</button>
        </Form>
      </>,
    )
  }

  return new Elysia({ name: "console-new-workspace", prefix: "/console/settings/workspaces" })
    .get(
      "/new",
      handlers.page((context) => showPage(context, untouched, 200), "owner"),
    )
    .post(
      "",
      handlers.action(
        "owner",
        async ({ session, workspaceId, values, setAuditSubject, setAuditWorkspace }) => {
          const name = values.get("name") ?? ""
          const workspace = { name, besideId: workspaceId, ownerIds: [session.operator.id] }
          const id = await addOwnedWorkspace(db, workspace, clock.now())
          await switchWorkspace(db, session, id)
          setAuditSubject(id, name)
          // The members of the shown workspace may be another customer's, who is not to read this name.
          setAuditWorkspace(id)
          return seeOther("/console")
        },
        showPage,
      ),
      { parse: "none" },
    )
}

/** Says, where a first project is made, that another customer can have a workspace instead, and where. */
export function OwnWorkspace({ context }: { context: PageContext }) {
  if (!context.may("owner")) return null
  return (
    <p class="intro">
      {messages.workspaces.ownForCustomer}{" "}
      <a href="/console/settings/workspaces/new">{messages.workspaces.ownForCustomerWay}</a>
      {messages.workspaces.ownForCustomerWhy}
    </p>
  )
}
