/** @jsxImportSource preact */

import { listProjects, sortKeyOf } from "../../accounts/project.ts"
import { addProject } from "../../accounts/projects/operations.ts"
import { addFeed } from "../../assistant/indexing/operations.ts"
import { parsedUrl, withScheme } from "../../base/text.ts"
import { listPage } from "../../http/list.ts"
import { More, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { OwnWorkspace } from "../workspaces/new-workspace.tsx"
import { NewProject, readingBox, siteOf } from "./new-project.tsx"
import { words } from "./words.fr.ts"

/** The list of projects, and the form for a new one. */
export function projectsPages(pages: Pages, { db, reindexing }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const { items, next_cursor } = await listPage(
      { cursor: context.query["cursor"] },
      (part) => listProjects(db, context.workspaceId, part),
      sortKeyOf,
    )
    return page(
      context,
      { title: words.projects, current: "projects", flash: { removed: words.removed } },
      <>
        <Head title={words.projects}>{items.length === 0 && words.noProject}</Head>
        {items.length === 0 && <OwnWorkspace />}
        {items.length > 0 && (
          <ul class="cards">
            {items.map(({ id, name, site, assistantEnabled, indexedAt }) => (
              <li key={id}>
                <a href={`/console/projects/${id}`}>{name}</a>
                <p class="hint">{site}</p>
                <p>
                  <Tag mood={assistantEnabled && indexedAt !== null ? "good" : "plain"}>
                    {words.assistant} {assistantEnabled ? words.assistantOn : words.assistantOff}
                  </Tag>{" "}
                  {indexedAt === null && <Tag mood="warn">{words.notIndexed}</Tag>}
                </p>
              </li>
            ))}
          </ul>
        )}
        <More address="/console/projects" cursor={next_cursor} />
        {context.may("editor") && <NewProject title={words.newProject} />}
      </>,
    )
  }

  pages.page("/console/projects", showPage).performs("/console/projects", addProject, {
    show: showPage,
    input: (values) => {
      const host = parsedUrl(withScheme(values.get("site") ?? ""))?.host
      // Without an address of the site there will be no project, whatever its name.
      return { name: values.get("name")?.trim() || host || "…" }
    },
    async leadsTo(project, { values, perform }) {
      const { id } = project
      const path = `/console/projects/${id}/indexing`
      if (!values.has(readingBox)) return `${path}?done=created`
      await perform(addFeed, { kind: "site", address: siteOf(project) }, { project: id })
      await reindexing.readNow(id, { force: false })
      return `${path}?done=createdRead`
    },
  })
}
