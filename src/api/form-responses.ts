import { type Static, Type } from "@sinclair/typebox"
import type { Form } from "../forms/definition/form.ts"
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
import { xlsxType } from "../http/csv.ts"
import { fileName } from "../http/file-name.ts"
import { idOf } from "../operations/operation.ts"
import { fileReply } from "../storage/file-reply.ts"
import { responsesTable, responseTables, type TableFormat } from "../wording/response-tables.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { type FileContext, handlers } from "./kit/handlers.ts"

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

export function responseHandlers(deps: ApiDeps) {
  const { db, clock, exports, config } = deps
  const { performs, shows, lists, downloads } = handlers(deps)

  const file =
    (format: TableFormat) =>
    (form: Form, { request, query, token }: FileContext<Static<typeof responseQuery>>) => {
      const table = responsesTable(db, form, filterFromQuery(query), config.timezone)
      const at = { timezone: config.timezone, nowMs: clock.now() }
      const name = fileName(["messages", form.name], format, at)
      return exports.reply(request, token.id, name, responseTables[format](table))
    }

  return {
    list: lists(
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
    csv: downloads(exportResponses, { type: "text/csv", query: responseQuery, file: file("csv") }),
    xlsx: downloads(exportResponses, { type: xlsxType, query: responseQuery, file: file("xlsx") }),
    show: shows(shownWithNotes, async (call) =>
      requireFollowed(db, await formOfCall(db, call), idOf(call, "response")),
    ),
    file: downloads(openFile, {
      type: "application/octet-stream",
      query: Type.Object({}),
      // The response says its type.
      file: (file) => fileReply({ ...file, mediaType: "application/octet-stream" }),
    }),
    change: performs(changeResponse, { status: 200, ...shownWithNotes }),
    addNote: performs(addNote, { status: 201, ...shownWithNotes, refuses: [409], isReplyPersonal: true }),
    removeNote: performs(removeNote),
    erase: performs(eraseResponse),
    accept: performs(acceptResponse, { status: 200, ...shownResponse, refuses: [409], isPersonal: true }),
  }
}
