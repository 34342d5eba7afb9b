import { Refusal, UsageError } from "../base/errors.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { lastRun, markRun } from "../db/job-run.ts"
import { addFirstOperator, hasOperator, hasOwner } from "./operator.ts"
import { newSetupLink, setupLinkMinutes } from "./setup-link.ts"

interface FirstOperatorDeps {
  db: Db
  log: Log
  config: { publicUrl: string; firstOperator: { email: string; password: string } | undefined }
}

/**
 * Runs at the start of the service and does nothing once an owner exists. Creates the operator named in the
 * settings if there is no operator at all; otherwise logs a link where the first operator creates an account, at the
 * first start alone: who reads the log later finds no door in it.
 * Throws UsageError when the settings hold an invalid address or password.
 */
export async function setUpFirstOperator({ db, log, config }: FirstOperatorDeps, nowMs: number) {
  if (await hasOwner(db)) return
  if (config.firstOperator && !(await hasOperator(db))) {
    try {
      await addFirstOperator(db, config.firstOperator, nowMs)
    } catch (error) {
      // Nodes that start together all try: one has done it.
      if (await hasOwner(db)) return
      throw namingSettings(error)
    }
    log.info("first operator made from the settings")
    return
  }
  if ((await lastRun(db, linkLogged)) !== undefined) {
    log.info("nobody owns the service yet: guichet setup-link prints a link to make the first operator")
    return
  }
  const link = await newSetupLink({ db, publicUrl: config.publicUrl }, nowMs)
  if (!link) return
  await markRun(db, linkLogged, nowMs)
  log.info("nobody owns the service yet: open the link to make the first operator", {
    link,
    validMinutes: setupLinkMinutes,
  })
}

/** The name under which it is kept, among the runs, that a link stands in the log. */
const linkLogged = "setup link logged"

function namingSettings(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.code !== "invalid_request") return error
  const names: Record<string, string> = {
    email: "GUICHET_OPERATOR_EMAIL",
    password: "GUICHET_OPERATOR_PASSWORD_FILE",
  }
  const bad = Object.keys(error.fields ?? {}).map((field) => names[field])
  return new UsageError(`bad settings, ${bad.join(" and ")}: ${error.message}`, { cause: error })
}
