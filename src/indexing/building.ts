import { detail, Refusal } from "../base/errors.ts"
import type { Db } from "../db/connection.ts"
import { withLock } from "../db/with-lock.ts"

/**
 * A generation that is being built, in the hands of one builder. A builder that was frozen or cut off may have lost
 * the project's lock without knowing it: what it does from then on is refused (a fencing token).
 */
export interface Building {
  projectId: string
  number: number
  /** `built_at` of the generation until it is built. A run that resumes it raises it. */
  since: number
}

/** Everything that changes the generations of a project or stages documents for one. */
export function indexSubject(projectId: string): string {
  return `index:${projectId}`
}

/**
 * A transaction for a generation that is still in its builder's hands. Throws Refusal `conflict` when another builder
 * has abandoned it, or goes on with it.
 */
export function whileBuilding<Result>(
  db: Db,
  building: Building,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  const { projectId, number } = building
  return withLock(db, indexSubject(projectId), async (transaction) => {
    if (!(await isInHands(transaction, building)))
      throw new Refusal("conflict", detail("assistant.beingIndexed"), {
        reason: `generation ${number} of project ${projectId} was abandoned by another indexing`,
      })
    return work(transaction)
  })
}

export async function isInHands(transaction: Db, { projectId, number, since }: Building): Promise<boolean> {
  const found = await unfinished(transaction, projectId)
    .where("number", "=", number)
    .where("built_at", "=", since)
    .executeTakeFirst()
  return found !== undefined
}

/** The generations of a project that are not built yet. More than one is left over from an older version. */
export function unfinished(db: Db, projectId: string) {
  return db
    .selectFrom("generation")
    .select("number")
    .where("project_id", "=", projectId)
    .where("live", "=", 0)
    .where("replaced_at", "is", null)
}
