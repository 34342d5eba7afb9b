import { listProjectNames } from "../../../accounts/project.ts"
import { findSession } from "../../../accounts/session.ts"
import type { Clock } from "../../../base/clock.ts"
import type { Db } from "../../../db/connection.ts"
import { listFormNames } from "../../../forms/definition/form.ts"
import { listEndpoints } from "../../../webhooks/endpoints/endpoint.ts"
import { maxSwitchable } from "../page-context.ts"
import { sessionText } from "./cookie.ts"

/** Ids of a signed-in operator's own things, for the examples of the reference of the API. */
export interface OwnIds {
  /** Projects of the session's workspace, the chosen one among them. */
  projects: { id: string; name: string }[]
  ids: { project: string; form?: string; endpoint?: string }
}

/** Ids of the wanted or first project, its newest form, the newest endpoint; undefined without one of these. */
export function ownIdsReader({ db, clock }: { db: Db; clock: Clock }) {
  return async (request: Request, wanted: string | undefined): Promise<OwnIds | undefined> => {
    const text = sessionText(request)
    const session = text === undefined ? undefined : await findSession(db, text, clock.now())
    if (!session) return undefined
    const workspaceId = session.workspace.id
    const projects = await listProjectNames(db, workspaceId, maxSwitchable)
    const { id: project } = projects.find(({ id }) => id === wanted) ?? projects[0] ?? {}
    if (project === undefined) return undefined
    const [form] = await listFormNames(db, workspaceId, { projectId: project })
    const [endpoint] = await listEndpoints(db, workspaceId, { after: undefined, atMost: 1 })
    const ids = { project, ...(form && { form: form.id }), ...(endpoint && { endpoint: endpoint.id }) }
    return { projects, ids }
  }
}
