import { findProject } from "../accounts/project.ts"
import { detail, Refusal } from "../base/errors.ts"
import { hasPart } from "../forms/definition/field-types.ts"
import { type Form, listFormsPage } from "../forms/definition/form.ts"
import { ownerMailOf } from "../forms/definition/notify.ts"
import { formRecord, pageOfForm } from "../forms/definition/record.ts"
import { addForm, changeForm, formOfCall, removeForm, sendNoticeLink } from "../forms/operations/forms.ts"
import { declaredPage, formAddress } from "../forms/submission/page.ts"
import { shown } from "../http/record/json.ts"
import { described } from "../http/routes.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers, type Named, type TokenContext } from "./kit/handlers.ts"

const maxBodyBytes = 512 * 1024

export function formShownAt(publicUrl: string) {
  return shown(formRecord, (form: Form) => ({
    project: form.projectId,
    fields: form.fields.map(({ options, ...field }) =>
      hasPart(field.type, "options") ? { ...field, options } : field,
    ),
    notify: form.notify.map(({ to }) => to),
    notify_pending: form.notify.filter(({ confirmedAt }) => confirmedAt === null).map(({ to }) => to),
    owner_mail: ownerMailOf(form),
    action: formAddress(publicUrl, form),
  }))
}

/** `/api/v1/forms`: the forms of the token's workspace, and their responses. */
export function formHandlers(deps: ApiDeps) {
  const { db, config } = deps
  const { performs, shows, lists } = handlers(deps)
  const form = formShownAt(config.publicUrl)
  const find = (call: Named) => formOfCall(db, call)

  return {
    list: lists(form, ({ workspaceId }, { after, atMost }) =>
      listFormsPage(db, workspaceId, { after, atMost: atMost - 1 }),
    ),
    add: performs(addForm, { status: 201, ...form, maxBodyBytes }),
    show: shows(form, find),
    change: performs(changeForm, { status: 200, ...form, present: find, maxBodyBytes }),
    remove: performs(removeForm),
    sendNoticeLink: performs(sendNoticeLink, { refuses: [409, 429] }),
    html: described(
      { query: pageOfForm, answers: { 200: "text/html" } },
      async ({ params, query, token: { workspaceId } }: TokenContext) => {
        const form = await find({ workspaceId, ids: { form: params["id"] ?? "" } })
        const project = await findProject(db, form.projectId, workspaceId)
        const wanted = query["page"]
        const page = wanted === undefined ? undefined : declaredPage(wanted, project?.origins ?? [])
        if (wanted !== undefined && !page)
          throw new Refusal("invalid_request", detail("forms.wrongPage"), {
            fields: { page: detail("forms.pageAddress") },
          })
        return new Response(deps.formHtml(form, page), {
          headers: {
            "content-type": "text/html; charset=utf-8",
            // The HTML is to be copied, not opened. In a browser, it runs no script and sends no form.
            "content-security-policy": "default-src 'none'; sandbox",
            "x-content-type-options": "nosniff",
            "cache-control": "no-store",
          },
        })
      },
    ),
  }
}
