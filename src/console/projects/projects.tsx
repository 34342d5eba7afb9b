/** @jsxImportSource preact */

import { Elysia } from "elysia"
import { addProject, listProjects } from "../../accounts/project.ts"
import { Tag } from "../kit/components.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Choice, Field, Form, Problem } from "../kit/forms/fields.tsx"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/project.fr.ts"
import { newProjectIn } from "./project-form.ts"

/** The list of projects, and the form for a new one. */
export function projectsPages(handlers: PageHandlers, { db }: ConsoleDeps) {
  async function showPage(context: PageContext, formState: FormState, status: number): Promise<Response> {
    const projects = await listProjects(db, context.workspaceId)
    const flash = flashMessage(context.query, { removed: messages.removed })
    return page(
      context,
      { title: messages.projects, current: "projects", status, flash },
      <>
        <Head title={messages.projects}>{projects.length === 0 && messages.noProject}</Head>
        {projects.length > 0 && (
          <ul class="cards">
            {projects.map(({ id, name, site, assistantEnabled, indexedAt }) => (
              <li key={id}>
                <a href={`/console/projects/${id}`}>{name}</a>
                <p class="hint">{site}</p>
                <p>
                  <Tag mood={assistantEnabled && indexedAt !== null ? "good" : "plain"}>
                    {messages.assistant} {assistantEnabled ? messages.assistantOn : messages.assistantOff}
                  </Tag>{" "}
                  {indexedAt === null && <Tag mood="warn">{messages.notIndexed}</Tag>}
                </p>
              </li>
            ))}
          </ul>
        )}
        {context.may("editor") && <NewProject context={context} formState={formState} />}
      </>,
    )
  }

  return new Elysia({ name: "console-projects" })
    .get(
      "/console/projects",
      handlers.page((context) => showPage(context, untouched, 200)),
    )
    .post(
      "/console/projects",
      handlers.action(
        "editor",
        async ({ values, workspaceId, nowMs, setAuditSubject }) => {
          const { id, name } = await addProject(db, workspaceId, newProjectIn(values), nowMs)
          setAuditSubject(id, name)
          return seeOther(`/console/projects/${id}/indexing?done=created`)
        },
        showPage,
      ),
      { parse: "none" },
    )
}

function NewProject({ context, formState }: { context: PageContext; formState: FormState }) {
  return (
    <section aria-labelledby="new">
      <h2 id="new">{messages.newProject}</h2>
      <Form context={context} action="/console/projects">
        <Problem formState={formState} />
        <div class="pair">
          <Field formState={formState} name="name" label={messages.name} hint={messages.nameHint} />
          <Field
            formState={formState}
            name="site"
            type="url"
            label={messages.site}
            hint={messages.siteHint}
          />
        </div>
        <Choice
          formState={formState}
          name="language"
          label={messages.language}
          value="fr"
          choices={Object.entries(messages.languages)}
        />
        <button type="submit">{messages.create}</button>
      </Form>
    </section>
  )
}
