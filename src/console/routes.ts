import { openProvider, type ProviderDeps } from "../accounts/oidc/provider.ts"
import { Refusal } from "../base/errors.ts"
import { openRoutes, type Route } from "../http/routes.ts"
import { appearancePages } from "./appearance/appearance.tsx"
import { previewAnswers } from "./appearance/preview.tsx"
import { embedPages } from "./forms/embed.tsx"
import { formsPages } from "./forms/forms.tsx"
import { oneFormPages } from "./forms/one-form.tsx"
import { personsPages } from "./forms/persons.tsx"
import { openFigures } from "./home/figures.ts"
import { projectHomePages } from "./home/project-home.tsx"
import { workspaceHomePages } from "./home/workspace-home.tsx"
import { feedPages } from "./indexing/feed.tsx"
import { indexingPages } from "./indexing/indexing.tsx"
import { readPagePages } from "./indexing/read-page.tsx"
import { assetRoutes } from "./kit/assets.ts"
import type { ConsoleDeps } from "./kit/console-deps.ts"
import { openPages } from "./kit/page-handlers.ts"
import { words } from "./kit/words.fr.ts"
import { projectSettingsPages } from "./projects/project-settings.tsx"
import { projectsPages } from "./projects/projects.tsx"
import { synonymsPages } from "./projects/synonyms.tsx"
import { trialPages } from "./projects/trials.tsx"
import { chosenPages } from "./questions/chosen/chosen-answers.tsx"
import { evaluationPages } from "./questions/evaluation.tsx"
import { gapPages } from "./questions/gaps.tsx"
import { questionPages } from "./questions/questions.tsx"
import { responsePages } from "./responses/response.tsx"
import { responseListPages } from "./responses/response-list.tsx"
import { auditLogPages } from "./settings/audit-log.tsx"
import { healthPages } from "./settings/health.tsx"
import { lostFactorsPages } from "./settings/lost-factors.tsx"
import { operatorsPages } from "./settings/operators.tsx"
import { settingsPages } from "./settings/settings.tsx"
import { tokensPages } from "./settings/tokens.tsx"
import { accountPages } from "./sign-in/account.tsx"
import { identityPages } from "./sign-in/identity.tsx"
import { invitationPage } from "./sign-in/invitation.tsx"
import { oidcHandlers } from "./sign-in/oidc.tsx"
import { passkeyPages } from "./sign-in/passkeys.tsx"
import { passwordResetPages } from "./sign-in/password-reset.tsx"
import { setupPage } from "./sign-in/setup.tsx"
import { signInHandlers } from "./sign-in/sign-in.ts"
import "./style.ts"
import { twoFactorPages } from "./sign-in/two-factor.tsx"
import { deliveriesPages } from "./webhooks/deliveries.tsx"
import { deliveryPages } from "./webhooks/delivery.tsx"
import { endpointPages } from "./webhooks/endpoint.tsx"
import { recipesPages } from "./webhooks/recipes/recipes.tsx"
import { replayPages } from "./webhooks/replay.tsx"
import { requestsPages } from "./webhooks/requests.tsx"
import { webhooksPages } from "./webhooks/webhooks.tsx"
import { newWorkspacePages } from "./workspaces/new-workspace.tsx"
import { workspacesPages } from "./workspaces/workspaces.tsx"

/** Routes under `/console`: every page and action for operators, one line per page. */
export function consoleRoutes(given: Omit<ConsoleDeps, "provider"> & ProviderDeps) {
  const provider = openProvider(given)
  const deps: ConsoleDeps = { ...given, provider }
  const routes: Route[] = []
  const pages = openPages(deps, routes)
  const { readFigures, countQuestions } = openFigures(deps.db, deps.config.timezone)
  const preview = previewAnswers()
  const signIn = signInHandlers(pages, deps)
  const setup = setupPage(deps)
  const invitation = invitationPage(pages, deps)
  const passwordReset = passwordResetPages(deps)
  const oidc = provider && oidcHandlers(deps, provider)
  workspacesPages(pages, deps, countQuestions)
  projectsPages(pages, deps, countQuestions)
  workspaceHomePages(pages, deps, readFigures)
  projectHomePages(pages, deps, readFigures)
  projectSettingsPages(pages, deps)
  trialPages(pages, deps)
  indexingPages(pages, deps)
  feedPages(pages, deps)
  readPagePages(pages, deps)
  synonymsPages(pages, deps)
  appearancePages(pages, deps)
  questionPages(pages, deps)
  gapPages(pages, deps)
  chosenPages(pages, deps)
  evaluationPages(pages, deps)
  formsPages(pages, deps)
  responseListPages(pages, deps)
  responsePages(pages, deps)
  oneFormPages(pages, deps)
  embedPages(pages, deps)
  personsPages(pages, deps)
  webhooksPages(pages, deps)
  recipesPages(pages)
  endpointPages(pages, deps)
  deliveriesPages(pages, deps)
  deliveryPages(pages, deps)
  replayPages(pages, deps)
  requestsPages(pages, deps)
  settingsPages(pages, deps, countQuestions)
  newWorkspacePages(pages, deps)
  healthPages(pages, deps)
  operatorsPages(pages, deps)
  lostFactorsPages(pages, deps)
  tokensPages(pages, deps)
  accountPages(pages, deps)
  twoFactorPages(pages, deps)
  passkeyPages(pages, deps)
  if (provider) identityPages(pages, deps, provider)
  auditLogPages(pages, deps)
  pages.page("/console/*", () => {
    throw new Refusal("not_found", words.unknownPage)
  })
  return [
    ...routes,
    ...assetRoutes(),
    ...openRoutes({
      "POST /console/projects/:project/appearance/preview/:typed/api/v1/ask": ["anyone", preview.ask],
      "POST /console/projects/:project/appearance/preview/:typed/api/v1/search": ["anyone", preview.search],
      "GET /console/sign-in": ["anyone", signIn.show],
      "POST /console/sign-in": ["anyone", signIn.send],
      "POST /console/sign-in/second-step": ["anyone", signIn.sendCode],
      "POST /console/sign-in/passkey": ["anyone", signIn.sendPasskey],
      "GET /console/password-reset": ["anyone", passwordReset.show],
      "POST /console/password-reset": ["anyone", passwordReset.send],
      "GET /console/password-reset/:link": ["link", passwordReset.link.show],
      "POST /console/password-reset/:link": ["link", passwordReset.link.send],
      "GET /console/setup/:link": ["link", setup.show],
      "POST /console/setup/:link": ["link", setup.send],
      "GET /console/invitations/:link": ["link", invitation.show],
      "POST /console/invitations/:link": ["link", invitation.send],
    }),
    ...(oidc
      ? openRoutes({
          "GET /console/sign-in/oidc": ["anyone", oidc.leave],
          "GET /console/sign-in/oidc/callback": ["anyone", oidc.comeBack],
          "GET /console/sign-in/oidc/signed-out": ["anyone", oidc.signedOut],
        })
      : []),
  ]
}
