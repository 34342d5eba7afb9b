/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { isoTime } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { withoutConfirmationMail } from "../../forms/consent/consent.ts"
import type { Form } from "../../forms/definition/form.ts"
import { eraseResponse } from "../../forms/responses/erase.ts"
import { filterOf } from "../../forms/responses/filter.ts"
import type { FormResponse } from "../../forms/responses/form-response.ts"
import { listResponses, type ResponseFilter } from "../../forms/responses/list-responses.ts"
import { acceptResponse } from "../../forms/submission/accept.ts"
import { listPage } from "../../http/list.ts"
import { responsesCsv } from "../../wording/form-responses-csv.ts"
import { addressOf, FormHead, formOf } from "../forms/one-form.tsx"
import { More, Tag } from "../kit/components.tsx"
import { dateFormatter, dayStartMs } from "../kit/dates.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Choice, Field } from "../kit/forms/fields.tsx"
import { type FormState, refused, untouched } from "../kit/forms/form-state.ts"
import type { PageContext } from "../kit/page-context.ts"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/forms.fr.ts"
import { Actions, ConsentTag, Origin, questionsBehind, Values } from "./response-parts.tsx"

const filters = ["state", "consent", "since", "search"] as const
/** Query parameters that restore the operator's place in the list after an action. */
const listParams = [...filters, "cursor"] as const

/**
 * The responses of a form, by state (received, held, unwanted) and consent, with search, export, acceptance
 * and erasure.
 */
export function formResponsesPages(handlers: PageHandlers, deps: ConsoleDeps) {
  const { db, clock, exports, config } = deps
  const date = dateFormatter(config.timezone)

  async function list(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const form = await formOf(deps, context)
    const params = Object.fromEntries(filters.map((name) => [name, context.query[name] ?? ""]))
    const { filter, formState } = filterIn(params, config.timezone)
    if (!filter)
      return page(
        context,
        { title: form.name, current: "forms", project, status: 400 },
        <>
          <FormHead form={form} current="responses" context={context} />
          <Filter form={form} formState={formState} />
        </>,
      )
    const { items, next_cursor } = await listPage({ cursor: context.query["cursor"] }, (part) =>
      listResponses(db, { projectId: form.projectId, formId: form.id }, filter, part),
    )
    const questions = await questionsBehind(db, project.id, items)
    const unasked = await withoutConfirmationMail(db, items, clock.now())
    const query = queryOf(context, filters)
    const flash = flashMessage(context.query, { accepted: messages.accepted, erased: messages.erased })
    return page(
      context,
      { title: form.name, current: "forms", project, flash },
      <>
        <FormHead form={form} current="responses" context={context} />
        <Filter form={form} formState={formState} />
        {items.length === 0 && <p>{query === "" ? messages.noResponseYet : messages.noResponse}</p>}
        <ul class="things">
          {items.map((response) => (
            <Item
              key={response.id}
              context={context}
              form={form}
              response={response}
              unasked={unasked.has(response.id)}
              question={questions.get(response.answerId ?? "")}
              date={date}
              back={queryOf(context, listParams)}
            />
          ))}
        </ul>
        <More address={query === "" ? addressOf(form) : `${addressOf(form)}?${query}`} cursor={next_cursor} />
        {items.length > 0 && (
          <p>
            <a class="button quiet" href={`${addressOf(form)}/responses.csv?${query}`}>
              {messages.export}
            </a>
          </p>
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-responses", prefix: "/console/projects/:project/forms/:form" })
    .get("", handlers.page(list))
    .get(
      "/responses.csv",
      handlers.file(async (context) => {
        const form = await formOf(deps, context)
        context.setAuditSubject(form.id, form.name)
        const filter = filterOfQuery(context.query, config.timezone)
        const table = responsesCsv(db, form, filter, config.timezone)
        return exports.reply(context.request, context.session.operator.id, form.publicId, table)
      }),
    )
    .post(
      "/responses/:response/acceptance",
      handlers.action("editor", async (context) => {
        const form = await formOf(deps, context)
        await acceptResponse(deps, form, context.params["response"] ?? "")
        return seeOther(`${addressOf(form)}?${queryOf(context, listParams, { done: "accepted" })}`)
      }),
      { parse: "none" },
    )
    .post(
      "/responses/:response/erasure",
      handlers.action("editor", async (context) => {
        const form = await formOf(deps, context)
        await eraseResponse(deps, form.id, context.params["response"] ?? "")
        return seeOther(`${addressOf(form)}?${queryOf(context, listParams, { done: "erased" })}`)
      }),
      { parse: "none" },
    )
}

/** The query of the page's address, reduced to `names` and extended by `more`. */
function queryOf(
  { query }: PageContext,
  names: readonly string[],
  more: Record<string, string> = {},
): string {
  const held = names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))
  return new URLSearchParams([...held, ...Object.entries(more)]).toString()
}

/** Reads the filter from the query. `since` is a day that starts at midnight in the owner's time zone. */
function filterOfQuery(query: Record<string, string | undefined>, timezone: string): ResponseFilter {
  // The page's filter form sends empty fields too. They do not filter.
  const { since, ...rest } = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""))
  return filterOf(since ? { ...rest, since: isoTime(dayStartMs(since, timezone)) } : rest)
}

/** Like `filterOfQuery`, but an invalid filter becomes a problem of its field. */
function filterIn(
  params: Record<string, string>,
  timezone: string,
): { filter: ResponseFilter | undefined; formState: FormState } {
  const values = new URLSearchParams(params)
  try {
    return { filter: filterOfQuery(params, timezone), formState: { ...untouched, values } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { filter: undefined, formState: { ...refused(values, error), problem: undefined } }
  }
}

function Filter({ form, formState }: { form: Form; formState: FormState }) {
  return (
    <form method="get" action={addressOf(form)}>
      <div class="row">
        <Choice
          formState={formState}
          name="state"
          label={messages.state}
          value="received"
          choices={Object.entries(messages.states)}
        />
        {form.consent && (
          <Choice
            formState={formState}
            name="consent"
            label={messages.consentFilter}
            value=""
            choices={Object.entries(messages.consents)}
          />
        )}
        <Field formState={formState} name="since" type="date" label={messages.since} />
        <Field formState={formState} name="search" type="search" label={messages.search} />
        <button type="submit" class="quiet">
          {messages.show}
        </button>
      </div>
    </form>
  )
}

interface ItemProps {
  context: PageContext
  form: Form
  response: FormResponse
  /** True if no mail was sent that asks to confirm the consent. */
  unasked: boolean
  /** The question that the visitor had asked before. */
  question: string | undefined
  date: (at: number) => string
  /** Query of the list to return to. */
  back: string
}

function Item({ context, form, response, unasked, question, date, back }: ItemProps) {
  const { consent, createdAt, page: from, stoppedBy, state } = response
  return (
    <li id={response.id}>
      <h2>{date(createdAt)}</h2>
      <p class="actions">
        {form.consent && <ConsentTag consent={consent} />}
        {state === "held" && <Tag mood="warn">{messages.states.held}</Tag>}
        <span class="hint">{from}</span>
      </p>
      {unasked && <p class="notice">{messages.consentUnasked}</p>}
      {stoppedBy && state !== "received" && <p class="notice">{messages.stoppedBy[stoppedBy]}</p>}
      <Values form={form} values={response.values} />
      {response.answerId !== null && <Origin question={question} />}
      {consent && (
        <details>
          <summary>{messages.consentTitle}</summary>
          <dl class="facts">
            <dt>{messages.consentWording}</dt>
            <dd class="lines">{consent.text}</dd>
            <dt>{messages.consentAt}</dt>
            <dd>{date(consent.at)}</dd>
            {consent.confirmedAt !== null && (
              <>
                <dt>{messages.consentConfirmedAt}</dt>
                <dd>{date(consent.confirmedAt)}</dd>
              </>
            )}
            <dt>{messages.identifier}</dt>
            <dd>
              <code>{response.id}</code>
            </dd>
          </dl>
        </details>
      )}
      {context.may("editor") && <Actions context={context} form={form} response={response} back={back} />}
    </li>
  )
}
