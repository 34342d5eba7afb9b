/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { Refusal } from "../../base/errors.ts"
import { type Form as FormOf, findForm } from "../../forms/definition/form.ts"
import { deleteForm, updateForm } from "../../forms/definition/manage-form.ts"
import { declaredPage } from "../../forms/submission/page.ts"
import { extendReplyTimeout } from "../../http/extend-timeout.ts"
import { messages as formsMessages } from "../../wording/forms.fr.ts"
import { Table, Tabs } from "../kit/components.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Field, Form, Snippet } from "../kit/forms/fields.tsx"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import { requireUnchanged, VersionField } from "../kit/forms/optimistic-lock.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { type ConsoleDeps, type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/forms.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { FormBuilder } from "./form-builder.tsx"
import { bodyIn, rearrange, valuesOf } from "./form-description.ts"

/** The pages of a form: its HTML, its settings and its removal. */
export function oneFormPages(handlers: PageHandlers, deps: ConsoleDeps) {
  const { db, mailer } = deps

  async function html(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const form = await formOf(deps, context)
    const flash = flashMessage(context.query, { created: messages.created })
    const pageAddress = context.query["page"]?.trim() ?? ""
    const from = pageAddress === "" ? undefined : declaredPage(pageAddress, project.origins)
    const formState: FormState = {
      ...untouched,
      values: new URLSearchParams({ page: pageAddress }),
      problems: pageAddress !== "" && !from ? { page: formsMessages.pageAddress } : {},
    }
    return page(
      context,
      { title: form.name, current: "forms", project, flash },
      <>
        <FormHead form={form} current="html" context={context} />
        <section>
          <p>{messages.htmlHint}</p>
          <form method="get" action={`${addressOf(form)}/html`} class="row">
            <Field
              formState={formState}
              name="page"
              type="url"
              label={messages.pageOfForm}
              hint={messages.pageOfFormHint}
              optional
            />
            <button type="submit" class="quiet">
              {messages.show}
            </button>
          </form>
          <Snippet label={messages.htmlCode} text={deps.formHtml(form, from)} />
        </section>
        <section>
          <h2>{messages.variables}</h2>
          <Table label={messages.variables} head={[messages.variable, messages.label, messages.type]}>
            {form.fields.map(({ name, label, type }) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{label}</td>
                <td>{messages.types[type]}</td>
              </tr>
            ))}
          </Table>
        </section>
      </>,
    )
  }

  async function settings(context: PageContext, formState: FormState, status: number): Promise<Response> {
    const project = await projectOf(db, context)
    const form = await formOf(deps, context)
    const isOpened = [...formState.values].length === 0
    const flash = flashMessage(context.query, { saved: messages.saved })
    const address = addressOf(form)
    return page(
      context,
      { title: form.name, current: "forms", project, status, flash },
      <>
        <FormHead form={form} current="settings" context={context} />
        <FormBuilder
          context={context}
          formState={isOpened ? { ...formState, values: valuesOf(form) } : formState}
          action={`${address}/settings`}
          save={shellMessages.save}
          canMail={mailer.configured}
          versionField={<VersionField record={form} formState={formState} status={status} />}
        />
        <details class="danger">
          <summary>{messages.remove}</summary>
          <p>{messages.removeHint}</p>
          <Form context={context} action={`${address}/removal`} confirm={messages.removeConfirm}>
            <button type="submit" class="grave">
              {messages.remove}
            </button>
          </Form>
        </details>
      </>,
    )
  }

  return new Elysia({ name: "console-form", prefix: "/console/projects/:project/forms/:form" })
    .get("/html", handlers.page(html))
    .get(
      "/settings",
      handlers.page((context) => settings(context, untouched, 200), "editor"),
    )
    .post(
      "/settings",
      handlers.action(
        "editor",
        async (context) => {
          const form = await formOf(deps, context)
          const values = rearrange(context.values)
          if (values) {
            context.skipAudit()
            return settings(context, { ...untouched, values }, 200)
          }
          requireUnchanged(context.values, form)
          const { name } = await updateForm(deps, context.workspaceId, form.id, bodyIn(context.values))
          context.setAuditSubject(form.id, name)
          return seeOther(`${addressOf(form)}/settings?done=saved`)
        },
        settings,
      ),
      { parse: "none" },
    )
    .post(
      "/removal",
      handlers.action("editor", async (context) => {
        const form = await formOf(deps, context)
        extendReplyTimeout(context.request)
        await deleteForm(deps, form.id)
        context.setAuditSubject(form.id, form.name)
        return seeOther(`/console/projects/${form.projectId}/forms?done=removed`)
      }),
      { parse: "none" },
    )
}

/** The form in the page's address. Throws Refusal `not_found` if it is unknown or of another project. */
export async function formOf({ db }: Pick<ConsoleDeps, "db">, context: PageContext): Promise<FormOf> {
  const form = await findForm(db, context.workspaceId, context.params["form"] ?? "")
  if (!form || form.projectId !== context.params["project"])
    throw new Refusal("not_found", shellMessages.unknownPage)
  return form
}

export function addressOf({ id, projectId }: FormOf): string {
  return `/console/projects/${projectId}/forms/${id}`
}

/** Title and tabs of the pages of a form. */
export function FormHead(props: {
  form: FormOf
  current: "responses" | "html" | "settings"
  context: PageContext
}) {
  const { form, current, context } = props
  const address = addressOf(form)
  const tabs = [
    { href: address, name: messages.responses, current: current === "responses" },
    { href: `${address}/html`, name: messages.html, current: current === "html" },
    { href: `${address}/settings`, name: messages.settings, current: current === "settings" },
  ]
  return (
    <>
      <h1>{form.name}</h1>
      <Tabs label={form.name} tabs={context.may("editor") ? tabs : tabs.slice(0, 2)} />
    </>
  )
}
