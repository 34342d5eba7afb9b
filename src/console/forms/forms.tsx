/** @jsxImportSource preact */
import { Elysia } from "elysia"
import type { Project } from "../../accounts/project.ts"
import { type Form, listForms } from "../../forms/definition/form.ts"
import { createForm } from "../../forms/definition/manage-form.ts"
import { countResponses, type ResponseCounts } from "../../forms/responses/count.ts"
import { Tag } from "../kit/components.tsx"
import { flashMessage } from "../kit/flash.ts"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import type { PageContext } from "../kit/page-context.ts"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/forms.fr.ts"
import { FormBuilder } from "./form-builder.tsx"
import { bodyIn, rearrange, suggestedValues } from "./form-description.ts"

/** The list of forms of a project, and the form for a new one. */
export function formsPages(handlers: PageHandlers, deps: ConsoleDeps) {
  const { db, mailer } = deps

  async function list(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const forms = await listForms(db, context.workspaceId, { projectId: project.id })
    const counts = await countResponses(
      db,
      forms.map(({ id }) => id),
    )
    const flash = flashMessage(context.query, { removed: messages.removed })
    const address = `/console/projects/${project.id}/forms`
    return page(
      context,
      { title: messages.forms, current: "forms", project, flash },
      <>
        <h1>{messages.forms}</h1>
        {forms.length === 0 && <p>{messages.none}</p>}
        <p class="actions">
          {context.may("editor") && (
            <a class="button" href={`${address}/new`}>
              {messages.newForm}
            </a>
          )}
          {context.may("editor") && (
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

  function builder(context: PageContext, project: Project, formState: FormState, status: number): Response {
    return page(
      context,
      { title: messages.newForm, current: "forms", project, status },
      <>
        <h1>{messages.newForm}</h1>
        <FormBuilder
          context={context}
          formState={formState}
          action={`/console/projects/${project.id}/forms/new`}
          save={messages.create}
          canMail={mailer.configured}
        />
      </>,
    )
  }

  return new Elysia({ name: "console-forms", prefix: "/console/projects/:project/forms" })
    .get("", handlers.page(list))
    .get(
      "/new",
      handlers.page(
        async (context) =>
          builder(context, await projectOf(db, context), { ...untouched, values: suggestedValues() }, 200),
        "editor",
      ),
    )
    .post(
      "/new",
      handlers.action(
        "editor",
        async (context) => {
          const project = await projectOf(db, context)
          const values = rearrange(context.values)
          if (values) {
            context.skipAudit()
            return builder(context, project, { ...untouched, values }, 200)
          }
          const body = { ...bodyIn(context.values), project: project.id }
          const id = await createForm(deps, context.workspaceId, body)
          context.setAuditSubject(id, String(body["name" as keyof typeof body]))
          return seeOther(`/console/projects/${project.id}/forms/${id}/html?done=created`)
        },
        async (context, formState, status) =>
          builder(context, await projectOf(db, context), formState, status),
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
