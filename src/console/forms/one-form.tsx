import type { ComponentChildren } from "preact"
import { Refusal } from "../../base/errors.ts"
import { type Form as FormOf, findForm } from "../../forms/definition/form.ts"
import { changeForm, removeForm, sendNoticeLink } from "../../forms/operations/forms.ts"
import { Tabs } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form } from "../kit/forms/fields.tsx"
import { Removal } from "../kit/forms/removal.tsx"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage, withValues } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { builderHead, FormBuilder, noticeLinkForm } from "./builder/form-builder.tsx"
import { bodyIn, builderValues, type Rearranged, rearrange } from "./builder/form-description.ts"
import { words as builderWords } from "./builder/words.fr.ts"
import { words } from "./words.fr.ts"

export function oneFormPages(deps: ConsoleDeps) {
  async function settings(context: PageContext, rearranged?: Rearranged): Promise<Response> {
    const project = await projectInAddress(deps.db, context)
    const form = await formInAddress(deps, context)
    const isOpened = context.submitted.values.size === 0
    const flash = { saved: words.saved, asked: words.noticeAsked }
    const address = formPath(form)
    return page(
      isOpened ? withValues(context, builderValues(form, context.timezone)) : context,
      { title: form.name, current: "messages", project, flash, head: builderHead() },
      <>
        <FormHead form={form} current="settings" />
        <FormBuilder
          deps={deps}
          project={project}
          action={`${address}/settings`}
          saved={form}
          isSaved={isOpened}
          rearranged={rearranged}
        />
        <Form forRows={noticeLinkForm} action={`${address}/notice-links`} />
        <Removal action={`${address}/removal`} says={words} />
      </>,
    )
  }

  return {
    page: settings,
    changeForm: performs(changeForm, {
      show: settings,
      async instead(context) {
        const rearranged = rearrange(context.values)
        return rearranged && settings(withValues(context, rearranged.values), rearranged)
      },
      record: (context) => formInAddress(deps, context),
      input: (values, { timezone }) => bodyIn(values, timezone),
      leadsTo: (form) => `${formPath(form)}/settings?done=saved`,
    }),
    sendNoticeLink: performs(sendNoticeLink, {
      leadsTo: (_, { params }) => {
        const { project: projectId = "", form: id = "" } = params
        return `${formPath({ id, projectId })}/settings?done=asked`
      },
    }),
    removeForm: performs(removeForm, {
      leadsTo: (_, { params }) => `/console/projects/${params["project"]}/forms?done=removed`,
    }),
  }
}

/** The form in the page's address. Throws Refusal `not_found` if it is unknown or of another project. */
export async function formInAddress({ db }: Pick<ConsoleDeps, "db">, context: PageContext): Promise<FormOf> {
  const form = await findForm(db, context.workspaceId, context.params["form"] ?? "")
  if (!form || form.projectId !== context.params["project"])
    throw new Refusal("not_found", commonWords.unknownPage)
  return form
}

export function formPath({ id, projectId }: Pick<FormOf, "id" | "projectId">): string {
  return `/console/projects/${projectId}/forms/${id}`
}

const tabs = [
  ["responses", "", words.responses],
  ["embed", "/html", builderWords.embed],
  ["settings", "/settings", words.settings],
] as const

export function FormHead(props: {
  form: FormOf
  current: (typeof tabs)[number][0]
  actions?: ComponentChildren
}) {
  const { form, current, actions } = props
  const visibleTabs = usePage().may("editor") ? tabs : tabs.slice(0, 2)
  const links = visibleTabs.map(([of, path, name]) => [formPath(form) + path, name, of === current] as const)
  return (
    <>
      <Head
        title={form.name}
        back={{ href: `/console/projects/${form.projectId}/forms`, name: words.forms }}
        actions={actions}
      />
      <Tabs label={form.name} tabs={links} />
    </>
  )
}
