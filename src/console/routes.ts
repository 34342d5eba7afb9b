import { openProvider, type ProviderDeps } from "../accounts/oidc/provider.ts"
import { Refusal } from "../base/errors.ts"
import { openRoutes, type Route, routeAt } from "../http/routes.ts"
import { appearancePages } from "./appearance/appearance.tsx"
import { previewAnswers, previewPages } from "./appearance/preview.tsx"
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
import { assetHandlers } from "./kit/assets.ts"
import type { ConsoleDeps } from "./kit/console-deps.ts"
import { pageRoutes } from "./kit/page-handlers.ts"
import { words } from "./kit/words.fr.ts"
import { projectSettingsPages } from "./projects/project-settings.tsx"
import { projectsPages } from "./projects/projects.tsx"
import { trialPages } from "./projects/trials.tsx"
import { chosenPages } from "./questions/chosen/chosen-answers.tsx"
import { evaluationPages } from "./questions/evaluation.tsx"
import { gapPages } from "./questions/gaps.tsx"
import { questionPages } from "./questions/questions.tsx"
import { synonymsPages } from "./questions/synonyms.tsx"
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
import { sessionPages } from "./sign-in/sessions.tsx"
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

/**
 * The route table of the console. A role is the lowest one that may; without a session a page leads to the sign-in, and
 * back from there.
 */
export function consoleRoutes(given: Omit<ConsoleDeps, "provider"> & ProviderDeps): Route[] {
  const provider = openProvider(given)
  const deps: ConsoleDeps = { ...given, provider }
  const { readFigures, countQuestions } = openFigures(deps.db, deps.config.timezone)
  const workspaces = workspacesPages(deps, countQuestions)
  const newWorkspace = newWorkspacePages(deps)
  const projects = projectsPages(deps, countQuestions)
  const projectHome = projectHomePages(deps, readFigures)
  const workspaceHome = workspaceHomePages(deps, readFigures, projectHome)
  const projectSettings = projectSettingsPages(deps)
  const trials = trialPages(deps)
  const synonyms = synonymsPages(deps)
  const indexing = indexingPages(deps)
  const feed = feedPages(deps)
  const readPage = readPagePages(deps)
  const appearance = appearancePages(deps)
  const preview = previewPages(deps)
  const questions = questionPages(deps)
  const gaps = gapPages(deps)
  const chosen = chosenPages(deps)
  const evaluation = evaluationPages(deps)
  const forms = formsPages(deps)
  const form = oneFormPages(deps)
  const embed = embedPages(deps)
  const responses = responseListPages(deps)
  const response = responsePages(deps)
  const persons = personsPages(deps)
  const webhooks = webhooksPages(deps)
  const recipes = recipesPages()
  const endpoint = endpointPages(deps)
  const deliveries = deliveriesPages(deps)
  const delivery = deliveryPages(deps)
  const replay = replayPages(deps)
  const requests = requestsPages(deps)
  const settings = settingsPages(deps, countQuestions)
  const operators = operatorsPages(deps)
  const lostFactors = lostFactorsPages(deps)
  const tokens = tokensPages(deps)
  const health = healthPages(deps)
  const auditLog = auditLogPages(deps)
  const account = accountPages(deps)
  const sessions = sessionPages()
  const twoFactor = twoFactorPages(deps)
  const passkeys = passkeyPages(deps)
  const previewed = previewAnswers()
  const signIn = signInHandlers(deps)
  const setup = setupPage(deps)
  const invitation = invitationPage(deps)
  const passwordReset = passwordResetPages(deps)
  const oidc = provider && { ...oidcHandlers(deps, provider), identity: identityPages(deps, provider) }

  return [
    ...pageRoutes(deps, {
      "GET /console": ["viewer", workspaceHome.page],
      "GET /console/workspaces": ["viewer", workspaces.page],
      "POST /console/workspace": ["viewer", workspaces.switchWorkspace],
      "GET /console/settings/workspaces/new": ["owner", newWorkspace.page],
      "POST /console/settings/workspaces": ["owner", newWorkspace.addWorkspace],
      "GET /console/projects": ["viewer", projects.page],
      "POST /console/projects": ["editor", projects.addProject],
      "GET /console/projects/:project": ["viewer", projectHome.page],
      "GET /console/projects/:project/settings": ["viewer", projectSettings.page],
      "POST /console/projects/:project/settings": ["editor", projectSettings.changeProject],
      "POST /console/projects/:project/removal": ["owner", projectSettings.removeProject],
      "GET /console/projects/:project/trials": ["editor", trials.page],
      "POST /console/projects/:project/trials": ["editor", trials.tryQuestion],
      "GET /console/projects/:project/synonyms": ["viewer", synonyms.page],
      "POST /console/projects/:project/synonyms": ["editor", synonyms.addSynonyms],
      "POST /console/projects/:project/synonyms/:synonym/removal": ["editor", synonyms.removeSynonyms],
      "GET /console/projects/:project/indexing": ["viewer", indexing.page],
      "POST /console/projects/:project/indexing/feeds": ["editor", indexing.addFeed],
      "POST /console/projects/:project/indexing/feeds/:feed/removal": ["editor", indexing.removeFeed],
      "POST /console/projects/:project/indexing/readings": ["editor", indexing.readFeeds],
      "POST /console/projects/:project/indexing/schedule": ["editor", indexing.scheduleReadings],
      "GET /console/projects/:project/indexing/feeds/:feed": ["viewer", feed.page],
      "POST /console/projects/:project/indexing/feeds/:feed": ["editor", feed.changeFeed],
      "POST /console/projects/:project/indexing/feeds/:feed/uploads": ["editor", feed.uploadFiles],
      "POST /console/projects/:project/indexing/feeds/:feed/uploads/:upload/removal": [
        "editor",
        feed.removeFile,
      ],
      "GET /console/projects/:project/indexing/pages/:page": ["viewer", readPage.page],
      "GET /console/projects/:project/appearance": ["viewer", appearance.page],
      "POST /console/projects/:project/appearance": ["editor", appearance.changeWidget],
      "GET /console/projects/:project/appearance/preview": ["viewer", preview.page],
      "GET /console/projects/:project/appearance/preview/:typed/widget.js": ["viewer", preview.script],
      "GET /console/projects/:project/appearance/preview/:typed/search/:file": ["viewer", preview.searchFile],
      "GET /console/projects/:project/appearance/preview/:typed/api/v1/projects/:id/widget": [
        "viewer",
        preview.look,
      ],
      "GET /console/projects/:project/questions": ["viewer", questions.page],
      "GET /console/projects/:project/questions/questions.csv": ["viewer", questions.exportQuestions],
      "GET /console/projects/:project/questions/:answer": ["viewer", questions.conversation],
      "GET /console/projects/:project/questions/gaps": ["viewer", gaps.page],
      "POST /console/projects/:project/questions/gaps/marks": ["editor", gaps.markGaps],
      "POST /console/projects/:project/questions/gaps/trials": ["editor", gaps.tryGaps],
      "POST /console/projects/:project/questions/gaps/mails": ["editor", gaps.changeGapMails],
      "GET /console/projects/:project/questions/chosen": ["viewer", chosen.page],
      "GET /console/projects/:project/questions/chosen/new": ["editor", chosen.newPage],
      "POST /console/projects/:project/questions/chosen": ["editor", chosen.addChosen],
      "POST /console/projects/:project/questions/chosen/listing": ["editor", chosen.changeListing],
      "GET /console/projects/:project/questions/chosen/:answer": ["viewer", chosen.answerPage],
      "GET /console/projects/:project/questions/chosen/:answer/edit": ["editor", chosen.editPage],
      "POST /console/projects/:project/questions/chosen/:answer": ["editor", chosen.changeChosen],
      "POST /console/projects/:project/questions/chosen/:answer/removal": ["editor", chosen.removeChosen],
      "GET /console/projects/:project/questions/evaluation": ["viewer", evaluation.page],
      "POST /console/projects/:project/questions/evaluation": ["editor", evaluation.addQuestion],
      "POST /console/projects/:project/questions/evaluation/imports": ["editor", evaluation.importQuestions],
      "POST /console/projects/:project/questions/evaluation/runs": ["editor", evaluation.startRun],
      "POST /console/projects/:project/questions/evaluation/runs/:run/acceptance": [
        "editor",
        evaluation.acceptRun,
      ],
      "POST /console/projects/:project/questions/evaluation/:question/removal": [
        "editor",
        evaluation.removeQuestion,
      ],
      "GET /console/projects/:project/forms": ["viewer", forms.page],
      "GET /console/projects/:project/forms/new": ["editor", forms.newPage],
      "POST /console/projects/:project/forms/preview": ["editor", forms.preview],
      "POST /console/projects/:project/forms/new": ["editor", forms.addForm],
      "GET /console/projects/:project/forms/:form/settings": ["editor", form.page],
      "POST /console/projects/:project/forms/:form/settings": ["editor", form.changeForm],
      "POST /console/projects/:project/forms/:form/notice-links": ["editor", form.sendNoticeLink],
      "POST /console/projects/:project/forms/:form/removal": ["editor", form.removeForm],
      "GET /console/projects/:project/forms/:form/html": ["viewer", embed.page],
      "GET /console/projects/:project/forms/:form/qr.svg": ["viewer", embed.qrCode],
      "POST /console/projects/:project/forms/:form/page": ["editor", embed.changeForm],
      "GET /console/projects/:project/forms/:form": ["viewer", responses.ofForm],
      "GET /console/projects/:project/messages": ["viewer", responses.ofProject],
      "POST /console/projects/:project/messages/read": ["editor", responses.markRead],
      "GET /console/projects/:project/forms/:form/responses.csv": ["viewer", responses.csv],
      "GET /console/projects/:project/forms/:form/responses.xlsx": ["viewer", responses.xlsx],
      "GET /console/projects/:project/forms/:form/responses/:response": ["viewer", response.page],
      "GET /console/projects/:project/forms/:form/responses/:response/files/:file": [
        "viewer",
        response.openFile,
      ],
      "POST /console/projects/:project/forms/:form/responses/:response/acceptance": [
        "editor",
        response.acceptResponse,
      ],
      "POST /console/projects/:project/forms/:form/responses/:response/follow-up": [
        "editor",
        response.changeResponse,
      ],
      "POST /console/projects/:project/forms/:form/responses/:response/notes": ["editor", response.addNote],
      "POST /console/projects/:project/forms/:form/responses/:response/notes/:note/removal": [
        "editor",
        response.removeNote,
      ],
      "POST /console/projects/:project/forms/:form/responses/:response/unread": [
        "editor",
        response.markUnread,
      ],
      "POST /console/projects/:project/forms/:form/responses/:response/erasure": [
        "editor",
        response.eraseResponse,
      ],
      "GET /console/persons": ["editor", persons.page],
      "POST /console/persons": ["editor", persons.showPerson],
      "POST /console/persons/export": ["editor", persons.exportPerson],
      "POST /console/persons/erasure": ["editor", persons.erasePerson],
      "GET /console/webhooks": ["viewer", webhooks.page],
      "POST /console/webhooks": ["editor", webhooks.addEndpoint],
      "POST /console/webhooks/test-receiver": ["editor", webhooks.addTestReceiver],
      "GET /console/webhooks/recipes": ["viewer", recipes.page],
      "GET /console/webhooks/:endpoint": ["viewer", endpoint.page],
      "POST /console/webhooks/:endpoint": ["editor", endpoint.changeEndpoint],
      "POST /console/webhooks/:endpoint/secret": ["editor", endpoint.rotateSecret],
      "POST /console/webhooks/:endpoint/test": ["editor", endpoint.testEndpoint],
      "POST /console/webhooks/:endpoint/removal": ["editor", endpoint.removeEndpoint],
      "GET /console/deliveries": ["viewer", deliveries.page],
      "POST /console/deliveries": ["editor", deliveries.resend],
      "GET /console/webhooks/:endpoint/deliveries": ["viewer", deliveries.page],
      "POST /console/webhooks/:endpoint/deliveries": ["editor", deliveries.resend],
      "GET /console/deliveries/:delivery": ["viewer", delivery.page],
      "POST /console/deliveries/:delivery": ["editor", delivery.resendDelivery],
      "POST /console/deliveries/:delivery/cancellation": ["editor", delivery.cancelDelivery],
      "GET /console/webhooks/:endpoint/replay": ["viewer", replay.page],
      "POST /console/webhooks/:endpoint/replays": ["editor", replay.replayDeliveries],
      "POST /console/webhooks/:endpoint/replay/cancel": ["editor", replay.cancelRunningReplay],
      "POST /console/webhooks/:endpoint/replay/test": ["editor", replay.testEndpoint],
      "GET /console/webhooks/:endpoint/requests": ["viewer", requests.page],
      "POST /console/webhooks/:endpoint/requests": ["editor", requests.testEndpoint],
      "POST /console/webhooks/:endpoint/answer": ["editor", requests.changeEndpoint],
      "GET /console/settings": ["viewer", settings.page],
      "POST /console/settings/workspace": ["owner", settings.changeWorkspace],
      "POST /console/settings/mail": ["owner", settings.sendTestMail],
      "POST /console/settings/second-factor": ["owner", operators.changeWorkspace],
      "GET /console/settings/operators": ["viewer", operators.page],
      "POST /console/settings/operators": ["owner", operators.inviteOperator],
      "POST /console/settings/operators/:operator": ["owner", operators.changeOperator],
      "POST /console/settings/operators/:operator/password-link": ["owner", operators.addPasswordLink],
      "POST /console/settings/operators/:operator/removal": ["owner", operators.removeOperator],
      "GET /console/settings/operators/:operator/second-factor-removal": ["owner", lostFactors.page],
      "POST /console/settings/operators/:operator/second-factor-removal": [
        "owner",
        lostFactors.removeLostFactors,
      ],
      "GET /console/settings/tokens": ["viewer", tokens.page],
      "POST /console/settings/tokens": ["owner", tokens.addToken],
      "POST /console/settings/tokens/:token/removal": ["owner", tokens.removeToken],
      "GET /console/settings/health": ["viewer", health.page],
      "GET /console/journal": ["viewer", auditLog.page],
      "GET /console/settings/account": ["viewer", account.page],
      "POST /console/settings/password": ["viewer", account.changeOwnPassword],
      "POST /console/settings/account/removal": ["viewer", account.endOwnAccount],
      "GET /console/account/sessions/:session/removal": ["viewer", sessions.page],
      "POST /console/account/sessions/:session/removal": ["viewer", sessions.endOwnSession],
      "GET /console/account/sessions/removal": ["viewer", sessions.othersPage],
      "POST /console/account/sessions/removal": ["viewer", sessions.endOtherOwnSessions],
      "GET /console/account/two-factor": ["viewer", twoFactor.page],
      "POST /console/account/two-factor": ["viewer", twoFactor.addTotp],
      "POST /console/account/two-factor/removal": ["viewer", twoFactor.removeTotp],
      "POST /console/account/two-factor/recovery-codes": ["viewer", twoFactor.renewRecoveryCodes],
      "GET /console/account/passkeys": ["viewer", passkeys.page],
      "POST /console/account/passkeys": ["viewer", passkeys.addPasskey],
      "POST /console/account/passkeys/removal": ["viewer", passkeys.removePasskey],
      "GET /console/login": ["viewer", signIn.login],
      "POST /console/sign-out": ["viewer", signIn.signOut],
      "POST /console/invitations/:link/acceptance": ["viewer", invitation.accept],
      "GET /console/*": ["viewer", unknownPage],
      ...(oidc && {
        "GET /console/account/identity/begin": ["viewer", oidc.identity.begin],
        "GET /console/account/identity": ["viewer", oidc.identity.page],
        "POST /console/account/identity": ["viewer", oidc.identity.joinIdentity],
        "GET /console/account/identity/removal": ["viewer", oidc.identity.removalPage],
        "POST /console/account/identity/removal": ["viewer", oidc.identity.removeIdentity],
      }),
    }),
    ...assetHandlers().map(([path, answer]) => routeAt(`GET ${path}`, "anyone", answer)),
    ...openRoutes({
      "POST /console/projects/:project/appearance/preview/:typed/api/v1/ask": ["anyone", previewed.ask],
      "POST /console/projects/:project/appearance/preview/:typed/api/v1/search": ["anyone", previewed.search],
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

function unknownPage(): never {
  throw new Refusal("not_found", words.unknownPage)
}
