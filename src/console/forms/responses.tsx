/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { isoTime } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import { unaskedOf } from "../../forms/consent/consent.ts"
import type { Form } from "../../forms/definition/form.ts"
import { eraseResponse } from "../../forms/responses/erase.ts"
import { filterOf } from "../../forms/responses/filter.ts"
import { type FormResponse, listResponses, type ResponseFilter } from "../../forms/responses/form-response.ts"
import { acceptResponse } from "../../forms/submission/accept.ts"
import { csvReply } from "../../http/csv.ts"
import { responsesCsv } from "../../wording/form-responses-csv.ts"
import { dateWriter } from "../kit/dates.ts"
import { beginsAt } from "../kit/day.ts"
import { doneOf } from "../kit/done.ts"
import { type ConsoleParts, type Door, projectOf } from "../kit/door.ts"
import { Choice, Field } from "../kit/fields.tsx"
import { type Filled, refused, untouched } from "../kit/form.ts"
import { listPart } from "../kit/list-part.ts"
import type { Visit } from "../kit/page-context.ts"
import { More, Tag } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/forms.fr.ts"
import { addressOf, FormHead, formOf } from "./one-form.tsx"
import { Actions, ConsentTag, Values } from "./response-parts.tsx"

const filters = ["state", "consent", "since", "search"] as const
/** What an address of the list holds, to come back to where one was. */
const whereabouts = [...filters, "cursor"] as const

/**
 * What came with a form: received, to check, unwanted; with its consent, searched, exported, accepted,
 * erased.
 */
export function responsesPages(door: Door, parts: ConsoleParts) {
  const { db, clock, config } = parts
  const date = dateWriter(config.timezone)

  async function list(visit: Visit): Promise<Response> {
    const project = await projectOf(db, visit)
    const form = await formOf(parts, visit)
    const wanted = Object.fromEntries(filters.map((name) => [name, visit.query[name] ?? ""]))
    const { filter, filled } = filterIn(wanted, config.timezone)
    if (!filter)
      return page(
        visit,
        { title: form.name, current: "forms", project, status: 400 },
        <>
          <FormHead form={form} current="responses" visit={visit} />
          <Filter form={form} filled={filled} />
        </>,
      )
    const { items, next_cursor } = await listPart(visit, (part) => listResponses(db, form.id, filter, part))
    const unasked = await unaskedOf(db, items, clock.now())
    const query = queryOf(visit, filters)
    const done = doneOf(visit.query, { accepted: messages.accepted, erased: messages.erased })
    return page(
      visit,
      { title: form.name, current: "forms", project, done },
      <>
        <FormHead form={form} current="responses" visit={visit} />
        <Filter form={form} filled={filled} />
        {items.length === 0 && <p>{query === "" ? messages.noResponseYet : messages.noResponse}</p>}
        <ul class="things">
          {items.map((response) => (
            <Item
              key={response.id}
              visit={visit}
              form={form}
              response={response}
              unasked={unasked.has(response.id)}
              date={date}
              back={queryOf(visit, whereabouts)}
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
    .get("", door.page(list))
    .get(
      "/responses.csv",
      door.file(async (visit) => {
        const form = await formOf(parts, visit)
        visit.about(form.id, form.name)
        return csvReply(
          form.publicId,
          responsesCsv(db, form, filterOfDay(visit.query, config.timezone), config.timezone),
        )
      }),
    )
    .post(
      "/responses/:response/acceptance",
      door.action("editor", async (sent) => {
        const form = await formOf(parts, sent)
        await acceptResponse(parts, form, sent.params["response"] ?? "")
        return seeOther(`${addressOf(form)}?${queryOf(sent, whereabouts, { done: "accepted" })}`)
      }),
      { parse: "none" },
    )
    .post(
      "/responses/:response/erasure",
      door.action("editor", async (sent) => {
        const form = await formOf(parts, sent)
        await eraseResponse(parts, form.id, sent.params["response"] ?? "")
        return seeOther(`${addressOf(form)}?${queryOf(sent, whereabouts, { done: "erased" })}`)
      }),
      { parse: "none" },
    )
}

/** Those of these parameters that the page's address holds. */
function queryOf({ query }: Visit, names: readonly string[], more: Record<string, string> = {}): string {
  const held = names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))
  return new URLSearchParams([...held, ...Object.entries(more)]).toString()
}

/** `since` is a day here, which begins at midnight where the owner is. */
function filterOfDay(query: Record<string, string | undefined>, timezone: string): ResponseFilter {
  // A field of a page's own form that was left empty filters nothing.
  const { since, ...rest } = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""))
  return filterOf(since ? { ...rest, since: isoTime(beginsAt(since, timezone)) } : rest)
}

/** What is wrong with a filter stands at its field. */
function filterIn(
  wanted: Record<string, string>,
  timezone: string,
): { filter: ResponseFilter | undefined; filled: Filled } {
  const values = new URLSearchParams(wanted)
  try {
    return { filter: filterOfDay(wanted, timezone), filled: { ...untouched, values } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { filter: undefined, filled: { ...refused(values, error), problem: undefined } }
  }
}

function Filter({ form, filled }: { form: Form; filled: Filled }) {
  return (
    <form method="get" action={addressOf(form)}>
      <div class="row">
        <Choice
          filled={filled}
          name="state"
          label={messages.state}
          value="received"
          choices={Object.entries(messages.states)}
        />
        {form.consent && (
          <Choice
            filled={filled}
            name="consent"
            label={messages.consentFilter}
            value=""
            choices={Object.entries(messages.consents)}
          />
        )}
        <Field filled={filled} name="since" type="date" label={messages.since} />
        <Field filled={filled} name="search" type="search" label={messages.search} />
        <button type="submit" class="quiet">
          {messages.show}
        </button>
      </div>
    </form>
  )
}

interface ItemProps {
  visit: Visit
  form: Form
  response: FormResponse
  /** Whether no mail went that asks to confirm its consent. */
  unasked: boolean
  date: (at: number) => string
  /** The query of the list it stands in. */
  back: string
}

function Item({ visit, form, response, unasked, date, back }: ItemProps) {
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
      {visit.may("editor") && <Actions visit={visit} form={form} response={response} back={back} />}
    </li>
  )
}
