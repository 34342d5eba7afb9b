import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

/** The management API route for each action and download of the console, or the reason why there is none. */
const byToken: Record<string, string> = {
  "POST /console/sign-in": "a token needs no session",
  "POST /console/sign-out": "a token needs no session",
  "POST /console/setup/:link": "POST /api/v1/operators",
  "POST /console/invitations/:link": "who is invited says yes in person",
  "POST /console/invitations/:link/acceptance": "who is invited says yes in person",
  "POST /console/password-reset": "a token has no password",
  "POST /console/password-reset/:link": "who was sent the link chooses in person",
  "POST /console/account/sessions/:session/removal": "a token has no session",
  "POST /console/account/sessions/removal": "a token has no session",
  "POST /console/sign-in/second-step": "a token needs no session",
  "POST /console/sign-in/passkey": "a token needs no session",
  "POST /console/account/passkeys": "a token has no passkey",
  "POST /console/account/passkeys/removal": "a token has no passkey",
  "POST /console/account/two-factor": "a token has no second factor",
  "POST /console/account/two-factor/removal": "a token has no second factor",
  "POST /console/account/two-factor/recovery-codes": "a token has no second factor",
  "POST /console/settings/second-factor": "PATCH /api/v1/workspaces/:id",
  "POST /console/workspace": "a token opens one workspace",
  "POST /console/projects": "POST /api/v1/projects",
  "POST /console/projects/:project/settings": "PATCH /api/v1/projects/:id",
  "POST /console/projects/:project/removal": "DELETE /api/v1/projects/:id",
  "POST /console/projects/:project/trials": "POST /api/v1/projects/:id/trials",
  "POST /console/projects/:project/indexing/feeds": "POST /api/v1/projects/:id/feeds",
  "POST /console/projects/:project/indexing/feeds/:feed/removal": "DELETE /api/v1/projects/:id/feeds/:feedId",
  "POST /console/projects/:project/indexing/readings": "POST /api/v1/projects/:id/index-runs",
  "POST /console/projects/:project/appearance": "PATCH /api/v1/projects/:id/widget-settings",
  "POST /console/projects/:project/synonyms": "POST /api/v1/projects/:id/synonyms",
  "POST /console/projects/:project/synonyms/:synonym/removal":
    "DELETE /api/v1/projects/:id/synonyms/:synonymId",
  "POST /console/projects/:project/indexing/schedule": "PATCH /api/v1/projects/:id",
  "POST /console/projects/:project/messages/read": "what is unread is unread to the people of the console",
  "POST /console/projects/:project/forms/:form/responses/:response/unread":
    "what is unread is unread to the people of the console",
  "GET /console/projects/:project/questions/questions.csv": "GET /api/v1/projects/:id/answers.csv",
  "POST /console/projects/:project/questions/gaps/marks": "PATCH /api/v1/projects/:id/gaps/:gapId",
  "POST /console/projects/:project/questions/gaps/trials": "POST /api/v1/projects/:id/trials",
  "POST /console/projects/:project/questions/gaps/mails": "PUT /api/v1/projects/:id/gap-mails",
  "POST /console/projects/:project/questions/chosen": "POST /api/v1/projects/:id/chosen-answers",
  "POST /console/projects/:project/questions/chosen/:answer":
    "PATCH /api/v1/projects/:id/chosen-answers/:chosenId",
  "POST /console/projects/:project/questions/chosen/:answer/removal":
    "DELETE /api/v1/projects/:id/chosen-answers/:chosenId",
  "POST /console/projects/:project/questions/evaluation": "POST /api/v1/projects/:id/evaluation-questions",
  "POST /console/projects/:project/questions/evaluation/imports":
    "POST /api/v1/projects/:id/evaluation-questions",
  "POST /console/projects/:project/questions/evaluation/:question/removal":
    "DELETE /api/v1/projects/:id/evaluation-questions/:questionId",
  "POST /console/projects/:project/questions/evaluation/runs": "POST /api/v1/projects/:id/evaluation-runs",
  "POST /console/projects/:project/questions/evaluation/runs/:run/acceptance":
    "PATCH /api/v1/projects/:id/evaluation-runs/:runId",
  "POST /console/projects/:project/forms/new": "POST /api/v1/forms",
  "POST /console/projects/:project/forms/preview": "shows what is typed, and changes nothing",
  "POST /console/projects/:project/forms/:form/page": "PATCH /api/v1/forms/:id",
  "POST /console/projects/:project/forms/:form/settings": "PATCH /api/v1/forms/:id",
  "POST /console/projects/:project/forms/:form/removal": "DELETE /api/v1/forms/:id",
  "GET /console/projects/:project/forms/:form/responses.csv": "GET /api/v1/forms/:id/responses.csv",
  "GET /console/projects/:project/forms/:form/responses.xlsx": "GET /api/v1/forms/:id/responses.xlsx",
  "POST /console/projects/:project/forms/:form/responses/:response/acceptance":
    "POST /api/v1/forms/:id/responses/:responseId/acceptance",
  "POST /console/projects/:project/forms/:form/responses/:response/erasure":
    "DELETE /api/v1/forms/:id/responses/:responseId",
  "POST /console/persons": "POST /api/v1/exports",
  "POST /console/persons/export": "POST /api/v1/exports",
  "POST /console/persons/erasure": "POST /api/v1/erasures",
  "POST /console/webhooks": "POST /api/v1/endpoints",
  "POST /console/webhooks/:endpoint": "PATCH /api/v1/endpoints/:id",
  "POST /console/webhooks/:endpoint/removal": "DELETE /api/v1/endpoints/:id",
  "POST /console/webhooks/:endpoint/secret": "POST /api/v1/endpoints/:id/secret-rotations",
  "POST /console/deliveries/:delivery/cancellation": "POST /api/v1/deliveries/:id/cancellations",
  "POST /console/webhooks/:endpoint/test": "POST /api/v1/endpoints/:id/tests",
  "POST /console/webhooks/:endpoint/replays": "POST /api/v1/endpoints/:id/replays",
  "POST /console/webhooks/:endpoint/replay/cancel": "POST /api/v1/endpoints/:id/replay-cancellations",
  "POST /console/webhooks/:endpoint/replay/test": "POST /api/v1/endpoints/:id/tests",
  "POST /console/webhooks/:endpoint/requests": "POST /api/v1/endpoints/:id/tests",
  "POST /console/webhooks/:endpoint/answer": "PATCH /api/v1/endpoints/:id",
  "POST /console/webhooks/test-receiver": "POST /api/v1/endpoints",
  "POST /console/webhooks/:endpoint/deliveries": "POST /api/v1/deliveries/:id/attempts",
  "POST /console/deliveries": "POST /api/v1/deliveries/:id/attempts",
  "POST /console/deliveries/:delivery": "POST /api/v1/deliveries/:id/attempts",
  "POST /console/settings/workspace": "PATCH /api/v1/workspaces/:id",
  "POST /console/settings/workspaces": "POST /api/v1/workspaces",
  "POST /console/settings/mail": "POST /api/v1/mail-tests",
  "GET /console/settings/health": "GET /api/v1/checks",
  "POST /console/settings/operators": "POST /api/v1/operators",
  "POST /console/settings/operators/:operator": "PATCH /api/v1/operators/:id",
  "POST /console/settings/operators/:operator/password-link": "POST /api/v1/operators/:id/password-links",
  "POST /console/settings/operators/:operator/removal": "DELETE /api/v1/operators/:id",
  "POST /console/settings/tokens": "POST /api/v1/tokens",
  "POST /console/settings/tokens/:token/removal": "DELETE /api/v1/tokens/:id",
  "POST /console/settings/password": "PUT /api/v1/operators/:id/password",
  "POST /console/settings/account/removal": "a token has no account",
  "POST /console/projects/:project/appearance/preview/:typed/api/v1/ask":
    "shows what is typed, and changes nothing",
  "POST /console/projects/:project/appearance/preview/:typed/api/v1/search":
    "shows what is typed, and changes nothing",
  "POST /console/projects/:project/indexing/feeds/:feed": "PATCH /api/v1/projects/:id/feeds/:feedId",
  "POST /console/projects/:project/indexing/feeds/:feed/uploads":
    "POST /api/v1/projects/:id/feeds/:feedId/uploads",
  "POST /console/projects/:project/indexing/feeds/:feed/uploads/:upload/removal":
    "DELETE /api/v1/projects/:id/feeds/:feedId/uploads/:uploadId",
  "POST /console/projects/:project/questions/chosen/listing": "PATCH /api/v1/projects/:id",
  "POST /console/projects/:project/forms/:form/responses/:response/follow-up":
    "PATCH /api/v1/forms/:id/responses/:responseId",
  "POST /console/projects/:project/forms/:form/responses/:response/notes":
    "POST /api/v1/forms/:id/responses/:responseId/notes",
  "POST /console/projects/:project/forms/:form/responses/:response/notes/:note/removal":
    "DELETE /api/v1/forms/:id/responses/:responseId/notes/:noteId",
  "POST /console/settings/operators/:operator/second-factor-removal": "a token has no password to prove",
  "POST /console/projects/:project/forms/:form/notice-links": "POST /api/v1/forms/:id/notice-links",
}

let service: Service

beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

test("every action of the console has its route in the management API", () => {
  const done = service.routes.filter((route) => /^POST \/console|^GET \/console.*\.(csv|xlsx)$/.test(route))
  expect(done.filter((route) => !byToken[route])).toEqual([])
  const gone = Object.entries(byToken).filter(
    ([action, route]) =>
      !service.routes.includes(action) || (/^[A-Z]+ \//.test(route) && !service.routes.includes(route)),
  )
  expect(gone).toEqual([])
})
