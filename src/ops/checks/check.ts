import { secondMs } from "../../base/clock.ts"
import { detail, type Told } from "../../base/errors.ts"

/** The result of looking at one part of the service. Each face words its detail in its own language. */
export interface Check {
  name: CheckName
  state: CheckState
  /** One line. */
  detail: Told
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

export const ok = (detail: Told): Found => ({ state: "ok", detail })
export const warning = (detail: Told): Found => ({ state: "warning", detail })
export const failed = (detail: Told): Found => ({ state: "failed", detail })

/** A check that throws has failed with the error's own words; one that hangs has failed after `timeoutMs`. */
export async function checked(
  name: CheckName,
  look: () => Promise<Found> | Found,
  timeoutMs: number,
): Promise<Check> {
  const late = Promise.withResolvers<Found>()
  const timer = setTimeout(
    () => late.resolve(failed(detail("checks.noResult", { seconds: timeoutMs / secondMs }))),
    timeoutMs,
  )
  try {
    return { name, ...(await Promise.race([look(), late.promise])) }
  } catch (error) {
    return { name, ...failed((error as Error).message.split("\n")[0] as string) }
  } finally {
    clearTimeout(timer)
  }
}
