import { idsOf } from "../../base/ids.ts"
import { type Form as FormOf, findForms } from "../../forms/definition/form.ts"
import { erasePerson, exportPerson } from "../../forms/operations/persons.ts"
import {
  type PersonalResponse,
  personalResponses,
  responseIdsOfAddress,
} from "../../forms/responses/person.ts"
import { personBody } from "../../forms/responses/record.ts"
import { fileName } from "../../http/file-name.ts"
import { jsonReply } from "../../http/json-stream.ts"
import { fieldsOf } from "../../http/record/fields.ts"
import { questionTexts } from "../../owners/gaps/asked-questions.ts"
import { listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { type Recipients, recipientsOfResponses } from "../../webhooks/messages/of-responses.ts"
import { Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { dateFormatter } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage, useSubmitted } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { ConsentTag, Origin, Values } from "../responses/response-parts.tsx"
import { words } from "./words.fr.ts"

/** Newest responses of a person. No further page follows, whose URL would have to name the person. */
const shownResponses = 30

/** Exports and erases the responses of one person, whose address is in no URL: URLs end up in logs. */
export function personsPages(deps: ConsoleDeps) {
  const { db, config } = deps

  async function showPage(context: PageContext, ids?: readonly string[]): Promise<Response> {
    const recipients = await (ids === undefined ? recipientsNamed(context) : recipientsOfResponses(db, ids))
    const responses = await Array.fromAsync(
      personalResponses(db, ids?.slice(-shownResponses) ?? [], questionTexts),
    )
    const formIds = responses.map(({ form_id }) => form_id)
    const forms = await findForms(db, context.workspaceId, formIds)
    const erased = context.query["erased"]
    const flash = /^\d{1,9}$/.test(erased ?? "") ? words.personErased(Number(erased)) : undefined
    return page(
      context,
      { title: words.personTitle, current: "none", flash },
      <>
        <Head title={words.personTitle}>{words.personIntro}</Head>
        {Number(erased) > 0 && <ToTell recipients={recipients} wereErased />}
        <Form action="/console/persons" send={words.personSearch}>
          <Problem />
          <Field name="email" type="email" label={words.personEmail} />
        </Form>
        {ids && <FoundResponses count={ids.length} found={responses} forms={forms} recipients={recipients} />}
      </>,
    )
  }

  /** The recipients that the erasure named in its redirect to this page, by ids that do not identify the person. */
  async function recipientsNamed({ query, workspaceId }: PageContext): Promise<Recipients> {
    if (!query["to"]) return { endpoints: [], hadRemoved: false }
    const ids = new Set(query["to"].split("."))
    const endpoints = await listEndpoints(db, workspaceId)
    return { endpoints: endpoints.filter(({ id }) => ids.has(id)), hadRemoved: ids.has("removed") }
  }

  return {
    page: showPage,
    showPerson: performs(exportPerson, {
      show: showPage,
      leadsTo: (ids, context) => showPage(context, ids),
    }),
    exportPerson: performs(exportPerson, {
      show: showPage,
      leadsTo(ids, { session, nowMs }) {
        const at = { timezone: config.timezone, nowMs }
        const name = fileName(["personne", session.workspace.name], "json", at)
        return jsonReply(personalResponses(db, ids, questionTexts, deps.files), {
          "content-disposition": `attachment; filename="${name}"`,
        })
      },
    }),
    erasePerson: performs(erasePerson, {
      show: showPage,
      async act({ values, workspaceId, perform }) {
        const input = fieldsOf({ email: values.get("email") ?? "" }, personBody)
        // Read first: the erasure takes away which message went where.
        const scope = { workspaceId, inRemoved: true }
        const ids = await responseIdsOfAddress(db, input.email, scope)
        const { endpoints, hadRemoved } = await recipientsOfResponses(db, ids)
        const erased = await perform(erasePerson, input)
        const to = [...idsOf(endpoints), ...(hadRemoved ? ["removed"] : [])].join(".")
        return `/console/persons?erased=${erased}${to && `&to=${to}`}`
      },
    }),
  }
}

interface FoundResponsesProps {
  count: number
  found: PersonalResponse[]
  forms: ReadonlyMap<string, FormOf>
  recipients: Recipients
}

/** The applications that the owner has to tell themselves: an erasure here does not reach them. */
function ToTell({ recipients, wereErased = false }: { recipients: Recipients; wereErased?: boolean }) {
  const { endpoints, hadRemoved } = recipients
  if (endpoints.length === 0 && !hadRemoved) return <p class="hint">{words.personSentNowhere}</p>
  return (
    <Section id="sent" title={words.personSent} hint={wereErased ? words.personTellNow : words.personTell}>
      <ul>
        {endpoints.map(({ id, url, description }) => (
          <li key={id}>
            <code>{url}</code>
            {description && ` (${description})`}
          </li>
        ))}
        {hadRemoved && <li>{words.personSentRemoved}</li>}
      </ul>
    </Section>
  )
}

function FoundResponses({ count, found, forms, recipients }: FoundResponsesProps) {
  const date = dateFormatter(usePage().timezone)
  const email = <input type="hidden" name="email" value={useSubmitted().values.get("email") ?? ""} />
  if (count === 0) return <p>{words.personNone}</p>
  return (
    <>
      <p>
        {words.personFound(count)} {count > shownResponses && words.personNewest(shownResponses)}
      </p>
      <ul class="things">
        {found.map((response) => (
          <li key={response.id}>
            <h2>{`${response.form_name}, ${date(response.created_at)}`}</h2>
            <p class="actions">
              <ConsentTag consent={response.consent} />
            </p>
            <Values form={forms.get(response.form_id)} values={response.values} />
            {response.answer_id !== null && <Origin question={response.question ?? undefined} />}
          </li>
        ))}
      </ul>
      <ToTell recipients={recipients} />
      <div class="actions">
        <Form action="/console/persons/export" send={words.personExport} look="quiet">
          {email}
        </Form>
        <Form
          action="/console/persons/erasure"
          confirm={words.personEraseConfirm}
          send={words.personErase}
          look="grave"
        >
          {email}
        </Form>
      </div>
    </>
  )
}
