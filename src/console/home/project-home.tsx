/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { untouched } from "../kit/forms/form-state.ts"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages as trialMessages } from "../messages/trial.fr.ts"
import { TrialForm } from "../projects/trial.tsx"

/** What happened in a project in the last days, and what asks for attention. */
export function projectHomePages(handlers: PageHandlers, { db }: ConsoleDeps) {
  return new Elysia({ name: "console-project-home" }).get(
    "/console/projects/:project",
    handlers.page(async (context) => {
      const project = await projectOf(db, context)
      return page(
        context,
        { title: project.name, current: "home", project },
        <>
          <h1>{project.name}</h1>
          <section aria-labelledby="trial">
            <h2 id="trial">{trialMessages.title}</h2>
            <TrialForm context={context} project={project} formState={untouched} />
          </section>
        </>,
      )
    }),
  )
}
