import { Elysia } from "elysia"
import { Refusal } from "../base/errors.ts"
import { appearancePages } from "./appearance/appearance.tsx"
import { embedPages } from "./forms/embed.tsx"
import { formsPages } from "./forms/forms.tsx"
import { oneFormPages } from "./forms/one-form.tsx"
import { personsPages } from "./forms/persons.tsx"
import { openFigures } from "./home/figures.ts"
import { projectHomePages } from "./home/project-home.tsx"
import { workspaceHomePages } from "./home/workspace-home.tsx"
import { indexingPages } from "./indexing/indexing.tsx"
import { readPagePages } from "./indexing/read-page.tsx"
import { assetRoutes } from "./kit/assets.ts"
import type { ConsoleDeps } from "./kit/console-deps.ts"
import { createPageHandlers } from "./kit/page-handlers.ts"
import { messages } from "./messages/shell.fr.ts"
import { projectSettingsPages } from "./projects/project-settings.tsx"
import { projectsPages } from "./projects/projects.tsx"
import { synonymsPages } from "./projects/synonyms.tsx"
import { trialPages } from "./projects/trials.tsx"
import { chosenPages } from "./questions/chosen-answers.tsx"
import { evaluationPages } from "./questions/evaluation.tsx"
import { gapPages } from "./questions/gaps.tsx"
import { questionPages } from "./questions/questions.tsx"
import { formResponsesPages } from "./responses/form-responses.tsx"
import { projectResponsesPages } from "./responses/project-responses.tsx"
import { responsePages } from "./responses/response.tsx"
import { auditLogPages } from "./settings/audit-log.tsx"
import { healthPages } from "./settings/health.tsx"
import { operatorsPages } from "./settings/operators.tsx"
import { settingsPages } from "./settings/settings.tsx"
import { tokensPages } from "./settings/tokens.tsx"
import { accountPages } from "./sign-in/account.tsx"
import { invitationRoutes } from "./sign-in/invitation.tsx"
import { setupRoutes } from "./sign-in/setup.tsx"
import { signInRoutes } from "./sign-in/sign-in.ts"
import { deliveriesPages } from "./webhooks/deliveries.tsx"
import { deliveryPages } from "./webhooks/delivery.tsx"
import { endpointPages } from "./webhooks/endpoint.tsx"
import { replayPages } from "./webhooks/replay.tsx"
import { requestsPages } from "./webhooks/requests.tsx"
import { webhooksPages } from "./webhooks/webhooks.tsx"
import { newWorkspacePages } from "./workspaces/new-workspace.tsx"
import { switchRoutes } from "./workspaces/switch.ts"
import { workspacesPages } from "./workspaces/workspaces.tsx"

/** Routes under `/console`: every page and action for operators, one `.use()` per page. */
export function consoleRoutes(deps: ConsoleDeps) {
  const handlers = createPageHandlers(deps)
  const { readFigures, questionsOf } = openFigures(deps.db, deps.config.timezone)
  return new Elysia({ name: "console" })
    .use(assetRoutes())
    .use(signInRoutes(handlers, deps))
    .use(setupRoutes(deps))
    .use(invitationRoutes(handlers, deps))
    .use(switchRoutes(handlers, deps))
    .use(workspacesPages(handlers, deps, questionsOf))
    .use(projectsPages(handlers, deps))
    .use(workspaceHomePages(handlers, deps, readFigures))
    .use(projectHomePages(handlers, deps, readFigures))
    .use(projectSettingsPages(handlers, deps))
    .use(trialPages(handlers, deps))
    .use(indexingPages(handlers, deps))
    .use(readPagePages(handlers, deps))
    .use(synonymsPages(handlers, deps))
    .use(appearancePages(handlers, deps))
    .use(questionPages(handlers, deps))
    .use(gapPages(handlers, deps))
    .use(chosenPages(handlers, deps))
    .use(evaluationPages(handlers, deps))
    .use(formsPages(handlers, deps))
    .use(projectResponsesPages(handlers, deps))
    .use(formResponsesPages(handlers, deps))
    .use(responsePages(handlers, deps))
    .use(oneFormPages(handlers, deps))
    .use(embedPages(handlers, deps))
    .use(personsPages(handlers, deps))
    .use(webhooksPages(handlers, deps))
    .use(endpointPages(handlers, deps))
    .use(deliveriesPages(handlers, deps))
    .use(deliveryPages(handlers, deps))
    .use(replayPages(handlers, deps))
    .use(requestsPages(handlers, deps))
    .use(settingsPages(handlers, deps, questionsOf))
    .use(newWorkspacePages(handlers, deps))
    .use(healthPages(handlers, deps))
    .use(operatorsPages(handlers, deps))
    .use(tokensPages(handlers, deps))
    .use(accountPages(handlers))
    .use(auditLogPages(handlers, deps))
    .get(
      "/console/*",
      handlers.page(() => {
        throw new Refusal("not_found", messages.unknownPage)
      }),
    )
}
