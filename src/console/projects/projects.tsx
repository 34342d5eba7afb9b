import { listProjects, type Project, projectSortKey } from "../../accounts/project.ts"
import { addProject } from "../../accounts/projects/operations.ts"
import { idsOf } from "../../base/ids.ts"
import { parsedUrl, withoutScheme, withScheme } from "../../base/text.ts"
import { listPage } from "../../http/list.ts"
import { addFeed } from "../../indexing/operations.ts"
import { type DayOfQuestions, sumOfQuestions } from "../../owners/gaps/daily-questions.ts"
import { type Concern, listConcerns } from "../home/attention.tsx"
import { type CountQuestions, shownDays } from "../home/figures.ts"
import { percent } from "../kit/chart.tsx"
import { More, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { lastDays, Time } from "../kit/dates.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { OwnWorkspace } from "../workspaces/new-workspace.tsx"
import { kindIn } from "./kind-fields.tsx"
import { NewProject, readingBox, siteAddress } from "./new-project.tsx"
import { words } from "./words.fr.ts"

export function projectsPages(deps: ConsoleDeps, countQuestions: CountQuestions) {
  const { db, reindexing, config } = deps

  async function showPage(context: PageContext): Promise<Response> {
    const { items, next_cursor } = await listPage(
      { cursor: context.query["cursor"] },
      (part) => listProjects(db, context.workspaceId, part),
      projectSortKey,
    )
    const days = lastDays(config.timezone, context.nowMs, shownDays)
    const ids = idsOf(items)
    const [figures, concerns] = await Promise.all([
      countQuestions(ids, days),
      listConcerns(deps, context, items, []),
    ])
    return page(
      context,
      { title: words.projects, current: "projects", flash: { removed: words.removed } },
      <>
        <Head title={words.projects}>{items.length === 0 && words.noProject}</Head>
        {items.length > 0 && <Projects {...{ projects: items, figures, concerns }} />}
        <More address="/console/projects" cursor={next_cursor} />
        {items.length > 0 && <OwnWorkspace />}
        {context.may("editor") && <NewProject title={words.newProject} />}
      </>,
    )
  }

  return {
    page: showPage,
    addProject: performs(addProject, {
      show: showPage,
      input: (values) => {
        const host = parsedUrl(withScheme(values.get("site") ?? ""))?.host
        // Without an address of the site there will be no project, whatever its name.
        return { name: values.get("name")?.trim() || host || "…", ...kindIn(values) }
      },
      async leadsTo(project, { values, perform }) {
        const { id } = project
        const path = `/console/projects/${id}/indexing`
        if (!values.has(readingBox)) return `${path}?done=created`
        await perform(addFeed, { kind: "site", address: siteAddress(project) }, { project: id })
        await reindexing.readNow(id, { force: false })
        return `${path}?done=createdRead`
      },
    }),
  }
}

interface ProjectsProps {
  projects: readonly Project[]
  figures: ReadonlyMap<string, readonly DayOfQuestions[]>
  concerns: readonly Concern[]
}

/** Each with its site, its questions of the last days, its last reading, and what is wrong. */
function Projects({ projects, figures, concerns }: ProjectsProps) {
  const ofProject = Map.groupBy(concerns, ({ project }) => project?.id)
  return (
    <section>
      <Table
        label={words.projects}
        head={[words.project, words.lastReading, words.questions(shownDays), words.problems]}
      >
        {projects.map(({ id, name, site, indexedAt }) => {
          const { asked, answered } = sumOfQuestions(figures.get(id) ?? [])
          return (
            <tr key={id}>
              <td class="lead">
                <a href={`/console/projects/${id}`}>{name}</a>
                <p class="hint">{withoutScheme(site)}</p>
              </td>
              <td class="when">{indexedAt === null ? words.notIndexed : <Time at={indexedAt} />}</td>
              <td class="when">
                {asked === 0 ? words.none : words.ofQuestions(asked, percent(answered / asked))}
              </td>
              <td class="problems whole">
                {ofProject.get(id)?.map(({ text, href }) => (
                  <p key={href}>
                    <a href={href}>{text}</a>
                  </p>
                ))}
              </td>
            </tr>
          )
        })}
      </Table>
    </section>
  )
}
