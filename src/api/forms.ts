import { Elysia } from "elysia"
import { findProject } from "../accounts/project.ts"
import { isoTime } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { hasPart } from "../forms/definition/field-types.ts"
import { type Form, findForm, listFormsPage } from "../forms/definition/form.ts"
import { createForm, deleteForm, updateForm } from "../forms/definition/manage-form.ts"
import type { FormDeps } from "../forms/deps.ts"
import { declaredPage, formAddress } from "../forms/submission/page.ts"
import { readObject } from "../http/body.ts"
import type { Exports } from "../http/csv.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { responseRoutes } from "./form-responses.ts"
import { area } from "./kit/area.ts"
import { type FormAnswer, formAnswer, formChange, newForm, pageOfForm } from "./schemas/forms.ts"

const maxBodyBytes = 512 * 1024

/** `/api/v1/forms`: the forms of the token's workspace, and their responses. */
export function formRoutes(deps: FormDeps & { exports: Exports }) {
  const { db, clock, config } = deps

  /** Throws Refusal `not_found`, for a form of another workspace too. */
  async function requireForm(id: string, workspaceId: string): Promise<Form> {
    const form = await findForm(db, workspaceId, id)
    if (!form) throw new Refusal("not_found", detail("forms.unknownForm"))
    return form
  }

  function toJson(form: Form): FormAnswer {
    return {
      id: form.id,
      public_id: form.publicId,
      project: form.projectId,
      name: form.name,
      fields: form.fields.map(({ options, ...field }) =>
        hasPart(field.type, "options") ? { ...field, options } : field,
      ),
      consent: form.consent,
      redirect_url: form.redirectUrl,
      retention_days: form.retentionDays,
      owner_mail: form.ownerMail,
      hosted: form.hosted,
      receipt: form.receipt,
      button: form.button,
      thanks: form.thanks,
      action: formAddress(config.publicUrl, form),
      created_at: isoTime(form.createdAt),
    }
  }

  const { bearer, operation } = area({ db, clock }, "forms")

  return new Elysia({ name: "forms", prefix: "/api/v1/forms" })
    .use(bearer)
    .get(
      "",
      ({ query, workspaceId }) =>
        listPage(
          query,
          ({ after, atMost }) => listFormsPage(db, workspaceId, { after, atMost: atMost - 1 }),
          toJson,
        ),
      operation({ query: pageQuery, answers: { 200: listOf(formAnswer) } }),
    )
    .post(
      "",
      async ({ request, workspaceId, set }) => {
        const body = await readObject(request, maxBodyBytes)
        const id = await createForm(deps, workspaceId, body)
        set.status = 201
        return toJson(await requireForm(id, workspaceId))
      },
      operation({
        body: newForm,
        answers: { 201: formAnswer },
        audit: "form.added",
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => toJson(await requireForm(params.id, workspaceId)),
      operation({ answers: { 200: formAnswer } }),
    )
    .patch(
      "/:id",
      async ({ request, params, workspaceId }) => {
        const { id } = await requireForm(params.id, workspaceId)
        const body = await readObject(request, maxBodyBytes)
        return toJson(await updateForm(deps, workspaceId, id, body))
      },
      operation({
        body: formChange,
        answers: { 200: formAnswer },
        audit: "form.changed",
      }),
    )
    .delete(
      "/:id",
      async ({ request, params, workspaceId, set }) => {
        const { id } = await requireForm(params.id, workspaceId)
        // Erasing a million responses takes long. The purge finishes a removal that is cut short.
        extendReplyTimeout(request)
        await deleteForm(deps, id)
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "form.removed",
      }),
    )
    .get(
      "/:id/html",
      async ({ params, query, workspaceId }) => {
        const form = await requireForm(params.id, workspaceId)
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
      operation({
        query: pageOfForm,
        answers: { 200: "text/html" },
      }),
    )
    .use(responseRoutes(deps, requireForm))
}
