import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { detail, Refusal } from "../base/errors.ts"
import type { Form } from "../forms/definition/form.ts"
import type { FormDeps } from "../forms/deps.ts"
import { eraseResponse } from "../forms/responses/erase.ts"
import { filterOf } from "../forms/responses/filter.ts"
import { dataOf, findResponse } from "../forms/responses/form-response.ts"
import { listResponsesPage } from "../forms/responses/list-responses.ts"
import { acceptResponse } from "../forms/submission/accept.ts"
import { type Exports, xlsxType } from "../http/csv.ts"
import { fileName } from "../http/file-name.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { responsesTable, responseTables, type TableFormat } from "../wording/response-tables.ts"
import { area } from "./kit/area.ts"
import { responseAnswer, responseQuery } from "./schemas/forms.ts"

interface DownloadContext {
  request: Request
  params: { id: string }
  query: Static<typeof responseQuery>
  token: { id: string }
  workspaceId: string
}

/** The responses of a form. `requireForm` throws Refusal `not_found` for a form of another workspace. */
export function responseRoutes(
  deps: FormDeps & { exports: Exports },
  requireForm: (id: string, workspaceId: string) => Promise<Form>,
) {
  const { db, clock, exports, config } = deps
  const { bearer, operation } = area({ db, clock }, "forms")

  /** The download of a form's responses in a format. */
  const download =
    (format: TableFormat) =>
    async ({ request, params, query, token, workspaceId }: DownloadContext) => {
      const form = await requireForm(params.id, workspaceId)
      const table = responsesTable(db, form, filterOf(query), config.timezone)
      const at = { timezone: config.timezone, nowMs: clock.now() }
      const name = fileName(["messages", form.name], format, at)
      return exports.reply(request, token.id, name, responseTables[format](table))
    }

  return new Elysia({ name: "responses" })
    .use(bearer)
    .get(
      "/:id/responses",
      async ({ params, query, workspaceId }) => {
        const form = await requireForm(params.id, workspaceId)
        return listPage(
          query,
          ({ after, atMost }) =>
            listResponsesPage(db, { projectId: form.projectId, formId: form.id }, filterOf(query), {
              after,
              atMost: atMost - 1,
            }),
          (response) => dataOf(form, response),
        )
      },
      operation({
        query: Type.Composite([responseQuery, pageQuery]),
        answers: { 200: listOf(responseAnswer) },
      }),
    )
    .get(
      "/:id/responses.csv",
      download("csv"),
      operation({
        query: responseQuery,
        answers: { 200: "text/csv" },
        refuses: [429],
        audit: "responses.exported",
      }),
    )
    .get(
      "/:id/responses.xlsx",
      download("xlsx"),
      operation({
        query: responseQuery,
        answers: { 200: xlsxType },
        refuses: [429],
        audit: "responses.exported",
      }),
    )
    .get(
      "/:id/responses/:responseId",
      async ({ params, workspaceId }) => {
        const form = await requireForm(params.id, workspaceId)
        const response = await findResponse(db, form.id, params.responseId)
        if (!response) throw new Refusal("not_found", detail("forms.unknownResponse"))
        return dataOf(form, response)
      },
      operation({ answers: { 200: responseAnswer } }),
    )
    .delete(
      "/:id/responses/:responseId",
      async ({ params, workspaceId, set }) => {
        const form = await requireForm(params.id, workspaceId)
        if (!(await eraseResponse(deps, form.id, params.responseId)))
          throw new Refusal("not_found", detail("forms.unknownResponse"))
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "response.erased",
      }),
    )
    .post(
      "/:id/responses/:responseId/acceptance",
      async ({ params, workspaceId }) => {
        const form = await requireForm(params.id, workspaceId)
        return dataOf(form, await acceptResponse(deps, form, params.responseId))
      },
      operation({
        answers: { 200: responseAnswer },
        refuses: [409],
        audit: "response.accepted",
      }),
    )
}
