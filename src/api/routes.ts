import { type Address, type Check, type Handler, type Route, routeAt } from "../http/routes.ts"
import type { AnyOperation } from "../operations/operation.ts"
import { requireScopes } from "../operations/perform.ts"
import { type Scope, scopes } from "../operations/scope.ts"
import { answerHandlers } from "./answers.ts"
import { checkHandlers } from "./checks.ts"
import { chosenAnswerHandlers } from "./chosen-answers.ts"
import { deliveryHandlers } from "./deliveries.ts"
import { endpointHandlers } from "./endpoints.ts"
import { evaluationHandlers } from "./evaluation.ts"
import { responseHandlers } from "./form-responses.ts"
import { formHandlers } from "./forms.ts"
import { gapHandlers } from "./gaps.ts"
import { indexingHandlers, uploadHandlers } from "./indexing.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { bearer } from "./kit/bearer.ts"
import type { TokenContext } from "./kit/handlers.ts"
import { messageHandlers } from "./messages.ts"
import { operatorHandlers } from "./operators.ts"
import { personHandlers } from "./personal-data.ts"
import { projectHandlers } from "./projects.ts"
import { type ReferenceDeps, referenceHandlers } from "./reference/reference.ts"
import { metricsHandler, serviceHandlers } from "./service.ts"
import { synonymHandlers } from "./synonyms.ts"
import { tokenHandlers } from "./tokens.ts"
import { widgetSettingsHandlers } from "./widget-settings.ts"
import { workspaceHandlers } from "./workspaces.ts"

/**
 * The route table of the management API. A right is the scope that a token needs; an operation may need more
 * (`needs`).
 */
function table(deps: ApiDeps, served: ReferenceDeps): Record<Address, readonly [Right, ApiHandler]> {
  const reference = referenceHandlers(deps, served)
  const projects = projectHandlers(deps)
  const indexing = indexingHandlers(deps)
  const uploads = uploadHandlers(deps)
  const synonyms = synonymHandlers(deps)
  const widget = widgetSettingsHandlers(deps)
  const answers = answerHandlers(deps)
  const chosen = chosenAnswerHandlers(deps)
  const gaps = gapHandlers(deps)
  const evaluation = evaluationHandlers(deps)
  const tokens = tokenHandlers(deps)
  const operators = operatorHandlers(deps)
  const service = serviceHandlers(deps)
  const checks = checkHandlers(deps)
  const workspaces = workspaceHandlers(deps)
  const endpoints = endpointHandlers(deps)
  const deliveries = deliveryHandlers(deps)
  const messages = messageHandlers(deps)
  const forms = formHandlers(deps)
  const responses = responseHandlers(deps)
  const persons = personHandlers(deps)

  return {
    // A server without a metrics token has no metrics to read.
    ...(deps.config.secrets.metricsToken && {
      "GET /metrics": ["metrics token", metricsHandler(deps)],
    }),
    "GET /api/v1/openapi.json": ["anyone", reference.json],
    "GET /api/v1/docs": ["anyone", reference.page],
    "GET /api/v1/docs/:page": ["anyone", reference.page],
    "GET /api/v1/projects": ["projects:read", projects.list],
    "POST /api/v1/projects": ["projects:write", projects.add],
    "GET /api/v1/projects/:id": ["projects:read", projects.show],
    "PATCH /api/v1/projects/:id": ["projects:write", projects.change],
    "DELETE /api/v1/projects/:id": ["projects:write", projects.remove],
    "GET /api/v1/projects/:id/feeds": ["projects:read", indexing.listFeeds],
    "POST /api/v1/projects/:id/feeds": ["projects:write", indexing.addFeed],
    "GET /api/v1/projects/:id/feeds/:feedId": ["projects:read", indexing.showFeed],
    "PATCH /api/v1/projects/:id/feeds/:feedId": ["projects:write", indexing.changeFeed],
    "DELETE /api/v1/projects/:id/feeds/:feedId": ["projects:write", indexing.removeFeed],
    "GET /api/v1/projects/:id/index-runs": ["projects:read", indexing.listRuns],
    "POST /api/v1/projects/:id/index-runs": ["projects:write", indexing.startRun],
    "GET /api/v1/projects/:id/documents": ["projects:read", indexing.listDocuments],
    "GET /api/v1/projects/:id/pages/:pageId": ["projects:read", indexing.showPage],
    "GET /api/v1/projects/:id/left-out-pages": ["projects:read", indexing.listLeftOut],
    "GET /api/v1/projects/:id/feeds/:feedId/uploads": ["projects:read", uploads.list],
    "POST /api/v1/projects/:id/feeds/:feedId/uploads": ["projects:write", uploads.add],
    "DELETE /api/v1/projects/:id/feeds/:feedId/uploads/:uploadId": ["projects:write", uploads.remove],
    "GET /api/v1/projects/:id/synonyms": ["projects:read", synonyms.list],
    "POST /api/v1/projects/:id/synonyms": ["projects:write", synonyms.add],
    "DELETE /api/v1/projects/:id/synonyms/:synonymId": ["projects:write", synonyms.remove],
    "GET /api/v1/projects/:id/widget-settings": ["projects:read", widget.show],
    "PATCH /api/v1/projects/:id/widget-settings": ["projects:write", widget.change],
    "GET /api/v1/projects/:id/answers": ["answers:read", answers.list],
    "GET /api/v1/projects/:id/answers.csv": ["answers:read", answers.csv],
    "GET /api/v1/projects/:id/answers/:answerId": ["answers:read", answers.show],
    "DELETE /api/v1/projects/:id/answers/:answerId": ["answers:write", answers.remove],
    "GET /api/v1/projects/:id/answer-statistics": ["answers:read", answers.statistics],
    "POST /api/v1/projects/:id/trials": ["answers:write", answers.trial],
    "GET /api/v1/projects/:id/chosen-answers": ["answers:read", chosen.list],
    "POST /api/v1/projects/:id/chosen-answers": ["answers:write", chosen.add],
    "GET /api/v1/projects/:id/chosen-answers/:chosenId": ["answers:read", chosen.show],
    "PATCH /api/v1/projects/:id/chosen-answers/:chosenId": ["answers:write", chosen.change],
    "DELETE /api/v1/projects/:id/chosen-answers/:chosenId": ["answers:write", chosen.remove],
    "GET /api/v1/projects/:id/gaps": ["answers:read", gaps.list],
    "PATCH /api/v1/projects/:id/gaps/:gapId": ["answers:write", gaps.mark],
    "GET /api/v1/projects/:id/gap-mails": ["answers:read", gaps.mails],
    "PUT /api/v1/projects/:id/gap-mails": ["answers:write", gaps.changeMails],
    "GET /api/v1/projects/:id/evaluation-questions": ["answers:read", evaluation.listQuestions],
    "POST /api/v1/projects/:id/evaluation-questions": ["answers:write", evaluation.addQuestion],
    "DELETE /api/v1/projects/:id/evaluation-questions/:questionId": [
      "answers:write",
      evaluation.removeQuestion,
    ],
    "GET /api/v1/projects/:id/evaluation-runs": ["answers:read", evaluation.listRuns],
    "POST /api/v1/projects/:id/evaluation-runs": ["answers:write", evaluation.startRun],
    "GET /api/v1/projects/:id/evaluation-runs/:runId": ["answers:read", evaluation.showRun],
    "PATCH /api/v1/projects/:id/evaluation-runs/:runId": ["answers:write", evaluation.acceptRun],
    "GET /api/v1/tokens": ["workspace:read", tokens.list],
    "POST /api/v1/tokens": ["workspace:write", tokens.add],
    "GET /api/v1/tokens/:id": ["workspace:read", tokens.show],
    "PATCH /api/v1/tokens/:id": ["workspace:write", tokens.change],
    "DELETE /api/v1/tokens/:id": ["workspace:write", tokens.remove],
    "GET /api/v1/operators": ["workspace:read", operators.list],
    "POST /api/v1/operators": ["workspace:write", operators.invite],
    "GET /api/v1/operators/:id": ["workspace:read", operators.show],
    "PATCH /api/v1/operators/:id": ["workspace:write", operators.change],
    "DELETE /api/v1/operators/:id": ["workspace:write", operators.remove],
    "PUT /api/v1/operators/:id/password": ["workspace:write", operators.changePassword],
    "POST /api/v1/operators/:id/password-links": ["workspace:write", operators.addPasswordLink],
    "DELETE /api/v1/operators/:id/sessions": ["workspace:write", operators.signOut],
    "GET /api/v1/service": ["workspace:read", service.show],
    "POST /api/v1/mail-tests": ["workspace:write", service.testMail],
    "GET /api/v1/checks": ["workspace:read", checks.show],
    "GET /api/v1/workspaces": ["workspace:read", workspaces.list],
    "POST /api/v1/workspaces": ["workspace:write", workspaces.add],
    "GET /api/v1/workspaces/:id": ["workspace:read", workspaces.show],
    "PATCH /api/v1/workspaces/:id": ["workspace:write", workspaces.change],
    "DELETE /api/v1/workspaces/:id": ["workspace:write", workspaces.remove],
    "GET /api/v1/usage": ["workspace:read", workspaces.usage],
    "GET /api/v1/journal": ["workspace:read", workspaces.journal],
    "GET /api/v1/endpoints": ["endpoints:read", endpoints.list],
    "POST /api/v1/endpoints": ["endpoints:write", endpoints.add],
    "GET /api/v1/endpoints/:id": ["endpoints:read", endpoints.show],
    "PATCH /api/v1/endpoints/:id": ["endpoints:write", endpoints.change],
    "DELETE /api/v1/endpoints/:id": ["endpoints:write", endpoints.remove],
    "GET /api/v1/endpoints/:id/requests": ["endpoints:read", endpoints.requests],
    "POST /api/v1/endpoints/:id/secret-rotations": ["endpoints:write", endpoints.rotateSecret],
    "GET /api/v1/endpoints/:id/deliveries": ["endpoints:read", deliveries.list],
    "POST /api/v1/endpoints/:id/tests": ["endpoints:write", deliveries.test],
    "POST /api/v1/endpoints/:id/replays": ["endpoints:write", deliveries.replay],
    "POST /api/v1/endpoints/:id/replay-cancellations": ["endpoints:write", deliveries.cancelReplay],
    "GET /api/v1/deliveries/:id": ["endpoints:read", deliveries.show],
    "POST /api/v1/deliveries/:id/attempts": ["endpoints:write", deliveries.resend],
    "POST /api/v1/deliveries/:id/cancellations": ["endpoints:write", deliveries.cancel],
    "GET /api/v1/messages": ["messages:read", messages.poll],
    "GET /api/v1/forms": ["forms:read", forms.list],
    "POST /api/v1/forms": ["forms:write", forms.add],
    "GET /api/v1/forms/:id": ["forms:read", forms.show],
    "PATCH /api/v1/forms/:id": ["forms:write", forms.change],
    "DELETE /api/v1/forms/:id": ["forms:write", forms.remove],
    "POST /api/v1/forms/:id/notice-links": ["forms:write", forms.sendNoticeLink],
    "GET /api/v1/forms/:id/html": ["forms:read", forms.html],
    "GET /api/v1/forms/:id/responses": ["forms:read", responses.list],
    "GET /api/v1/forms/:id/responses.csv": ["forms:read", responses.csv],
    "GET /api/v1/forms/:id/responses.xlsx": ["forms:read", responses.xlsx],
    "GET /api/v1/forms/:id/responses/:responseId": ["forms:read", responses.show],
    "GET /api/v1/forms/:id/responses/:responseId/files/:fileId": ["forms:read", responses.file],
    "PATCH /api/v1/forms/:id/responses/:responseId": ["forms:write", responses.change],
    "POST /api/v1/forms/:id/responses/:responseId/notes": ["forms:write", responses.addNote],
    "DELETE /api/v1/forms/:id/responses/:responseId/notes/:noteId": ["forms:write", responses.removeNote],
    "DELETE /api/v1/forms/:id/responses/:responseId": ["forms:write", responses.erase],
    "POST /api/v1/forms/:id/responses/:responseId/acceptance": ["forms:write", responses.accept],
    "POST /api/v1/exports": ["forms:write", persons.export],
    "POST /api/v1/erasures": ["forms:write", persons.erase],
  }
}

type Right = Scope | "anyone" | "metrics token"

type ApiHandler = Handler | Handler["handle"]

export function apiRoutes(deps: ApiDeps, served: ReferenceDeps): Route[] {
  return Object.entries(table(deps, served)).map(([address, [right, handler]]) =>
    routeAt(address, right, handler, checksOf(deps, right, "operation" in handler && handler.operation)),
  )
}

/** They run before the body is read: who may not do it learns nothing of what it takes. */
function checksOf(deps: ApiDeps, right: Right, operation: object | undefined | false): Check[] {
  if (!isScope(right)) return []
  const { needs } = (operation || { needs: [] }) as Pick<AnyOperation, "needs">
  return [bearer(deps, right), ({ token }: TokenContext) => requireScopes(needs, token.scopes)]
}

function isScope(right: Right): right is Scope {
  return scopes.includes(right)
}
