import { Elysia } from "elysia"
import { Refusal } from "../base/errors.ts"
import { formsPages } from "./forms/forms.tsx"
import { oneFormPages } from "./forms/one-form.tsx"
import { personsPages } from "./forms/persons.tsx"
import { responsesPages } from "./forms/responses.tsx"
import { indexingPages } from "./indexing/indexing.tsx"
import { assetRoutes } from "./kit/assets.ts"
import { type ConsoleParts, openDoor } from "./kit/door.ts"
import { messages } from "./messages/shell.fr.ts"
import { projectPages } from "./projects/project.tsx"
import { projectsPages } from "./projects/projects.tsx"
import { questionPages } from "./questions/questions.tsx"
import { healthPages } from "./settings/health.tsx"
import { journalPages } from "./settings/journal.tsx"
import { newWorkspacePages } from "./settings/new-workspace.tsx"
import { operatorsPages } from "./settings/operators.tsx"
import { settingsPages } from "./settings/settings.tsx"
import { tokensPages } from "./settings/tokens.tsx"
import { accountPages } from "./sign-in/account.tsx"
import { invitationRoutes } from "./sign-in/invitation.tsx"
import { setupRoutes } from "./sign-in/setup.tsx"
import { signInRoutes } from "./sign-in/sign-in.ts"
import { workspaceRoutes } from "./sign-in/workspace.ts"
import { deliveriesPages } from "./webhooks/deliveries.tsx"
import { deliveryPages } from "./webhooks/delivery.tsx"
import { endpointPages } from "./webhooks/endpoint.tsx"
import { webhooksPages } from "./webhooks/webhooks.tsx"

/** `/console`: every page and action of operators, one `.use()` per page. */
export function consoleRoutes(parts: ConsoleParts) {
  const door = openDoor(parts)
  return new Elysia({ name: "console" })
    .use(assetRoutes())
    .use(signInRoutes(door, parts))
    .use(setupRoutes(parts))
    .use(invitationRoutes(door, parts))
    .use(workspaceRoutes(door, parts))
    .use(projectsPages(door, parts))
    .use(projectPages(door, parts))
    .use(indexingPages(door, parts))
    .use(questionPages(door, parts))
    .use(formsPages(door, parts))
    .use(responsesPages(door, parts))
    .use(oneFormPages(door, parts))
    .use(personsPages(door, parts))
    .use(webhooksPages(door, parts))
    .use(endpointPages(door, parts))
    .use(deliveriesPages(door, parts))
    .use(deliveryPages(door, parts))
    .use(settingsPages(door, parts))
    .use(newWorkspacePages(door, parts))
    .use(healthPages(door, parts))
    .use(operatorsPages(door, parts))
    .use(tokensPages(door, parts))
    .use(accountPages(door, parts))
    .use(journalPages(door, parts))
    .get(
      "/console/*",
      door.page(() => {
        throw new Refusal("not_found", messages.unknownPage)
      }),
    )
}
