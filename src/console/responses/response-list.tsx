import { listMembers, type Member } from "../../accounts/operator.ts"
import type { Project } from "../../accounts/project.ts"
import { dayMs, dayStartMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { idsOf } from "../../base/ids.ts"
import {
  type Form as FormOf,
  findForm,
  findForms,
  listFormNames,
  type NamedForm,
} from "../../forms/definition/form.ts"
import { exportResponses } from "../../forms/operations/responses.ts"
import { countCrowded, countInState } from "../../forms/responses/count.ts"
import {
  filterFromQuery,
  listResponsesPage,
  type ResponseFilter,
} from "../../forms/responses/list-responses.ts"
import { responseQuery } from "../../forms/responses/record.ts"
import { markAllRead } from "../../forms/responses/unread.ts"
import { fileName } from "../../http/file-name.ts"
import { listPage } from "../../http/list.ts"
import { queryOf } from "../../http/record/fields.ts"
import { deliveriesOfResponses } from "../../webhooks/messages/of-responses.ts"
import { responsesTable, responseTables, type TableFormat } from "../../wording/response-tables.ts"
import { FormHead, formInAddress, formPath } from "../forms/one-form.tsx"
import { addressWith, Empty, LinkButton, More, pickParams, Tabs } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { requireDay } from "../kit/dates.tsx"
import { Form, notesAt } from "../kit/forms/fields.tsx"
import { Filter, offeredPeople } from "../kit/forms/filter.tsx"
import { refused, untouched } from "../kit/forms/submitted-form.ts"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { action, downloads, projectInAddress } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { MessagesHead } from "./messages-head.tsx"
import { ResponseTable } from "./response-table.tsx"
import { words } from "./words.fr.ts"

const filters = ["form", "state", "consent", "unread", "progress", "assignee", "since", "search"] as const
/** Query parameters that restore the operator's place in the list. */
export const listParams = [...filters, "cursor"] as const
/** `list=project`: the operator came from the list of all forms. */
const backParams = [...listParams, "list"] as const

/** `response`: its id, and what is done with it. */
export function responseAddress(
  { query }: PageContext,
  form: Pick<FormOf, "id" | "projectId">,
  response: string,
  done?: string,
): string {
  return addressWith(`${formPath(form)}/responses/${response}`, { ...pickParams(query, backParams), done })
}

/** The responses of a project's forms, and of one form with its tables: by state and consent, with search. */
export function responseListPages(deps: ConsoleDeps) {
  const { db, exports, config } = deps

  const download = (format: TableFormat) =>
    downloads(exportResponses, (form, { request, query, session, nowMs }) => {
      const table = responsesTable(db, form, filterIn(query, config.timezone), config.timezone)
      const at = { timezone: config.timezone, nowMs }
      const name = fileName(["messages", session.workspace.name, form.name], format, at)
      return exports.reply(request, session.operator.id, name, responseTables[format](table))
    })

  return {
    ofForm: async (context: PageContext) => responseList(deps, context, await formInAddress(deps, context)),
    ofProject: (context: PageContext) => responseList(deps, context),
    markRead: action(async (context) => {
      const project = await projectInAddress(db, context)
      const { values, query, workspaceId, nowMs } = context
      const form = await findForm(db, workspaceId, values.get("form") ?? "")
      const formId = form?.projectId === project.id ? form.id : undefined
      await markAllRead(db, { projectId: project.id, formId }, values.get("until") ?? "", nowMs)
      const path = `/console/projects/${project.id}`
      const list = values.get("list") === "form" && formId ? `${path}/forms/${formId}` : `${path}/messages`
      return seeOther(addressWith(list, { ...pickParams(query, listParams), done: "read" }))
    }),
    csv: download("csv"),
    xlsx: download("xlsx"),
  }
}

/** Reads the filter. `since` is a day of the owner's time zone. Throws Refusal `invalid_request`. */
export function filterIn(query: PageContext["query"], timezone: string): ResponseFilter {
  const { since, unread, ...rest } = pickParams(query, filters)
  const read = queryOf(rest, responseQuery)
  const filter = filterFromQuery(since ? { ...read, since: dayStartMs(timezone, requireDay(since)) } : read)
  return unread === "yes" ? { ...filter, isUnread: true } : filter
}

/** A list of form responses: of one form, or of all forms of the project in the page's address. */
async function responseList(
  { db, config }: Pick<ConsoleDeps, "db" | "config">,
  context: PageContext,
  own?: FormOf,
): Promise<Response> {
  const { query, workspaceId, nowMs } = context
  const project = await projectInAddress(db, context)
  const forms: readonly NamedForm[] = own
    ? [{ ...own, hasConsent: own.consent !== null }]
    : await listFormNames(db, workspaceId, { projectId: project.id })
  const form = own ? forms[0] : forms.find(({ id }) => id === query["form"])
  const path = own ? formPath(own) : `/console/projects/${project.id}/messages`
  let filter: ResponseFilter | undefined
  let wrong = untouched
  try {
    filter = filterIn(query, config.timezone)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    wrong = refused(wrong.values, error)
  }
  const filtered = pickParams(query, filters)
  const scope = { projectId: project.id, formId: form?.id }
  const { items, next_cursor } = await listPage({ cursor: query["cursor"] }, async ({ after, atMost }) =>
    filter ? listResponsesPage(db, scope, filter, { after, atMost: atMost - 1 }) : [],
  )
  const formIds = items.map(({ formId }) => formId)
  const isNoticed = own === undefined && filter?.state === "received"
  const [deliveries, held, unwanted, crowded, shown] = await Promise.all([
    deliveriesOfResponses(db, idsOf(items)),
    countInState(db, scope, "held"),
    countInState(db, scope, "unwanted"),
    isNoticed ? countCrowded(db, project.id, nowMs - dayMs) : 0,
    findForms(db, workspaceId, formIds),
  ])
  const members = await listMembers(db, workspaceId)
  const isSomething = items.length > 0 || Object.keys(filtered).length > 0
  const actions = filter && isSomething && (
    <>
      {items.some(({ readAt }) => readAt === null) && filter.state === "received" && (
        <MarkRead project={project} form={form} until={items[0]?.id} isOfForm={own !== undefined} />
      )}
      <Exports forms={form ? [form] : forms} filtered={filtered} />
    </>
  )
  const { accepted, erased, allRead: read, markedUnread: unread } = words
  return page(
    context,
    {
      title: own?.name ?? words.title,
      current: "messages",
      project,
      status: wrong.status,
      flash: { accepted, erased, read, unread },
    },
    <>
      {own ? (
        <FormHead form={own} current="responses" actions={actions} />
      ) : (
        <MessagesHead project={project} current="messages" actions={actions} />
      )}
      {forms.length === 0 && (
        <Empty
          action={
            context.may("editor") && (
              <LinkButton href={`/console/projects/${project.id}/forms/new`} label={words.makeForm} isMain />
            )
          }
        >
          {words.noForm}
        </Empty>
      )}
      <States path={path} counts={{ held, unwanted }} filtered={filtered} problem={wrong.problems["state"]} />
      {isSomething && (
        <ResponseFilters
          action={path}
          forms={forms}
          form={form}
          members={members}
          problems={wrong.problems}
        />
      )}
      {crowded > 0 && (
        <p class="notice">
          {words.crowdedHere(crowded)} <a href={`${path}?state=unwanted`}>{words.seeHeld(crowded)}</a>
        </p>
      )}
      {filter && forms.length > 0 && items.length === 0 && (
        <Empty>{Object.keys(filtered).length === 0 ? words.noneYet : words.none}</Empty>
      )}
      {items.length > 0 && (
        <ResponseTable
          responses={items}
          forms={shown}
          deliveries={deliveries}
          members={members}
          back={{ ...pickParams(query, listParams), list: own ? undefined : "project" }}
          isOfMany={form === undefined && forms.length > 1}
        />
      )}
      <More address={addressWith(path, filtered)} cursor={next_cursor} />
    </>,
  )
}

interface StatesProps {
  path: string
  counts: Record<"held" | "unwanted", number>
  filtered: Record<string, string>
  problem: string | undefined
}

/** The states that a response can be in, once some are held or unwanted, with how many. */
function States({ path, counts, filtered, problem }: StatesProps) {
  const { state: current = "received", ...others } = filtered
  const { held, unwanted } = counts
  if (current === "received" && held + unwanted === 0) return null
  const tabs = [
    [undefined, words.states.received],
    ["held", words.stateCount(words.states.held, held)],
    ["unwanted", words.stateCount(words.states.unwanted, unwanted)],
  ] as const
  return (
    <>
      <Tabs
        label={words.state}
        tabs={tabs.map(([state, name]) => [
          addressWith(path, { ...others, state }),
          name,
          (state ?? "received") === current,
        ])}
        isInside
      />
      {notesAt("state", "", problem).problem}
    </>
  )
}

interface MarkReadProps {
  project: Project
  form: NamedForm | undefined
  until: string | undefined
  isOfForm: boolean
}

function MarkRead({ project, form, until, isOfForm }: MarkReadProps) {
  const { query } = usePage()
  return (
    <Form
      action={addressWith(`/console/projects/${project.id}/messages/read`, pickParams(query, listParams))}
      confirm={words.markReadConfirm}
      send={words.markRead}
      look="quiet"
    >
      <input type="hidden" name="until" value={until} />
      {form && <input type="hidden" name="form" value={form.id} />}
      {isOfForm && <input type="hidden" name="list" value="form" />}
    </Form>
  )
}

interface FilterProps {
  action: string
  forms: readonly NamedForm[]
  form: NamedForm | undefined
  members: readonly Member[]
  problems: Record<string, string>
}

function ResponseFilters({ action, forms, form, members, problems }: FilterProps) {
  const of = [["", words.all] as const, ...forms.map(({ id, name }) => [id, name] as const)]
  const hasConsent = (form ? [form] : forms).some((each) => each.hasConsent)
  const choices = {
    form: { label: words.form, choices: of },
    unread: { label: words.reading, choices: Object.entries(words.readings) },
    consent: { label: words.consent, choices: Object.entries(words.consents) },
    progress: {
      label: words.progress,
      choices: Object.entries({ "": words.all, ...words.progresses }),
    },
    assignee: { label: words.assignee, choices: assigneeChoices(members, usePage().query["assignee"]) },
  }
  const field = (name: keyof typeof choices) => ({ name, problem: problems[name], ...choices[name] })
  return (
    <Filter
      action={action}
      show={words.find}
      fields={[
        { name: "search", type: "search", label: words.search, problem: problems["search"] },
        ...(forms.length > 1 ? [field("form")] : []),
      ]}
      kept={{ state: usePage().query["state"] }}
      further={{
        title: words.further,
        fields: [
          field("progress"),
          field("assignee"),
          field("unread"),
          ...(hasConsent ? [field("consent")] : []),
          { name: "since", type: "date", label: words.since, problem: problems["since"] },
        ],
      }}
    />
  )
}

function assigneeChoices(members: readonly Member[], chosen: string | undefined) {
  const own = members.map(({ id, email }) => [id, email] as const)
  return [["", words.all], ["none", words.noAssignee], ...offeredPeople(own, chosen)] as const
}

/** Forms whose tables are listed. Beyond that, one has to be chosen first. */
const maxExports = 20

/** The table of each form, since every form has columns of its own. */
function Exports({ forms, filtered }: { forms: readonly NamedForm[]; filtered: Record<string, string> }) {
  const links = (form: NamedForm, name?: string) =>
    (["xlsx", "csv"] as const).map((format) => (
      <LinkButton
        href={addressWith(`${formPath(form)}/responses.${format}`, filtered)}
        label={words.export[format](name)}
        download
      />
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
