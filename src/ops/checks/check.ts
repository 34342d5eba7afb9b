import { withTimeout } from "../../base/async.ts"
import { secondMs } from "../../base/clock.ts"
import { detail, type Explanation } from "../../base/errors.ts"

/** The result of one check, as data. Each face words its detail in its own language. */
export interface Check {
  name: CheckName
  state: CheckState
  /** One line. */
  detail: Explanation
}

export const checkNames = [
  "database",
  "index",
  "storage",
  "disk",
  "backup",
  "clock",
  "dns",
  "smtp",
  "model",
  "meaning",
  "authorities",
  "public_url",
  "proxies",
  "deliveries",
  "answers",
  "node",
] as const
export type CheckName = (typeof checkNames)[number]

export const checkStates = ["ok", "warning", "failed"] as const
type CheckState = (typeof checkStates)[number]

export type CheckResult = Omit<Check, "name">

export const ok = (detail: Explanation): CheckResult => ({ state: "ok", detail })
export const warning = (detail: Explanation): CheckResult => ({ state: "warning", detail })
export const failed = (detail: Explanation): CheckResult => ({ state: "failed", detail })

const timeoutMs = 10 * secondMs

/** Runs one check. One that throws has failed with the error's own words; one that hangs, after `timeoutMs`. */
export async function runCheck(name: CheckName, check: () => Promise<CheckResult> | CheckResult) {
  const timeout = new Error("timeout")
  try {
    return { name, ...(await withTimeout(Promise.try(check), timeoutMs, () => timeout)) }
  } catch (error) {
    if (error === timeout)
      return { name, ...failed(detail("checks.noResult", { seconds: timeoutMs / secondMs })) }
    return { name, ...failed((error as Error).message.split("\n")[0] as string) }
  }
}
