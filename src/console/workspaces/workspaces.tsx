import { workspacesAskingFor } from "../../accounts/second-factor/factors.ts"
import { listOperatorWorkspaces, listShutWorkspaces, switchWorkspace } from "../../accounts/session.ts"
import { Refusal } from "../../base/errors.ts"
import { mostGapsCounted } from "../../owners/gaps/newest-gaps.ts"
import { type CountQuestions, shownDays } from "../home/figures.ts"
import { percent } from "../kit/chart.tsx"
import { LinkButton, More, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form } from "../kit/forms/fields.tsx"
import { Head } from "../kit/head.tsx"
import { switchTo } from "../kit/navigation.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { action } from "../kit/page-handlers.ts"
import { nextPage, seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words as settingsWords } from "../settings/words.fr.ts"
import { newGapDays, type WorkspaceFigures, workspaceFigures } from "./workspace-figures.ts"

const words = settingsWords.workspaces

/** Rows of a page, which stays below 100 kB with them. */
const shownWorkspaces = 100

const columns = ["workspace", "unread", "endpoints", "gaps", "questions", "answered"] as const

/** Every workspace of the operator with what it asks for. Each figure leads to its page in that workspace. */
export function workspacesPages({ db, config }: ConsoleDeps, countQuestions: CountQuestions) {
  // Switches the session to another workspace of the operator, and leads to the page that `?next=` names.
  return {
    page: async (context: PageContext) => {
      const from = /^\d{1,6}$/.test(context.query["cursor"] ?? "") ? Number(context.query["cursor"]) : 0
      const { operator } = context.session
      const [found, shut, asking] = await Promise.all([
        listOperatorWorkspaces(db, operator.id, { atMost: shownWorkspaces + 1, from }),
        listShutWorkspaces(db, context.session),
        workspacesAskingFor(db, context.session.operator.id),
      ])
      const visible = found.slice(0, shownWorkspaces)
      // A session learns nothing about a workspace that it was signed out of.
      const open = visible.flatMap(({ id }) => (shut.has(id) || asking.has(id) ? [] : [id]))
      const figures = await workspaceFigures({ db, countQuestions }, open, config.timezone, context.nowMs)
      const cursor = found.length > visible.length ? String(from + shownWorkspaces) : null
      return page(
        context,
        { title: words.title, current: "none" },
        <>
          <Head
            title={words.title}
            actions={
              context.may("owner") && (
                <LinkButton href="/console/settings/workspaces/new" label={settingsWords.newWorkspace} />
              )
            }
          >
            {words.intro(shownDays, newGapDays)}
          </Head>
          <Form action="/console/workspace">
            <Table label={words.title} head={columns.map((column) => words[column])} figures={5}>
              {visible.map((workspace) =>
                workspaceRow(workspace, {
                  figures: figures.get(workspace.id),
                  isAsking: asking.has(workspace.id),
                  isShown: workspace.id === context.workspaceId,
                }),
              )}
            </Table>
          </Form>
          <More address="/console/workspaces" cursor={cursor} />
        </>,
      )
    },
    switchWorkspace: action(async ({ session, values, query }) => {
      if (!(await switchWorkspace(db, session, values.get("workspace") ?? "")))
        throw new Refusal("not_found", commonWords.unknownPage)
      return seeOther(nextPage(query["next"]))
    }),
  }
}

interface RowState {
  /** Absent for a workspace that the browser may not show. */
  figures: WorkspaceFigures | undefined
  /** It shows nothing before its member has a second factor. */
  isAsking: boolean
  isShown: boolean
}

function workspaceRow({ id, name }: { id: string; name: string }, { figures, isAsking, isShown }: RowState) {
  // Looks like a link. A button, because it changes which workspace the browser shows.
  const leading = (path: string, text: string, label?: string) => (
    <button
      type="submit"
      class="leading"
      name="workspace"
      value={id}
      formaction={switchTo(path)}
      aria-label={label}
    >
      {text}
    </button>
  )
  if (!figures || isAsking)
    return (
      <tr key={id}>
        <th scope="row">{isAsking ? leading("/console", name) : name}</th>
        <td colSpan={5}>{isAsking ? words.needsSecondFactor : words.shut}</td>
      </tr>
    )
  const { unread, held, failing, givenUp, gaps, asked, answered, onlyProject } = figures
  const inProject = (section: string) =>
    onlyProject === undefined ? "/console" : `/console/projects/${onlyProject}${section}`
  const count = (value: number) => value > 0 && value.toLocaleString("fr")
  const cells = [
    {
      column: words.unread,
      figures: [count(unread), held > 0 && words.held(held)],
      path: inProject(unread === 0 && held > 0 ? "/messages?state=held" : "/messages"),
    },
    {
      column: words.endpoints,
      figures: [givenUp > 0 && words.givenUp(givenUp), failing > 0 && words.failing(failing)],
      path: "/console/webhooks",
    },
    {
      column: words.gaps,
      figures: [gaps >= mostGapsCounted ? words.atLeast(gaps) : count(gaps)],
      path: inProject("/questions/gaps"),
    },
    { column: words.questions, figures: [count(asked)], path: inProject("/questions") },
  ]
  return (
    <tr key={id}>
      <th scope="row">
        {leading("/console", name)}
        {isShown && <span class="hint"> ({words.shown})</span>}
      </th>
      {cells.map(({ column, figures, path }) => {
        const figure = figures.filter(Boolean).join(", ")
        return (
          <td class="number">
            {figure ? leading(path, figure, words.of(figure, column, name)) : words.none}
          </td>
        )
      })}
      <td class="number">{asked === 0 ? words.none : percent(answered / asked)}</td>
    </tr>
  )
}
