/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { newestGaps } from "../../assistant/insights/newest-gaps.ts"
import { dayMs } from "../../base/clock.ts"
import { withoutScheme } from "../../base/text.ts"
import { listForms } from "../../forms/definition/form.ts"
import { type Endpoint, listEndpoints, maxEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { untouched } from "../kit/forms/form-state.ts"
import { Head } from "../kit/head.tsx"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/home.fr.ts"
import { messages as trialMessages } from "../messages/trial.fr.ts"
import { TrialForm } from "../projects/trial.tsx"
import { Attention, concernsOf } from "./attention.tsx"
import { Checklist, stepsOf } from "./checklist.tsx"
import { type ReadFigures, shownDays } from "./figures.ts"
import { Gaps } from "./gaps.tsx"
import { Overview } from "./overview.tsx"

export const shownGaps = 3

/** The last days of a project, and what asks for attention. */
export function projectHomePages(handlers: PageHandlers, deps: ConsoleDeps, readFigures: ReadFigures) {
  const { db, config } = deps
  const { timezone } = config

  return new Elysia({ name: "console-project-home" }).get(
    "/console/projects/:project",
    handlers.page(async (context) => {
      const project = await projectOf(db, context)
      const { nowMs, workspaceId } = context
      const [all, forms] = await Promise.all([
        listEndpoints(db, workspaceId, { atMost: maxEndpoints, after: undefined }),
        listForms(db, workspaceId, { projectId: project.id }),
      ])
      const formIds = forms.map(({ id }) => id)
      // Without a form, nothing that was delivered is of this project.
      const endpoints =
        forms.length === 0 ? [] : all.filter((endpoint) => takesProject(endpoint, project.id, formIds))
      const endpointIds = endpoints.map(({ id }) => id)
      const [figures, concerns, gaps, steps] = await Promise.all([
        readFigures([project.id], endpointIds, nowMs),
        concernsOf(deps, { projects: [project], endpoints, nowMs }),
        newestGaps(db, [project.id], nowMs - shownDays * dayMs, shownGaps),
        stepsOf(db, project, endpointIds),
      ])
      const path = `/console/projects/${project.id}`
      const isShared =
        context.projects.length > 1 &&
        endpoints.some((endpoint) => !takesNothingElse(endpoint, project.id, formIds))
      return page(
        context,
        { title: project.name, current: "home", project },
        <>
          <Head
            title={project.name}
            beside={
              <a href={project.site} rel="noreferrer">
                {withoutScheme(project.site)}
              </a>
            }
          />
          <Checklist steps={steps} />
          {concerns.length > 0 && <Attention concerns={concerns} />}
          <Overview
            figures={figures}
            links={{
              questions: `${path}/questions`,
              received: `${path}/messages`,
              deliveries: "/console/webhooks",
            }}
            deliveriesHint={
              endpoints.length === 0
                ? undefined
                : isShared
                  ? messages.ofSharedEndpoints
                  : messages.ofEndpoints
            }
          />
          <div class="columns">
            <Gaps gaps={gaps} timezone={timezone} nowMs={nowMs} href={`${path}/questions#missing`} />
            {context.may("editor") && (
              <section aria-labelledby="trial">
                <h2 id="trial">{trialMessages.title}</h2>
                <TrialForm context={context} project={project} formState={untouched} />
              </section>
            )}
          </div>
        </>,
      )
    }),
  )
}

function takesProject(
  { filtered, projects, forms }: Endpoint,
  projectId: string,
  formIds: string[],
): boolean {
  return !filtered || projects.includes(projectId) || forms.some((id) => formIds.includes(id))
}

function takesNothingElse(
  { filtered, projects, forms }: Endpoint,
  projectId: string,
  formIds: string[],
): boolean {
  return filtered && projects.every((id) => id === projectId) && forms.every((id) => formIds.includes(id))
}
