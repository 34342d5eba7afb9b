import type { Action } from "../../accounts/audit-log.ts"

/**
 * By route, the audit log action of each `POST` and each download of the console; null for routes that are
 * not recorded here. A test checks that every such route is listed.
 */
export const auditedRoutes: Record<string, Action | null> = {
  "/console/sign-in": null,
  "/console/sign-out": null,
  "/console/sign-out-everywhere": null,
  "/console/setup/:link": null,
  // Joining is recorded by its handler, in the audit log of the joined workspace instead of the shown one.
  "/console/invitations/:link": null,
  "/console/invitations/:link/acceptance": null,
  "/console/workspace": null,
  "/console/projects": "project.added",
  "/console/projects/:project/settings": "project.changed",
  "/console/projects/:project/removal": "project.removed",
  "/console/projects/:project/trials": "question.tried",
  "/console/projects/:project/indexing/feeds": "feed.added",
  "/console/projects/:project/indexing/feeds/:feed/removal": "feed.removed",
  "/console/projects/:project/indexing/readings": "index.started",
  "/console/projects/:project/indexing/schedule": "project.changed",
  "/console/projects/:project/synonyms": "synonym.added",
  "/console/projects/:project/synonyms/:synonym/removal": "synonym.removed",
  "/console/projects/:project/appearance": "widget.changed",
  // Nothing but who has seen what changes.
  "/console/projects/:project/messages/read": null,
  "/console/projects/:project/questions/questions.csv": "questions.exported",
  "/console/webhooks": "endpoint.added",
  "/console/webhooks/:endpoint": "endpoint.changed",
  "/console/webhooks/:endpoint/removal": "endpoint.removed",
  "/console/webhooks/:endpoint/secret": "secret.rotated",
  "/console/webhooks/:endpoint/test": "endpoint.tested",
  "/console/webhooks/:endpoint/replays": "deliveries.replayed",
  "/console/deliveries/:delivery": "delivery.resent",
  "/console/projects/:project/forms/new": "form.added",
  // Shows what is typed, and changes nothing.
  "/console/projects/:project/forms/preview": null,
  "/console/projects/:project/forms/:form/settings": "form.changed",
  "/console/projects/:project/forms/:form/page": "form.changed",
  "/console/projects/:project/forms/:form/removal": "form.removed",
  "/console/projects/:project/forms/:form/responses/:response/acceptance": "response.accepted",
  "/console/projects/:project/forms/:form/responses/:response/erasure": "response.erased",
  "/console/projects/:project/forms/:form/responses.csv": "responses.exported",
  "/console/persons": "person.exported",
  "/console/persons/export": "person.exported",
  "/console/persons/erasure": "person.erased",
  "/console/settings/tokens": "token.added",
  "/console/settings/tokens/:token/removal": "token.removed",
  "/console/settings/operators": "operator.invited",
  "/console/settings/operators/:operator": "operator.changed",
  "/console/settings/operators/:operator/removal": "operator.removed",
  "/console/settings/password": "password.changed",
  "/console/settings/workspace": "workspace.changed",
  "/console/settings/workspaces": "workspace.added",
  "/console/settings/mail": "mail.tested",
}
