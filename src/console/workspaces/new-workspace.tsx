import { switchWorkspace } from "../../accounts/session.ts"
import { addWorkspace } from "../../accounts/workspaces/operations.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words } from "../settings/words.fr.ts"

/** Creates a workspace. Its creator owns it and is switched to it. */
export function newWorkspacePages({ db }: ConsoleDeps) {
  function showPage(context: PageContext): Response {
    return page(
      context,
      { title: words.newWorkspace, current: "settings" },
      <>
        <Head title={words.newWorkspace} back={{ href: "/console/settings", name: words.settings }}>
          {words.newWorkspaceHint}
        </Head>
        <Form action="/console/settings/workspaces" send={words.makeWorkspace}>
          <Problem />
          <Field name="name" label={words.name} />
        </Form>
      </>,
    )
  }

  return {
    page: showPage,
    addWorkspace: performs(addWorkspace, {
      show: showPage,
      async leadsTo({ workspace }, { session }) {
        await switchWorkspace(db, session, workspace.id)
        return "/console"
      },
    }),
  }
}

/** Says, where another project is made, that another customer can have a workspace instead, and where. */
export function OwnWorkspace() {
  if (!usePage().may("owner")) return null
  return (
    <p class="intro">
      {words.workspaces.ownForCustomer}{" "}
      <a href="/console/settings/workspaces/new">{words.workspaces.ownForCustomerWay}</a>
      {words.workspaces.ownForCustomerWhy}
    </p>
  )
}
