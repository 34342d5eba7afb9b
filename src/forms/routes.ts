import { Elysia } from "elysia"
import { isoTime } from "../clock.ts"
import { Refusal } from "../errors.ts"
import { bearer } from "../http/bearer.ts"
import { readObject } from "../http/body.ts"
import { listed, pageOf } from "../http/list.ts"
import { allowSlowReply } from "../http/slow.ts"
import { findProject } from "../workspaces/project.ts"
import { acceptResponse } from "./accept.ts"
import { csvOf } from "./csv.ts"
import { checkedForm } from "./description.ts"
import { eraseResponse } from "./erase.ts"
import { filterOf } from "./filter.ts"
import { addForm, changeForm, type Form, findForm, listForms, markFormRemoved } from "./form.ts"
import { dataOf, findResponse, listResponses } from "./form-response.ts"
import { htmlOf } from "./html.tsx"
import { declaredPage } from "./page.ts"
import type { FormParts } from "./parts.ts"
import { purgeRemovedForm } from "./purge.ts"
import { sentences } from "./sentences.ts"

const maxBodyBytes = 512 * 1024

/** `/api/v1/forms`: the forms of the token's workspace, and their responses. */
export function formRoutes(parts: FormParts) {
  const { db, clock, config, mailer } = parts

  /** A stranger's form is one that does not exist. */
  async function found(id: string, workspaceId: string): Promise<Form> {
    const form = await findForm(db, workspaceId, id)
    if (!form) throw new Refusal("not_found", sentences.unknownForm)
    return form
  }

  function described(form: Form) {
    return {
      id: form.id,
      public_id: form.publicId,
      project: form.projectId,
      name: form.name,
      fields: form.fields.map(({ options, ...field }) =>
        field.type === "select" || field.type === "radio" ? { ...field, options } : field,
      ),
      consent: form.consent,
      redirect_url: form.redirectUrl,
      retention_days: form.retentionDays,
      owner_mail: form.ownerMail,
      action: `${config.publicUrl}/f/${form.publicId}`,
      created_at: isoTime(form.createdAt),
    }
  }

  return new Elysia({ name: "forms", prefix: "/api/v1/forms" })
    .use(bearer({ db, clock }))
    .get("", async ({ query, workspaceId }) => {
      const page = pageOf(query)
      const forms = await listForms(db, workspaceId, { after: page.after, atMost: page.limit + 1 })
      return listed(forms, page, (form) => form.id, described)
    })
    .post(
      "",
      async ({ request, workspaceId, set }) => {
        const body = await readObject(request, maxBodyBytes)
        const projectId = typeof body["project"] === "string" ? body["project"] : ""
        const project = await findProject(db, projectId, workspaceId)
        const problems: Record<string, string> = project ? {} : { project: sentences.unknownProject }
        const wanted = checkedForm(body, mailer.configured, problems)
        const id = await addForm(db, projectId, wanted, clock.now())
        set.status = 201
        return described(await found(id, workspaceId))
      },
      { parse: "none" },
    )
    .get("/:id", async ({ params, workspaceId }) => described(await found(params.id, workspaceId)))
    .patch(
      "/:id",
      async ({ request, params, workspaceId }) => {
        const form = await found(params.id, workspaceId)
        const body = await readObject(request, maxBodyBytes)
        await changeForm(db, form.id, checkedForm(body, mailer.configured, {}, form))
        return described(await found(form.id, workspaceId))
      },
      { parse: "none" },
    )
    .delete("/:id", async ({ request, params, workspaceId, set }) => {
      const { id } = await found(params.id, workspaceId)
      // It may have had a million responses; should this be cut short, the purge goes on with it.
      allowSlowReply(request, 240)
      await markFormRemoved(db, id, clock.now())
      await purgeRemovedForm(parts, id)
      set.status = 204
    })
    .get("/:id/html", async ({ params, query, workspaceId }) => {
      const form = await found(params.id, workspaceId)
      const project = await findProject(db, form.projectId, workspaceId)
      const page = query["page"] && declaredPage(query["page"], project?.origins ?? [])
      if (query["page"] && !page)
        throw new Refusal("invalid_request", sentences.invalidFilter, {
          fields: { page: sentences.pageAddress },
        })
      return new Response(htmlOf(form, config.publicUrl, page || undefined), {
        headers: {
          "content-type": "text/html; charset=utf-8",
          // To be copied, not to be opened: should a browser open it, nothing in it acts.
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff",
          "cache-control": "no-store",
        },
      })
    })
    .get("/:id/responses", async ({ params, query, workspaceId }) => {
      const form = await found(params.id, workspaceId)
      const page = pageOf(query)
      const part = { after: page.after, atMost: page.limit + 1 }
      const responses = await listResponses(db, form.id, filterOf(query), part)
      return listed(
        responses,
        page,
        (response) => response.id,
        (response) => dataOf(form, response),
      )
    })
    .get("/:id/responses.csv", async ({ params, query, workspaceId }) => {
      const form = await found(params.id, workspaceId)
      return new Response(csvOf(db, form, filterOf(query), config.timezone), {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="${form.publicId}.csv"`,
          "x-content-type-options": "nosniff",
          "cache-control": "no-store",
        },
      })
    })
    .get("/:id/responses/:responseId", async ({ params, workspaceId }) => {
      const form = await found(params.id, workspaceId)
      const response = await findResponse(db, form.id, params.responseId)
      if (!response) throw new Refusal("not_found", sentences.unknownResponse)
      return dataOf(form, response)
    })
    .delete("/:id/responses/:responseId", async ({ params, workspaceId, set }) => {
      const form = await found(params.id, workspaceId)
      if (!(await eraseResponse(parts, form.id, params.responseId)))
        throw new Refusal("not_found", sentences.unknownResponse)
      set.status = 204
    })
    .post(
      "/:id/responses/:responseId/acceptance",
      async ({ params, workspaceId }) => {
        const form = await found(params.id, workspaceId)
        return dataOf(form, await acceptResponse(parts, form, params.responseId))
      },
      { parse: "none" },
    )
}
