import { type Static, Type } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Form } from "../forms/definition/form.ts"
import type { FormDeps } from "../forms/deps.ts"
import { formOfCall } from "../forms/operations/forms.ts"
import {
  acceptResponse,
  addNote,
  changeResponse,
  eraseResponse,
  exportResponses,
  openFile,
  removeNote,
  requireFollowed,
} from "../forms/operations/responses.ts"
import { type FollowedResponse, noteJson, withNotes } from "../forms/responses/follow-up.ts"
import { describeResponse } from "../forms/responses/form-response.ts"
import { filterFromQuery, listResponsesPage } from "../forms/responses/list-responses.ts"
import { followedRecord, responseQuery, responseRecord } from "../forms/responses/record.ts"
import { fileJson } from "../forms/responses/response-files.ts"
import { type Exports, xlsxType } from "../http/csv.ts"
import { fileName } from "../http/file-name.ts"
import { idOf } from "../operations/operation.ts"
import { fileReply } from "../storage/file-reply.ts"
import { responsesTable, responseTables, type TableFormat } from "../wording/response-tables.ts"
import { area, type FileContext } from "./kit/area.ts"

const shownResponse = {
  schema: responseRecord,
  json: ({ form, response }: { form: Form; response: FollowedResponse }) => followUpJson(form, response),
}
const shownWithNotes = {
  schema: followedRecord,
  json: ({ form, response }: { form: Form; response: FollowedResponse }) => ({
    ...followUpJson(form, response),
    notes: response.notes.map(noteJson),
  }),
}

/** The `data` of the message, and how far the workspace is with it. */
function followUpJson(form: Form, response: FollowedResponse) {
  const { progress, assignee, files } = response
  return { ...describeResponse(form, response), progress, assignee, files: files.map(fileJson) }
}

export function responseRoutes(deps: FormDeps & { exports: Exports }) {
  const { db, clock, exports, config } = deps
  const { bearer, performs, shows, lists, downloads } = area(deps, "forms")

  const file =
    (format: TableFormat) =>
    (form: Form, { request, query, token }: FileContext<Static<typeof responseQuery>>) => {
      const table = responsesTable(db, form, filterFromQuery(query), config.timezone)
      const at = { timezone: config.timezone, nowMs: clock.now() }
      const name = fileName(["messages", form.name], format, at)
      return exports.reply(request, token.id, name, responseTables[format](table))
    }

  return new Elysia({ name: "responses" })
    .use(bearer)
    .get(
      "/:id/responses",
      ...lists(
        shownResponse,
        async ({ query, ...call }, { after, atMost }) => {
          const form = await formOfCall(db, call)
          const of = { projectId: form.projectId, formId: form.id }
          const part = { after, atMost: atMost - 1 }
          const { rows, next } = await listResponsesPage(db, of, filterFromQuery(query), part)
          const followed = await withNotes(db, rows)
          return { rows: followed.map((response) => ({ form, response })), next }
        },
        { query: responseQuery },
      ),
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
      ...shows(shownWithNotes, async (call) =>
        requireFollowed(db, await formOfCall(db, call), idOf(call, "response")),
      ),
    )
    .get(
      "/:id/responses/:responseId/files/:fileId",
      ...downloads(openFile, {
        type: "application/octet-stream",
        query: Type.Object({}),
        // The response says its type.
        file: (file) => fileReply({ ...file, mediaType: "application/octet-stream" }),
      }),
    )
    .patch("/:id/responses/:responseId", ...performs(changeResponse, { status: 200, ...shownWithNotes }))
    .post(
      "/:id/responses/:responseId/notes",
      ...performs(addNote, { status: 201, ...shownWithNotes, refuses: [409], isReplyPersonal: true }),
    )
    .delete("/:id/responses/:responseId/notes/:noteId", ...performs(removeNote))
    .delete("/:id/responses/:responseId", ...performs(eraseResponse))
    .post(
      "/:id/responses/:responseId/acceptance",
      ...performs(acceptResponse, { status: 200, ...shownResponse, refuses: [409], isPersonal: true }),
    )
}
