import { withTimeout } from "../../base/async.ts"

/**
 * What was found out about one part of the service, as data: the command line prints it in English, the
 * console says it in French.
 */
export interface Check {
  name: CheckName
  state: CheckState
  /** English, one line. */
  detail: string
}

export const checkNames = [
  "database",
  "index",
  "disk",
  "clock",
  "dns",
  "smtp",
  "model",
  "public_url",
  "deliveries",
] as const
export type CheckName = (typeof checkNames)[number]

export const checkStates = ["ok", "warning", "failed"] as const
type CheckState = (typeof checkStates)[number]

export type Found = Omit<Check, "name">

export const ok = (detail: string): Found => ({ state: "ok", detail })
export const warning = (detail: string): Found => ({ state: "warning", detail })
export const failed = (detail: string): Found => ({ state: "failed", detail })

/** A check that throws has found something, too; one that hangs is given up. */
export async function checked(
  name: CheckName,
  look: () => Promise<Found> | Found,
  timeoutMs: number,
): Promise<Check> {
  const late = () => new Error(`no result within ${timeoutMs / 1000} s`)
  try {
    return { name, ...(await withTimeout(Promise.try(look), timeoutMs, late)) }
  } catch (error) {
    return { name, ...failed((error as Error).message.split("\n")[0] as string) }
  }
}
