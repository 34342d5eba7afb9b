/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { findForm, listFormNames } from "../../forms/definition/form.ts"
import { markAllRead } from "../../forms/responses/unread.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import { type Pages, projectOf } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { listQuery } from "./response-filter.tsx"
import { responseList } from "./response-list.tsx"
import { words } from "./words.fr.ts"

/** The form responses of all forms of a project. */
export function projectResponsesPages(pages: Pages, deps: ConsoleDeps) {
  const { db } = deps

  pages
    .at("/console/projects/:project/messages")
    .page("", async (context) => {
      const project = await projectOf(db, context)
      const forms = await listFormNames(db, context.workspaceId, { projectId: project.id })
      const head = (actions?: ComponentChildren) => (
        <Head title={words.title} actions={actions}>
          {words.intro}
        </Head>
      )
      if (forms.length === 0)
        return page(
          context,
          { title: words.title, current: "received", project },
          <>
            {head()}
            <section class="empty">
              <p>{words.noForm}</p>
              {context.may("editor") && (
                <p>
                  <a class="button" href={`/console/projects/${project.id}/forms/new`}>
                    {words.makeForm}
                  </a>
                </p>
              )}
            </section>
          </>,
        )
      return responseList(deps, context, {
        project,
        path: `/console/projects/${project.id}/messages`,
        forms,
        form: forms.find(({ id }) => id === context.query["form"]),
        isOfProject: true,
        head,
      })
    })
    .action("/read", "editor", async (context) => {
      const project = await projectOf(db, context)
      const { values, workspaceId, nowMs } = context
      const form = await findForm(db, workspaceId, values.get("form") ?? "")
      const formId = form?.projectId === project.id ? form.id : undefined
      await markAllRead(db, { projectId: project.id, formId }, values.get("until") ?? "", nowMs)
      const path = `/console/projects/${project.id}`
      const list = values.get("list") === "form" && formId ? `${path}/forms/${formId}` : `${path}/messages`
      return seeOther(`${list}?${listQuery(context, { done: "read" })}`)
    })
}
