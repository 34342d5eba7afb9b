/** @jsxImportSource preact */
import { exportResponses } from "../../forms/operations/responses.ts"
import { fileName } from "../../http/file-name.ts"
import { responsesTable, responseTables, type TableFormat } from "../../wording/response-tables.ts"
import { FormHead, formOf } from "../forms/one-form.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { type Pages, projectOf } from "../kit/page-handlers.ts"
import { filterOfQuery } from "./response-filter.tsx"
import { responseList } from "./response-list.tsx"

/** The responses of a form, by state (received, held, unwanted) and consent, with search and export. */
export function formResponsesPages(pages: Pages, deps: ConsoleDeps) {
  const { db, exports, config } = deps

  const address = "/console/projects/:project/forms/:form"
  const download = (format: TableFormat) =>
    pages.downloads(
      `${address}/responses.${format}`,
      exportResponses,
      (form, { request, query, session, nowMs }) => {
        const table = responsesTable(db, form, filterOfQuery(query, config.timezone), config.timezone)
        const at = { timezone: config.timezone, nowMs }
        const name = fileName(["messages", session.workspace.name, form.name], format, at)
        return exports.reply(request, session.operator.id, name, responseTables[format](table))
      },
    )

  pages.page(address, async (context) => {
    const project = await projectOf(db, context)
    const form = await formOf(deps, context)
    const named = { ...form, hasConsent: form.consent !== null }
    return responseList(deps, context, {
      project,
      path: `/console/projects/${project.id}/forms/${form.id}`,
      forms: [named],
      form: named,
      isOfProject: false,
      head: (actions) => <FormHead form={form} current="responses" actions={actions} />,
    })
  })
  download("csv")
  download("xlsx")
}
