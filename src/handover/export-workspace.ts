import { listProjects, type Project } from "../accounts/project.ts"
import { newProject } from "../accounts/projects/record.ts"
import { widgetChange } from "../accounts/widget/record.ts"
import { findWidgetSettings } from "../accounts/widget/settings.ts"
import type { Workspace } from "../accounts/workspace.ts"
import { endpointShown } from "../api/endpoints.ts"
import { formShownAt } from "../api/forms.ts"
import { shownFeed } from "../api/indexing.ts"
import { projectShown } from "../api/projects.ts"
import type { App } from "../app.ts"
import { isoTime } from "../base/clock.ts"
import { type Form, listFormsPage } from "../forms/definition/form.ts"
import { newForm } from "../forms/definition/record.ts"
import { type FollowedResponse, withNotes } from "../forms/responses/follow-up.ts"
import { listResponsesPage } from "../forms/responses/list-responses.ts"
import { allSynonymGroups } from "../index/synonyms/synonym-group.ts"
import { listChosenAnswers } from "../owners/chosen/chosen-answer.ts"
import { listSetQuestions } from "../owners/evaluation/question-set.ts"
import { listFeeds } from "../reading/feed.ts"
import { feedKinds } from "../reading/kinds/table.ts"
import { listUploads } from "../reading/kinds/upload/uploads.ts"
import { type Endpoint, listEndpoints } from "../webhooks/endpoints/endpoint.ts"
import { newEndpointOfKind } from "../webhooks/endpoints/record.ts"
import { fileVersion, type Line, pickedBy, type ResponseLine, states } from "./line.ts"
import { fileLines } from "./response-files.ts"

/** The address that a form is posted to is not read in again. */
const formShown = formShownAt("")

/** In base64 it is shorter than a line may be. */
const pieceBytes = 2 * 1024 * 1024

const portion = 100

/** No secret or header of an endpoint or feed, no operator or token, no question, and no message on its way. */
export async function* workspaceLines(
  app: Pick<App, "db" | "files">,
  { id: workspaceId, name }: Workspace,
  nowMs: number,
): AsyncGenerator<Line> {
  const { db } = app
  yield { workspace: { version: fileVersion, name, exported_at: isoTime(nowMs) } }
  const projects = await listProjects(db, workspaceId)
  // The oldest first, as they were added.
  for (const project of projects.reverse()) yield* projectLines(app, project)
  for (const endpoint of (await listEndpoints(db, workspaceId)).reverse())
    if (endpoint.kind === "https" && !hasNothing(endpoint)) yield { endpoint: endpointLine(endpoint) }
  // A copy that breaks off between two lines would be taken for a smaller workspace.
  yield { end: {} }
}

/** Each file in pieces, all but the last of which have `more`. */
async function* uploadLines(
  { db, files }: Pick<App, "db" | "files">,
  project: string,
  feed: string,
): AsyncGenerator<Line> {
  const never = new AbortController().signal
  for (const { name, file } of (await listUploads(db, feed)).reverse()) {
    let left = file.bytes
    for await (const content of files.content(file, never))
      for (let at = 0; at < content.length; at += pieceBytes) {
        const piece = Buffer.from(content.subarray(at, at + pieceBytes))
        left -= piece.length
        yield { upload: { project, feed, name, content: piece.toString("base64"), more: left > 0 } }
      }
  }
}

/** Values of own headers are never shown, and none is made without one. */
function endpointLine(endpoint: Endpoint): Record<string, unknown> {
  const { headers: _, ...line } = pickedBy(newEndpointOfKind.https, endpointShown.json(endpoint))
  return line
}

async function* projectLines(app: Pick<App, "db" | "files">, project: Project): AsyncGenerator<Line> {
  const { db } = app
  const { id } = project
  yield { project: { id, ...pickedBy(newProject, projectShown.json(project)) } }
  // Folders are those of this machine.
  for (const feed of await listFeeds(db, id)) {
    const { id: feedId, kind: name } = feed
    const { isLocal, usualAddress, input } = feedKinds[name]
    if (isLocal) continue
    // Values of own headers are never shown, and none is made without one.
    const { kind, address, ...json } = shownFeed.json(feed)
    const where = address === usualAddress ? {} : { address }
    yield { feed: { project: id, id: feedId, kind, ...where, ...pickedBy({ properties: input }, json) } }
    if (name === "upload") yield* uploadLines(app, id, feedId)
  }
  for (const { words } of await allSynonymGroups(db, id)) yield { synonyms: { project: id, words } }
  for (const { questions, answer, sources } of (await listChosenAnswers(db, id)).reverse())
    yield { chosen_answer: { project: id, questions, answer, sources } }
  for (const { question, page, text } of (await listSetQuestions(db, id)).reverse())
    yield { evaluation_question: { project: id, question, page, text } }
  for (let after: string | undefined; ; ) {
    const { rows, next } = await listFormsPage(db, project.workspaceId, {
      after,
      projectId: id,
      atMost: portion,
    })
    for (const form of rows) yield* formLines(app, form)
    if (next === null) break
    after = next
  }
  const { settings } = await findWidgetSettings(db, id)
  const { contact, ...look } = settings
  const widget = {
    ...look,
    state_site: look.stateSite,
    contact_form: contact?.formId ?? null,
    contact_field: contact?.field ?? null,
  }
  yield { widget: { project: id, ...pickedBy(widgetChange, widget) } }
}

async function* formLines(app: Pick<App, "db" | "files">, form: Form): AsyncGenerator<Line> {
  const { db } = app
  const { id, projectId } = form
  // `owner_mail` says in the words of before what `notify` says.
  const { owner_mail: _, ...described } = pickedBy(newForm, formShown.json(form))
  yield { form: { id, ...described, project: projectId } }
  for (const state of states)
    for (let after: string | undefined; ; ) {
      const { rows, next } = await listResponsesPage(
        db,
        { projectId, formId: id },
        { state },
        { after, atMost: portion },
      )
      for (const response of await withNotes(db, rows)) {
        yield { response: responseLine(response) }
        yield* fileLines(app, response.files)
      }
      if (next === null) break
      after = next
    }
}

/** Who has it stays behind: people are not handed over. */
function responseLine({ formId, consent, notes, ...response }: FollowedResponse): ResponseLine {
  return {
    form: formId,
    state: response.state,
    stopped_by: response.stoppedBy,
    values: Object.entries(response.values).map(([name, value]) => ({ name, value })),
    email: response.email,
    consent: consent && {
      status: consent.status,
      text: consent.text,
      at: isoTime(consent.at),
      confirmed_at: consent.confirmedAt === null ? null : isoTime(consent.confirmedAt),
    },
    page: response.page,
    created_at: isoTime(response.createdAt),
    read_at: response.readAt === null ? null : isoTime(response.readAt),
    progress: response.progress,
    notes: notes.map(({ author, note, createdAt }) => ({
      author,
      text: note,
      created_at: isoTime(createdAt),
    })),
  }
}

/** Whether it was for projects or forms that are gone: read in without any, it would get all messages. */
function hasNothing({ filtered, projects, forms }: Endpoint): boolean {
  return filtered && projects.length + forms.length === 0
}
