/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { addProject, listProjects } from "../../accounts/project.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Choice, Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/project.fr.ts"
import { newProjectIn } from "./project-form.ts"

/** The projects of the workspace, and a new one. */
export function projectsPages(door: Door, { db }: ConsoleParts) {
  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const projects = await listProjects(db, visit.workspaceId)
    const done = doneOf(visit.query, { removed: messages.removed })
    return page(
      visit,
      { title: messages.projects, current: "projects", status, done },
      <>
        <h1>{messages.projects}</h1>
        {projects.length === 0 ? (
          <p>{messages.noProject}</p>
        ) : (
          <ul class="cards">
            {projects.map(({ id, name, site, assistantEnabled, indexedAt }) => (
              <li key={id}>
                <a href={`/console/projects/${id}`}>{name}</a>
                <p class="hint">{site}</p>
                <p class="hint">
                  {messages.assistant} {assistantEnabled ? messages.assistantOn : messages.assistantOff}
                  {indexedAt === null && `, ${messages.notIndexed}`}
                </p>
              </li>
            ))}
          </ul>
        )}
        {visit.may("editor") && <NewProject visit={visit} filled={filled} />}
      </>,
    )
  }

  return new Elysia({ name: "console-projects" })
    .get(
      "/console",
      door.page((visit) =>
        seeOther(visit.onlyProject ? `/console/projects/${visit.onlyProject.id}` : "/console/projects"),
      ),
    )
    .get(
      "/console/projects",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "/console/projects",
      door.action(
        "editor",
        async ({ values, workspaceId, nowMs, about }) => {
          const { id, name } = await addProject(db, workspaceId, newProjectIn(values), nowMs)
          about(id, name)
          return seeOther(`/console/projects/${id}/indexing?done=created`)
        },
        shown,
      ),
      { parse: "none" },
    )
}

function NewProject({ visit, filled }: { visit: Visit; filled: Filled }) {
  return (
    <section aria-labelledby="new">
      <h2 id="new">{messages.newProject}</h2>
      <Form visit={visit} action="/console/projects">
        <Problem filled={filled} />
        <Field filled={filled} name="name" label={messages.name} hint={messages.nameHint} />
        <Field filled={filled} name="site" type="url" label={messages.site} hint={messages.siteHint} />
        <Choice
          filled={filled}
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
