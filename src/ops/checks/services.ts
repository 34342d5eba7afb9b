import { randomUUID } from "node:crypto"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Clock, secondMs } from "../../base/clock.ts"
import { type Detail, detail, type Explanation } from "../../base/errors.ts"
import type { Config } from "../../config/config.ts"
import type { Db } from "../../db/connection.ts"
import { mailErrorCode } from "../../mail/outbox.ts"
import { greetSmtp } from "../../mail/smtp.ts"
import type { Authorities } from "../../outbound/authorities.ts"
import { errorCode, tlsTrouble } from "../../outbound/failure.ts"
import { isLocalUrl } from "../../outbound/public-address.ts"
import type { ObjectStore } from "../../storage/object-store.ts"
import { type CheckResult, failed, ok, warning } from "./check.ts"
import type { IndexChecks } from "./data.ts"

/** The parts of the program that checks need; `App` has them all. */
export interface ServiceCheckDeps {
  config: Pick<
    Config,
    "backup" | "dataDir" | "embedding" | "minFreeDiskBytes" | "publicUrl" | "secrets" | "trustedProxies"
  >
  db: Db
  clock: Clock
  authorities: Authorities
  indexes: IndexChecks
  /** Where nodes share indexes; undefined where this machine alone answers. */
  objectStore: ObjectStore | undefined
  /** The language model of the settings; undefined without one. */
  models:
    | { check(signal: AbortSignal): Promise<{ model: string; ok: boolean; problem: string }[]> }
    | undefined
  embeddings: {
    /** The embedded model; undefined when it is not used. */
    local:
      | {
          warm(): Promise<void>
          embedQuestion(question: string, signal: AbortSignal): Promise<unknown>
          status(): {
            state: "idle" | "ready" | "broken"
            reason: Explanation | undefined
            busyQuestions: number
          }
        }
      | undefined
    /** Why this machine cannot run it. */
    unsupported: Detail | undefined
  }
  writable(): Promise<boolean>
}

/** Stores a small file, reads it and removes it, which finds a wrong key, a wrong bucket and missing rights. */
export async function checkStorage({ config, objectStore }: ServiceCheckDeps): Promise<CheckResult> {
  if (!objectStore) return ok(detail("checks.storageNotSet"))
  const name = `check-${randomUUID()}`
  const file = join(config.dataDir, name)
  const signal = AbortSignal.timeout(8 * secondMs)
  const startedMs = performance.now()
  try {
    await writeFile(file, name)
    await objectStore.put(name, file, signal)
    const content = await objectStore.get(name, signal)
    const read = content && Buffer.concat(await Array.fromAsync(content)).toString()
    await objectStore.remove(name, signal)
    if (read !== name) return failed(detail("checks.storageForgets"))
  } finally {
    await rm(file, { force: true })
  }
  return ok(detail("checks.storageWorks", { milliseconds: Math.round(performance.now() - startedMs) }))
}

export async function checkSmtp({ config, authorities }: ServiceCheckDeps): Promise<CheckResult> {
  const { smtpUrl } = config.secrets
  if (!smtpUrl) return ok(detail("checks.mailNotSet"))
  try {
    await greetSmtp(smtpUrl, authorities)
    return ok(detail("checks.mailAccepted"))
  } catch (error) {
    // The code alone: the server's message may quote the account.
    const code = mailErrorCode(error) ?? "no answer"
    return failed(detail("checks.mailRefused", { error: tlsTrouble(code) ?? code }))
  }
}

/** Makes one small call to each model, which finds a wrong key, a wrong name and an exhausted account. */
export async function checkModel({ models }: ServiceCheckDeps): Promise<CheckResult> {
  if (!models) return ok(detail("checks.noModel"))
  const tried = await models.check(AbortSignal.timeout(8 * secondMs))
  const problems = tried.filter((one) => !one.ok).map(({ model, problem }) => `${model}: ${problem}`)
  return problems.length > 0 ? failed(problems.join("; ")) : ok(tried.map(({ model }) => model).join(", "))
}

/** Embeds a question, which finds a runtime that cannot be loaded. */
export async function checkMeaning({ config, embeddings }: ServiceCheckDeps): Promise<CheckResult> {
  const { local, unsupported } = embeddings
  if (unsupported) return warning(detail("checks.meaningUnsupported", { why: unsupported }))
  if (!local) return ok(detail("checks.meaningOff"))
  await local.warm()
  const startedMs = performance.now()
  const vector = await local.embedQuestion("?", AbortSignal.timeout(secondMs))
  const milliseconds = Math.round(performance.now() - startedMs)
  const { state, reason, busyQuestions } = local.status()
  if (state === "broken") return warning(detail("checks.meaningBroken", { why: reason }))
  if (!vector) return warning(detail("checks.meaningBusy", { questions: busyQuestions }))
  return ok(
    config.embedding === "provider"
      ? detail("checks.meaningProvider")
      : detail("checks.meaningReady", { milliseconds, busyQuestions }),
  )
}

export async function checkPublicUrl(publicUrl: string, authorities: Authorities): Promise<CheckResult> {
  if (isLocalUrl(publicUrl)) return warning(detail("checks.publicUrlLocal", { url: publicUrl }))
  const url = `${publicUrl}/healthz`
  const reply = await fetch(url, {
    redirect: "manual",
    signal: AbortSignal.timeout(8 * secondMs),
    tls: { rejectUnauthorized: true, ca: authorities.pem() },
  }).catch((error: unknown) => {
    const trouble = tlsTrouble(errorCode(error))
    if (!trouble) throw error
    return trouble
  })
  if ("code" in reply) return failed(detail("checks.publicUrlTls", { url, why: reply }))
  if (reply.ok && (await reply.text()) === "ok\n")
    return ok(detail("checks.publicUrlLeadsHere", { url: publicUrl }))
  return failed(detail("checks.publicUrlLeadsElsewhere", { url, status: reply.status }))
}
