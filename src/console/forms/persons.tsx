/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { Refusal } from "../../base/errors.ts"
import { type Form as FormOf, listForms } from "../../forms/definition/form.ts"
import { eraseAddress } from "../../forms/responses/erase.ts"
import { type PersonalResponse, responsesOfAddress } from "../../forms/responses/person.ts"
import { addressKey, isEmail } from "../../forms/submission/value.ts"
import { securityHeaders } from "../../http/security.ts"
import { messages as formsMessages } from "../../wording/forms.fr.ts"
import { dateWriter } from "../kit/dates.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Sent, Visit } from "../kit/page-context.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/forms.fr.ts"
import { ConsentTag, Values } from "./response-parts.tsx"

/**
 * What is kept of one person, to be given or erased. The address is never part of an address of ours: those
 * end up in logs.
 */
export function personsPages(door: Door, parts: ConsoleParts) {
  const { db, config } = parts
  const date = dateWriter(config.timezone)

  async function shown(
    visit: Visit,
    filled: Filled,
    status: number,
    found?: PersonalResponse[],
  ): Promise<Response> {
    const forms = new Map((await listForms(db, visit.workspaceId)).map((form) => [form.id, form]))
    const email = filled.values.get("email") ?? ""
    const erased = visit.query["erased"]
    return page(
      visit,
      {
        title: messages.personTitle,
        current: "none",
        status,
        done: /^\d{1,9}$/.test(erased ?? "") ? messages.personErased(Number(erased)) : undefined,
      },
      <>
        <h1>{messages.personTitle}</h1>
        <p>{messages.personIntro}</p>
        <Form visit={visit} action="/console/persons">
          <Problem filled={filled} />
          <Field filled={filled} name="email" type="email" label={messages.personEmail} />
          <button type="submit">{messages.personSearch}</button>
        </Form>
        {found && <Found visit={visit} email={email} found={found} forms={forms} date={date} />}
      </>,
    )
  }

  const again = (visit: Visit, filled: Filled, status: number) => shown(visit, filled, status)

  return new Elysia({ name: "console-persons", prefix: "/console/persons" })
    .get(
      "",
      door.page((visit) => shown(visit, untouched, 200), "editor"),
    )
    .post(
      "",
      door.action(
        "editor",
        async (sent) => {
          const found = await responsesOfAddress(db, emailIn(sent), sent.workspaceId)
          sent.about(null)
          return shown(sent, { ...untouched, values: sent.values }, 200, found)
        },
        again,
      ),
      { parse: "none" },
    )
    .post(
      "/export",
      door.action(
        "editor",
        async (sent) => {
          const items = await responsesOfAddress(db, emailIn(sent), sent.workspaceId)
          sent.about(null)
          return new Response(JSON.stringify({ items }, null, 2), {
            headers: {
              ...securityHeaders,
              "content-type": "application/json",
              "content-disposition": 'attachment; filename="personne.json"',
              "cache-control": "no-store",
            },
          })
        },
        again,
      ),
      { parse: "none" },
    )
    .post(
      "/erasure",
      door.action(
        "editor",
        async (sent) => {
          const erased = await eraseAddress(parts, emailIn(sent), sent.workspaceId)
          sent.about(null)
          return seeOther(`/console/persons?erased=${erased}`)
        },
        again,
      ),
      { parse: "none" },
    )
}

/** Throws Refusal `invalid_request`. */
function emailIn({ values }: Sent): string {
  const email = (values.get("email") ?? "").trim()
  if (isEmail(addressKey(email))) return email
  throw new Refusal("invalid_request", formsMessages.email, { fields: { email: formsMessages.email } })
}

interface FoundProps {
  visit: Visit
  email: string
  found: PersonalResponse[]
  /** By id: what was typed is shown by its label. */
  forms: ReadonlyMap<string, FormOf>
  date: (at: string) => string
}

function Found({ visit, email, found, forms, date }: FoundProps) {
  if (found.length === 0) return <p>{messages.personNone}</p>
  return (
    <>
      <p>{messages.personFound(found.length)}</p>
      <ul class="things">
        {found.map((response) => (
          <li key={response.id}>
            <h2>{`${response.form_name}, ${date(response.created_at)}`}</h2>
            <p class="actions">
              <ConsentTag consent={response.consent} />
            </p>
            <Values form={forms.get(response.form_id)} values={response.values} />
          </li>
        ))}
      </ul>
      <div class="actions">
        <Form visit={visit} action="/console/persons/export">
          <input type="hidden" name="email" value={email} />
          <button type="submit" class="quiet">
            {messages.personExport}
          </button>
        </Form>
        <Form visit={visit} action="/console/persons/erasure" confirm={messages.personEraseConfirm}>
          <input type="hidden" name="email" value={email} />
          <button type="submit" class="grave">
            {messages.personErase}
          </button>
        </Form>
      </div>
    </>
  )
}
