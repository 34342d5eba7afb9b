import type { Caller } from "../../operations/operation.ts"
import { everyScope } from "../../operations/scope.ts"

/** A person who may run commands on this machine may do everything. The audit log names the command. */
export function commandCaller(command: string, workspaceId: string): Caller {
  const name = `guichet ${command}`
  const { signal } = new AbortController()
  return { kind: "service", id: name, name, workspaceId, held: [everyScope], signal }
}
