/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Project } from "../../accounts/project.ts"
import { dayMs } from "../../base/clock.ts"
import { formsOf, type NamedForm } from "../../forms/definition/form.ts"
import { countCrowded, countHeld } from "../../forms/responses/count.ts"
import { listResponsesPage } from "../../forms/responses/list-responses.ts"
import { listPage } from "../../http/list.ts"
import { deliveriesOfResponses } from "../../webhooks/messages/of-responses.ts"
import { addressOf } from "../forms/one-form.tsx"
import { More } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { page } from "../kit/shell.tsx"
import { Filter, filterIn, filterQuery, listQuery } from "./response-filter.tsx"
import { ResponseTable } from "./response-table.tsx"
import { words } from "./words.fr.ts"

interface ListOptions {
  project: Project
  /** Address of the page. */
  path: string
  /** Every form of the list, whichever is chosen. */
  forms: readonly NamedForm[]
  /** The form that the list is limited to. */
  form: NamedForm | undefined
  /** Whether a form may be chosen. */
  isOfProject: boolean
  /** The head of the page, with what can be done. */
  head: (actions?: ComponentChildren) => ComponentChildren
}

/** A list of form responses: of one form, or of all forms of a project. */
export async function responseList(
  { db, config }: Pick<ConsoleDeps, "db" | "config">,
  context: PageContext,
  { project, path, forms, form, isOfProject, head }: ListOptions,
): Promise<Response> {
  const { filter, submitted } = filterIn(context, config.timezone)
  const filtered = { ...context, submitted }
  const current = isOfProject ? ("received" as const) : ("forms" as const)
  const title = isOfProject ? words.title : (form?.name ?? words.title)
  const filterForm = (
    <Filter
      action={path}
      hasConsent={(form ? [form] : forms).some(({ hasConsent }) => hasConsent)}
      {...(isOfProject && { forms })}
    />
  )
  if (!filter)
    return page(
      filtered,
      { title, current, project },
      <>
        {head()}
        {filterForm}
      </>,
    )
  const scope = { projectId: project.id, formId: form?.id }
  const { items, next_cursor } = await listPage({ cursor: context.query["cursor"] }, ({ after, atMost }) =>
    listResponsesPage(db, scope, filter, { after, atMost: atMost - 1 }),
  )
  const [deliveries, heldOf, crowded] = await Promise.all([
    deliveriesOfResponses(
      db,
      items.map(({ id }) => id),
    ),
    isOfProject && filter.state === "received" ? countHeld(db, [project.id]) : new Map<string, number>(),
    isOfProject && filter.state === "received" ? countCrowded(db, project.id, context.nowMs - dayMs) : 0,
  ])
  const shown = await formsOf(
    db,
    context.workspaceId,
    items.map(({ formId }) => formId),
  )
  const held = heldOf.get(project.id) ?? 0
  const query = filterQuery(context)
  const { accepted, erased, allRead, markedUnread } = words
  const flash = { accepted, erased, read: allRead, unread: markedUnread }
  const actions = (
    <>
      {items.some(({ readAt }) => readAt === null) && filter.state === "received" && (
        <Form
          action={`/console/projects/${project.id}/messages/read?${listQuery(context)}`}
          confirm={words.markReadConfirm}
          send={words.markRead}
          look="quiet"
        >
          <input type="hidden" name="until" value={items[0]?.id} />
          {form && <input type="hidden" name="form" value={form.id} />}
          {!isOfProject && <input type="hidden" name="list" value="form" />}
        </Form>
      )}
      <Exports forms={form ? [form] : forms} query={query} />
    </>
  )
  return page(
    filtered,
    { title, current, project, flash },
    <>
      {head(actions)}
      {filterForm}
      {held > 0 && (
        <p class="notice">
          {words.heldHere(held)} <a href={`${path}?state=held`}>{words.seeHeld(held)}</a>
        </p>
      )}
      {crowded > 0 && (
        <p class="notice">
          {words.crowdedHere(crowded)} <a href={`${path}?state=unwanted`}>{words.seeHeld(crowded)}</a>
        </p>
      )}
      {items.length === 0 ? (
        <section class="empty">
          <p>{query === "" ? words.noneYet : words.none}</p>
        </section>
      ) : (
        <ResponseTable
          responses={items}
          forms={shown}
          deliveries={deliveries}
          back={listQuery(context, isOfProject ? { list: "project" } : {})}
          isOfMany={form === undefined && forms.length > 1}
        />
      )}
      <More address={query === "" ? path : `${path}?${query}`} cursor={next_cursor} />
    </>,
  )
}

/** Forms whose tables are listed. Beyond that, one has to be chosen first. */
const maxExports = 20

/** The table of each form, since every form has columns of its own. */
function Exports({ forms, query }: { forms: readonly NamedForm[]; query: string }) {
  const links = (form: NamedForm, name?: string) =>
    (["xlsx", "csv"] as const).map((format) => (
      <a class="button quiet" href={`${addressOf(form)}/responses.${format}?${query}`} download>
        {words.export[format](name)}
      </a>
    ))
  const [only, ...others] = forms
  if (!only) return null
  if (others.length >= maxExports) return <p class="hint">{words.exportChosen}</p>
  if (others.length === 0) return <>{links(only)}</>
  return (
    <details class="exports">
      <summary class="button quiet">{words.exports}</summary>
      <ul>
        {forms.map((form) => (
          <li key={form.id}>{links(form, form.name)}</li>
        ))}
      </ul>
    </details>
  )
}
