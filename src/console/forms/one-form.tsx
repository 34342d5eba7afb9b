/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { Refusal } from "../../base/errors.ts"
import { type Form as FormOf, findForm } from "../../forms/definition/form.ts"
import { alterForm, removeForm } from "../../forms/definition/owner.ts"
import { declaredPage } from "../../forms/submission/page.ts"
import { allowSlowReply } from "../../http/slow.ts"
import { messages as formsMessages } from "../../wording/forms.fr.ts"
import { doneOf } from "../kit/done.ts"
import { type ConsoleParts, type Door, projectOf } from "../kit/door.ts"
import { Field, Form, Snippet } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { Table, Tabs } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { requireSeen, Seen } from "../kit/seen.tsx"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/forms.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { FormBuilder } from "./form-builder.tsx"
import { bodyIn, rearranged, valuesOf } from "./form-description.ts"

/** A form's HTML, its description, its removal. */
export function oneFormPages(door: Door, parts: ConsoleParts) {
  const { db, mailer } = parts

  async function html(visit: Visit): Promise<Response> {
    const project = await projectOf(db, visit)
    const form = await formOf(parts, visit)
    const done = doneOf(visit.query, { created: messages.created })
    const wanted = visit.query["page"]?.trim() ?? ""
    const from = wanted === "" ? undefined : declaredPage(wanted, project.origins)
    const filled: Filled = {
      ...untouched,
      values: new URLSearchParams({ page: wanted }),
      problems: wanted !== "" && !from ? { page: formsMessages.pageAddress } : {},
    }
    return page(
      visit,
      { title: form.name, current: "forms", project, done },
      <>
        <FormHead form={form} current="html" visit={visit} />
        <section>
          <p>{messages.htmlHint}</p>
          <form method="get" action={`${addressOf(form)}/html`} class="row">
            <Field
              filled={filled}
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
          <Snippet label={messages.htmlCode} text={parts.formHtml(form, from)} />
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

  async function settings(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const project = await projectOf(db, visit)
    const form = await formOf(parts, visit)
    const isOpened = [...filled.values].length === 0
    const done = doneOf(visit.query, { saved: messages.saved })
    const address = addressOf(form)
    return page(
      visit,
      { title: form.name, current: "forms", project, status, done },
      <>
        <FormHead form={form} current="settings" visit={visit} />
        <FormBuilder
          visit={visit}
          filled={isOpened ? { ...filled, values: valuesOf(form) } : filled}
          action={`${address}/settings`}
          save={shellMessages.save}
          canMail={mailer.configured}
          seen={<Seen thing={form} filled={filled} status={status} />}
        />
        <details class="danger">
          <summary>{messages.remove}</summary>
          <p>{messages.removeHint}</p>
          <Form visit={visit} action={`${address}/removal`} confirm={messages.removeConfirm}>
            <button type="submit" class="grave">
              {messages.remove}
            </button>
          </Form>
        </details>
      </>,
    )
  }

  return new Elysia({ name: "console-form", prefix: "/console/projects/:project/forms/:form" })
    .get("/html", door.page(html))
    .get(
      "/settings",
      door.page((visit) => settings(visit, untouched, 200), "editor"),
    )
    .post(
      "/settings",
      door.action(
        "editor",
        async (sent) => {
          const form = await formOf(parts, sent)
          const values = rearranged(sent.values)
          if (values) {
            sent.nothing()
            return settings(sent, { ...untouched, values }, 200)
          }
          requireSeen(sent.values, form)
          const { name } = await alterForm(parts, sent.workspaceId, form.id, bodyIn(sent.values))
          sent.about(form.id, name)
          return seeOther(`${addressOf(form)}/settings?done=saved`)
        },
        settings,
      ),
      { parse: "none" },
    )
    .post(
      "/removal",
      door.action("editor", async (sent) => {
        const form = await formOf(parts, sent)
        allowSlowReply(sent.request)
        await removeForm(parts, form.id)
        sent.about(form.id, form.name)
        return seeOther(`/console/projects/${form.projectId}/forms?done=removed`)
      }),
      { parse: "none" },
    )
}

/** The form that a page is about, in the project that its address names. Throws Refusal `not_found`. */
export async function formOf({ db }: Pick<ConsoleParts, "db">, visit: Visit): Promise<FormOf> {
  const form = await findForm(db, visit.workspaceId, visit.params["form"] ?? "")
  if (!form || form.projectId !== visit.params["project"])
    throw new Refusal("not_found", shellMessages.unknownPage)
  return form
}

export function addressOf({ id, projectId }: FormOf): string {
  return `/console/projects/${projectId}/forms/${id}`
}

/** The name of a form and the pages about it. */
export function FormHead(props: { form: FormOf; current: "responses" | "html" | "settings"; visit: Visit }) {
  const { form, current, visit } = props
  const address = addressOf(form)
  const tabs = [
    { href: address, name: messages.responses, current: current === "responses" },
    { href: `${address}/html`, name: messages.html, current: current === "html" },
    { href: `${address}/settings`, name: messages.settings, current: current === "settings" },
  ]
  return (
    <>
      <h1>{form.name}</h1>
      <Tabs label={form.name} tabs={visit.may("editor") ? tabs : tabs.slice(0, 2)} />
    </>
  )
}
