/*
 * Subjects of `withLock` for the rules that reach over several files of this room. A caller that needs two of them
 * names both in one call, which locks them in one order.
 */

/**
 * Subjects of `withLock` for changing who belongs to which workspace, and the sessions of an operator with
 * it. Such changes are rare, and some look at every workspace: one subject holds for all.
 */
export function membership(operatorId?: string): string[] {
  return operatorId === undefined ? ["members"] : ["members", sessionsLock(operatorId)]
}

/** Subject of `withLock` for opening, moving or ending the sessions of an operator. */
export function sessionsLock(operatorId: string): string {
  return `sessions:${operatorId}`
}

/** Subject of `withLock` for adding a project to a workspace, or removing the workspace once it has none. */
export function projectsLock(workspaceId: string): string {
  return `projects:${workspaceId}`
}
