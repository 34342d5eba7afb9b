import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { findProject } from "../accounts/project.ts"
import { isoTime } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { hasPart } from "../forms/definition/field-types.ts"
import { type Form, listFormsPage, requireForm } from "../forms/definition/form.ts"
import { formRecord, pageOfForm } from "../forms/definition/record.ts"
import type { FormDeps } from "../forms/deps.ts"
import { addForm, changeForm, removeForm } from "../forms/operations/forms.ts"
import { declaredPage, formAddress } from "../forms/submission/page.ts"
import type { Exports } from "../http/csv.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { responseRoutes } from "./form-responses.ts"
import { area } from "./kit/area.ts"

const maxBodyBytes = 512 * 1024

/** `/api/v1/forms`: the forms of the token's workspace, and their responses. */
export function formRoutes(deps: FormDeps & { exports: Exports }) {
  const { db, config } = deps

  function toJson(form: Form): Static<typeof formRecord> {
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

  const { bearer, operation, performs } = area(deps, "forms")
  const reply = { schema: formRecord, json: toJson, maxBodyBytes }

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
      operation({ query: pageQuery, answers: { 200: listOf(formRecord) } }),
    )
    .post("", ...performs(addForm, { ...reply, status: 201 }))
    .get(
      "/:id",
      async ({ params, workspaceId }) => toJson(await requireForm(db, workspaceId, params.id)),
      operation({ answers: { 200: formRecord } }),
    )
    .patch(
      "/:id",
      ...performs(changeForm, {
        ...reply,
        status: 200,
        present: async (workspaceId, { form = "" }) => toJson(await requireForm(db, workspaceId, form)),
      }),
    )
    .delete("/:id", ...performs(removeForm))
    .get(
      "/:id/html",
      async ({ params, query, workspaceId }) => {
        const form = await requireForm(db, workspaceId, params.id)
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
    .use(responseRoutes(deps))
}
