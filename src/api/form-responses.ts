import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { type Form, requireForm } from "../forms/definition/form.ts"
import type { FormDeps } from "../forms/deps.ts"
import {
  acceptResponse,
  eraseResponse,
  exportResponses,
  requireResponse,
} from "../forms/operations/responses.ts"
import { filterOf } from "../forms/responses/filter.ts"
import { dataOf } from "../forms/responses/form-response.ts"
import { listResponsesPage } from "../forms/responses/list-responses.ts"
import { responseQuery, responseRecord } from "../forms/responses/record.ts"
import { type Exports, xlsxType } from "../http/csv.ts"
import { fileName } from "../http/file-name.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { responsesTable, responseTables, type TableFormat } from "../wording/response-tables.ts"
import { area, type FileContext } from "./kit/area.ts"

/** The responses of a form. */
export function responseRoutes(deps: FormDeps & { exports: Exports }) {
  const { db, clock, exports, config } = deps
  const { bearer, operation, performs, downloads } = area(deps, "forms")

  const file =
    (format: TableFormat) =>
    (form: Form, { request, query, token }: FileContext<Static<typeof responseQuery>>) => {
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
        const form = await requireForm(db, workspaceId, params.id)
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
        answers: { 200: listOf(responseRecord) },
      }),
    )
    .get(
      "/:id/responses.csv",
      ...downloads(exportResponses, { type: "text/csv", query: responseQuery, file: file("csv") }),
    )
    .get(
      "/:id/responses.xlsx",
      ...downloads(exportResponses, { type: xlsxType, query: responseQuery, file: file("xlsx") }),
    )
    .get(
      "/:id/responses/:responseId",
      async ({ params, workspaceId }) => {
        const form = await requireForm(db, workspaceId, params.id)
        return dataOf(form, await requireResponse(db, form, params.responseId))
      },
      operation({ answers: { 200: responseRecord } }),
    )
    .delete("/:id/responses/:responseId", ...performs(eraseResponse))
    .post(
      "/:id/responses/:responseId/acceptance",
      ...performs(acceptResponse, {
        status: 200,
        schema: responseRecord,
        json: ({ form, response }) => dataOf(form, response),
        refuses: [409],
      }),
    )
}
