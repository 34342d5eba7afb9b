/** @jsxImportSource preact */

import type { ComponentChildren } from "preact"
import { shutWorkspacesOf, workspacesOf } from "../../accounts/session.ts"
import { mostGapsCounted } from "../../assistant/insights/newest-gaps.ts"
import { type QuestionsOf, shownDays } from "../home/figures.ts"
import { percent } from "../kit/chart.tsx"
import { More, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form } from "../kit/forms/fields.tsx"
import { Head } from "../kit/head.tsx"
import { switchTo } from "../kit/navigation.tsx"
import type { PageContext } from "../kit/page-context.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as settingsWords } from "../settings/words.fr.ts"
import { newGapDays, type WorkspaceFigures, workspaceFigures } from "./workspace-figures.ts"

const words = settingsWords.workspaces

/** Rows of a page, which stays below 100 kB with them. */
const shownWorkspaces = 100

/** Every workspace of the operator with what it asks for. Each figure leads to its page in that workspace. */
export function workspacesPages(pages: Pages, { db, config }: ConsoleDeps, questionsOf: QuestionsOf) {
  async function showPage(context: PageContext): Promise<Response> {
    const from = /^\d{1,6}$/.test(context.query["cursor"] ?? "") ? Number(context.query["cursor"]) : 0
    const { operator } = context.session
    const [found, shut] = await Promise.all([
      workspacesOf(db, operator.id, { atMost: shownWorkspaces + 1, from }),
      shutWorkspacesOf(db, context.session),
    ])
    const shown = found.slice(0, shownWorkspaces)
    // Who was signed out of a workspace is not told what happens in it.
    const open = shown.flatMap(({ id }) => (shut.has(id) ? [] : [id]))
    const figures = await workspaceFigures({ db, questionsOf }, open, config.timezone, context.nowMs)
    const cursor = found.length > shown.length ? String(from + shownWorkspaces) : null
    return page(
      context,
      { title: words.title, current: "none" },
      <>
        <Head
          title={words.title}
          actions={
            context.may("owner") && (
              <a class="button quiet" href="/console/settings/workspaces/new">
                {settingsWords.newWorkspace}
              </a>
            )
          }
        >
          {words.intro(shownDays, newGapDays)}
        </Head>
        <Form action="/console/workspace">
          <Table
            label={words.title}
            head={[
              words.workspace,
              words.unread,
              words.endpoints,
              words.gaps,
              words.questions,
              words.answered,
            ]}
            figures={5}
          >
            {shown.map((workspace) =>
              Row({
                workspace,
                isShown: workspace.id === context.workspaceId,
                figures: figures.get(workspace.id),
              }),
            )}
          </Table>
        </Form>
        <More address="/console/workspaces" cursor={cursor} />
      </>,
    )
  }

  pages.page("/console/workspaces", showPage)
}

interface RowProps {
  workspace: { id: string; name: string }
  isShown: boolean
  /** Absent for a workspace that the browser may not show. */
  figures: WorkspaceFigures | undefined
}

/** A function that makes a row, and no component: `Table` names the columns of the cells that it gets. */
function Row({ workspace, isShown, figures }: RowProps) {
  const { id, name } = workspace
  if (!figures)
    return (
      <tr key={id}>
        <th scope="row">{name}</th>
        <td colSpan={5}>{words.shut}</td>
      </tr>
    )
  const { unread, held, failing, givenUp, gaps, asked, answered, onlyProject } = figures
  const inProject = (section: string) =>
    onlyProject === undefined ? "/console" : `/console/projects/${onlyProject}${section}`
  const endpoints = [
    ...(givenUp > 0 ? [words.givenUp(givenUp)] : []),
    ...(failing > 0 ? [words.failing(failing)] : []),
  ].join(", ")
  const cell = (column: string, figure: string | undefined, path: string) => (
    <td class="number">
      {figure === undefined ? (
        words.none
      ) : (
        <Leading id={id} path={path} label={words.of(figure, column, name)}>
          {figure}
        </Leading>
      )}
    </td>
  )
  const count = (value: number) => (value === 0 ? undefined : value.toLocaleString("fr"))
  return (
    <tr key={id}>
      <th scope="row">
        <Leading id={id} path="/console">
          {name}
        </Leading>
        {isShown && <span class="hint"> ({words.shown})</span>}
      </th>
      {cell(
        words.unread,
        [count(unread), held > 0 && words.held(held)].filter(Boolean).join(", ") || undefined,
        inProject(unread === 0 && held > 0 ? "/messages?state=held" : "/messages"),
      )}
      {cell(words.endpoints, endpoints || undefined, "/console/webhooks")}
      {cell(
        words.gaps,
        gaps >= mostGapsCounted ? words.atLeast(gaps) : count(gaps),
        inProject("/questions/gaps"),
      )}
      {cell(words.questions, count(asked), inProject("/questions"))}
      <td class="number">{asked === 0 ? words.none : percent(answered / asked)}</td>
    </tr>
  )
}

interface LeadingProps {
  id: string
  path: string
  label?: string
  children: ComponentChildren
}

/** Looks like a link. A button, because it changes which workspace the browser shows. */
function Leading({ id, path, label, children }: LeadingProps) {
  return (
    <button
      type="submit"
      class="leading"
      name="workspace"
      value={id}
      formaction={switchTo(path)}
      aria-label={label}
    >
      {children}
    </button>
  )
}
