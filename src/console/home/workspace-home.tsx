import { listProjects, type Project } from "../../accounts/project.ts"
import { dayMs } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import { newestGaps } from "../../owners/gaps/newest-gaps.ts"
import { listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { percent } from "../kit/chart.tsx"
import { Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { page } from "../kit/shell.tsx"
import { NewProject } from "../projects/new-project.tsx"
import { words as projectWords } from "../projects/words.fr.ts"
import { Attention, listConcerns, serviceConcerns } from "./attention.tsx"
import { type Figures, periodIn, type ReadFigures, shownDays } from "./figures.ts"
import { Gaps } from "./gaps.tsx"
import { Overview } from "./overview.tsx"
import { type projectHomePages, shownGaps } from "./project-home.tsx"
import { words } from "./words.fr.ts"

/** Projects in the table, those with the most questions and messages first. */
const shownProjects = 20

/** The last days of all projects of the workspace, and what asks for attention; of an only project, its own home. */
export function workspaceHomePages(
  deps: ConsoleDeps,
  readFigures: ReadFigures,
  projectHome: ReturnType<typeof projectHomePages>,
) {
  const { db } = deps

  return {
    page: async (context: PageContext) => {
      const { nowMs, workspaceId } = context
      const [projects, endpoints] = await Promise.all([
        listProjects(db, workspaceId),
        listEndpoints(db, workspaceId),
      ])
      const [first, ...others] = projects
      if (!first) return page(context, { title: words.title, current: "overview" }, <Empty />)
      if (others.length === 0) return projectHome.show(context, first)
      const projectIds = idsOf(projects)
      const endpointIds = idsOf(endpoints)
      const [figures, concerns, ofService, gaps] = await Promise.all([
        readFigures(projectIds, endpointIds, nowMs, periodIn(context.query)),
        listConcerns(deps, context, projects, endpoints),
        context.session.administers ? serviceConcerns(deps) : [],
        newestGaps(db, projects, nowMs - shownDays * dayMs, shownGaps),
      ])
      return page(
        context,
        { title: words.title, current: "overview" },
        <>
          <Head title={words.title} />
          <Attention concerns={[...ofService, ...concerns]} isTold />
          <Overview address="/console" figures={figures} hasEndpoints={endpointIds.length > 0} />
          <Projects projects={projects} figures={figures} />
          <Gaps gaps={gaps} figures={figures} names={new Map(projects.map(({ id, name }) => [id, name]))} />
        </>,
      )
    },
  }
}

function Empty() {
  return (
    <>
      <Head title={words.title} />
      <p>{projectWords.noProject}</p>
      {usePage().may("editor") && <NewProject title={words.firstProject} />}
    </>
  )
}

function Projects({ projects, figures }: { projects: readonly Project[]; figures: Figures }) {
  const rows = projects
    .map(({ id, name }) => ({
      id,
      name,
      ...(figures.ofProject.get(id) ?? { asked: 0, answered: 0, received: 0, unread: 0 }),
    }))
    .sort((one, other) => other.asked + other.received - one.asked - one.received)
    .slice(0, shownProjects)
  return (
    <section aria-labelledby="projects">
      <h2 id="projects">
        {words.projects} <small>{words.lastDays(figures.days)}</small>
      </h2>
      <Table
        label={words.projects}
        head={[words.project, words.questions, words.answeredShare, words.received, words.unreadColumn]}
        figures={4}
      >
        {rows.map(({ id, name, asked, answered, received, unread }) => (
          <tr key={id}>
            <th scope="row">
              <a href={`/console/projects/${id}`}>{name}</a>
            </th>
            <td class="number">{asked.toLocaleString("fr")}</td>
            <td class="number">{asked === 0 ? words.noShare : percent(answered / asked)}</td>
            <td class="number">{received.toLocaleString("fr")}</td>
            <td class="number">{unread === 0 ? words.noShare : unread.toLocaleString("fr")}</td>
          </tr>
        ))}
      </Table>
      {projects.length > rows.length && (
        <p>
          <a href="/console/projects">{words.allProjects(projects.length)}</a>
        </p>
      )}
    </section>
  )
}
