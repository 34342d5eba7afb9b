/**
 * The result of one check, as data: the command line prints it in English, the console words it in French.
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

export type CheckResult = Omit<Check, "name">

export const ok = (detail: string): CheckResult => ({ state: "ok", detail })
export const warning = (detail: string): CheckResult => ({ state: "warning", detail })
export const failed = (detail: string): CheckResult => ({ state: "failed", detail })

/** Runs one check. A check that throws, or hangs for longer than `timeoutMs`, has failed. */
export async function runCheck(
  name: CheckName,
  check: () => Promise<CheckResult> | CheckResult,
  timeoutMs: number,
): Promise<Check> {
  const timeout = Promise.withResolvers<CheckResult>()
  const timer = setTimeout(() => timeout.resolve(failed(`no result within ${timeoutMs / 1000} s`)), timeoutMs)
  try {
    return { name, ...(await Promise.race([check(), timeout.promise])) }
  } catch (error) {
    return { name, ...failed((error as Error).message.split("\n")[0] as string) }
  } finally {
    clearTimeout(timer)
  }
}
