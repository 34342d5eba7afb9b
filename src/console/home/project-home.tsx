import type { Project } from "../../accounts/project.ts"
import { dayMs } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import { withoutScheme } from "../../base/text.ts"
import { newestGaps } from "../../owners/gaps/newest-gaps.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { TrialSection } from "../projects/trial.tsx"
import { Attention, listConcerns, serviceConcerns } from "./attention.tsx"
import { Checklist } from "./checklist.tsx"
import { periodIn, type ReadFigures, shownDays } from "./figures.ts"
import { Gaps } from "./gaps.tsx"
import { Overview } from "./overview.tsx"
import { loadProjectParts, reachedEndpoints, takesNothingElse } from "./project-parts.ts"
import { firstSteps } from "./steps.ts"
import { words } from "./words.fr.ts"

export const shownGaps = 3

/** The last days of a project, and what asks for attention; of an only project, all that is wrong. */
export function projectHomePages(deps: ConsoleDeps, readFigures: ReadFigures) {
  const { db, config } = deps

  async function show(context: PageContext, project: Project): Promise<Response> {
    const { nowMs, session } = context
    const isOnly = context.projects.length === 1
    const parts = await loadProjectParts(db, project)
    const all = parts.endpoints
    const endpoints = isOnly ? all : reachedEndpoints(parts)
    const [figures, ofService, concerns, gaps, beginning] = await Promise.all([
      readFigures([project.id], idsOf(endpoints), nowMs, periodIn(context.query)),
      isOnly && session.administers ? serviceConcerns(deps) : [],
      listConcerns(deps, context, [project], endpoints),
      newestGaps(db, [project], nowMs - shownDays * dayMs, shownGaps),
      firstSteps(deps, context, project, parts),
    ])
    const path = `/console/projects/${project.id}`
    const isShared = !isOnly && endpoints.some((each) => !takesNothingElse(each, project.id, parts.forms))
    const hint = endpoints.length === 0 ? undefined : isShared ? words.ofSharedEndpoints : words.ofEndpoints
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
        <Attention concerns={[...ofService, ...concerns]} />
        <Checklist project={project} beginning={beginning} publicUrl={config.publicUrl} />
        <Overview
          address={path}
          figures={figures}
          path={path}
          hasEndpoints={all.length > 0}
          deliveriesHint={isOnly ? undefined : hint}
        />
        <div class="columns">
          <Gaps gaps={gaps} figures={figures} href={`${path}/questions/gaps`} />
          {context.may("editor") && <TrialSection project={project} />}
        </div>
      </>,
    )
  }

  return { show, page: async (context: PageContext) => show(context, await projectInAddress(db, context)) }
}
