/** @jsxImportSource preact */
import { Elysia } from "elysia"
import type { Project } from "../../accounts/project.ts"
import { type Form, listForms } from "../../forms/definition/form.ts"
import { makeForm } from "../../forms/definition/owner.ts"
import { countResponses, type ResponseCounts } from "../../forms/responses/count.ts"
import { doneOf } from "../kit/done.ts"
import { type ConsoleParts, type Door, projectOf } from "../kit/door.ts"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { Tag } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/forms.fr.ts"
import { FormBuilder } from "./form-builder.tsx"
import { bodyIn, rearranged, suggestedValues } from "./form-description.ts"

/** The forms of a project, and a new one. */
export function formsPages(door: Door, parts: ConsoleParts) {
  const { db, mailer } = parts

  async function list(visit: Visit): Promise<Response> {
    const project = await projectOf(db, visit)
    const forms = await listForms(db, visit.workspaceId, { projectId: project.id })
    const counts = await countResponses(
      db,
      forms.map(({ id }) => id),
    )
    const done = doneOf(visit.query, { removed: messages.removed })
    const address = `/console/projects/${project.id}/forms`
    return page(
      visit,
      { title: messages.forms, current: "forms", project, done },
      <>
        <h1>{messages.forms}</h1>
        {forms.length === 0 && <p>{messages.none}</p>}
        <p class="actions">
          {visit.may("editor") && (
            <a class="button" href={`${address}/new`}>
              {messages.newForm}
            </a>
          )}
          {visit.may("editor") && (
            <a class="button quiet" href="/console/persons">
              {messages.person}
            </a>
          )}
        </p>
        <ul class="things">
          {forms.map((form) => (
            <Item key={form.id} form={form} address={address} counts={counts.get(form.id)} />
          ))}
        </ul>
      </>,
    )
  }

  function builder(visit: Visit, project: Project, filled: Filled, status: number): Response {
    return page(
      visit,
      { title: messages.newForm, current: "forms", project, status },
      <>
        <h1>{messages.newForm}</h1>
        <FormBuilder
          visit={visit}
          filled={filled}
          action={`/console/projects/${project.id}/forms/new`}
          save={messages.create}
          canMail={mailer.configured}
        />
      </>,
    )
  }

  return new Elysia({ name: "console-forms", prefix: "/console/projects/:project/forms" })
    .get("", door.page(list))
    .get(
      "/new",
      door.page(
        async (visit) =>
          builder(visit, await projectOf(db, visit), { ...untouched, values: suggestedValues() }, 200),
        "editor",
      ),
    )
    .post(
      "/new",
      door.action(
        "editor",
        async (sent) => {
          const project = await projectOf(db, sent)
          const values = rearranged(sent.values)
          if (values) {
            sent.nothing()
            return builder(sent, project, { ...untouched, values }, 200)
          }
          const body = { ...bodyIn(sent.values), project: project.id }
          const id = await makeForm(parts, sent.workspaceId, body)
          sent.about(id, String(body["name" as keyof typeof body]))
          return seeOther(`/console/projects/${project.id}/forms/${id}/html?done=created`)
        },
        async (visit, filled, status) => builder(visit, await projectOf(db, visit), filled, status),
      ),
      { parse: "none" },
    )
}

function Item({
  form,
  address,
  counts = { received: 0, held: 0, unwanted: 0 },
}: {
  form: Form
  address: string
  counts: ResponseCounts | undefined
}) {
  return (
    <li>
      <h2>
        <a href={`${address}/${form.id}`}>{form.name}</a>
      </h2>
      <p class="actions">
        <Tag mood="good">{messages.counts.received(counts.received)}</Tag>
        {counts.held > 0 && <Tag mood="warn">{messages.counts.held(counts.held)}</Tag>}
        {counts.unwanted > 0 && <Tag mood="plain">{messages.counts.unwanted(counts.unwanted)}</Tag>}
      </p>
      <p class="hint">{form.fields.map(({ label }) => label).join(", ")}</p>
    </li>
  )
}
