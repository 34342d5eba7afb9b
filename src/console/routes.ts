import { Elysia } from "elysia"
import { Refusal } from "../errors.ts"
import { accountPages } from "./account.tsx"
import { assetRoutes } from "./assets.ts"
import { deliveriesPages } from "./deliveries.tsx"
import { deliveryPages } from "./delivery.tsx"
import { type ConsoleParts, openDoor } from "./door.ts"
import { endpointPages } from "./endpoint.tsx"
import { formsPages } from "./forms.tsx"
import { healthPages } from "./health.tsx"
import { indexingPages } from "./indexing.tsx"
import { invitationRoutes } from "./invitation.tsx"
import { journalPages } from "./journal.tsx"
import { newWorkspacePages } from "./new-workspace.tsx"
import { oneFormPages } from "./one-form.tsx"
import { operatorsPages } from "./operators.tsx"
import { personsPages } from "./persons.tsx"
import { projectPages } from "./project.tsx"
import { projectsPages } from "./projects.tsx"
import { questionPages } from "./questions.tsx"
import { responsesPages } from "./responses.tsx"
import { sentences } from "./sentences/shell.ts"
import { settingsPages } from "./settings.tsx"
import { setupRoutes } from "./setup.tsx"
import { signInRoutes } from "./sign-in.ts"
import { tokensPages } from "./tokens.tsx"
import { webhooksPages } from "./webhooks.tsx"
import { workspaceRoutes } from "./workspace.ts"

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
        throw new Refusal("not_found", sentences.unknownPage)
      }),
    )
}
