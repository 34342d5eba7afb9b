import { listProjects, removeProject } from "../accounts/project.ts"
import { refuseDefaultWorkspace, removeWorkspace } from "../accounts/workspace.ts"
import { deleteBelongings } from "../db/delete-in-steps.ts"
import { lockUntilCommit } from "../db/with-lock.ts"
import { removeForms, removeWithForms } from "../forms/responses/purge.ts"
import { unassign } from "../forms/responses/unassign.ts"
import { indexSubject } from "../indexing/building.ts"
import { forgetMails } from "../mail/outbox.ts"

/** Removes across the domains: each holds a part of a project. */
export interface Removal {
  /** With the payloads of its form responses in the delivery log. */
  removeProject(id: string): Promise<void>
  /** With its projects. Throws Refusal `conflict` for the default one. */
  removeWorkspace(id: string): Promise<void>
  /** Takes from somebody who leaves a workspace the form responses that they have, of which there may be many. */
  unassign(workspaceId: string, operatorId: string): Promise<void>
}

export function openRemoval(deps: Parameters<typeof removeWithForms>[0]): Removal {
  const { db } = deps

  async function removeWithResponses(projectId: string): Promise<void> {
    await removeForms(deps, projectId)
    // Forms go with their responses, above.
    await deleteBelongings(db, "project", [projectId], ["form"])
    await removeWithForms(deps, projectId, async (transaction) => {
      // What an indexing is storing at this moment is waited for, and goes too.
      await lockUntilCommit(transaction, indexSubject(projectId))
      await forgetMails(transaction, projectId)
      await removeProject(transaction, projectId)
    })
  }

  return {
    removeProject: removeWithResponses,
    unassign: (workspaceId, operatorId) => unassign(db, workspaceId, operatorId),
    async removeWorkspace(workspaceId) {
      await refuseDefaultWorkspace(db, workspaceId)
      do {
        for (const project of await listProjects(db, workspaceId)) await removeWithResponses(project.id)
        // Members can still see that it is being removed.
        await deleteBelongings(db, "workspace", [workspaceId], ["project", "member", "session"])
        // A project that came meanwhile keeps it: that one goes first.
      } while (!(await removeWorkspace(db, workspaceId)))
    },
  }
}
