import { secondMs } from "../../base/clock.ts"
import { type Check, runCheck } from "./check.ts"
import { checkAnswers, checkClock, checkDatabase, checkDeliveries, checkIndex } from "./data.ts"
import { checkBackup, checkDisk, checkDns } from "./machine.ts"
import { runNodeChecks } from "./nodes.ts"
import {
  checkMeaning,
  checkModel,
  checkPublicUrl,
  checkSmtp,
  checkStorage,
  type ServiceCheckDeps,
} from "./services.ts"

const timeoutMs = 10 * secondMs

/** The checks about the projects of one workspace, for those who are not to learn about the machine and others. */
export function runOwnChecks(deps: ServiceCheckDeps, workspaceId: string): Promise<Check[]> {
  return Promise.all([
    runCheck("index", () => checkIndex(deps, workspaceId), timeoutMs),
    runCheck("answers", () => checkAnswers(deps.db, workspaceId), timeoutMs),
  ])
}

/**
 * Runs every check at once. `wholeDatabase` reads the whole database, which blocks the event loop: it is for
 * a command, not for the process that answers. With `workspaceId`, the results name projects of that
 * workspace alone.
 */
export async function runChecks(
  deps: ServiceCheckDeps,
  { wholeDatabase, workspaceId }: { wholeDatabase: boolean; workspaceId?: string },
): Promise<Check[]> {
  const { config, db, clock } = deps
  const ofNodes = runNodeChecks(db, timeoutMs)
  const ofService = await Promise.all([
    runCheck("database", () => checkDatabase(deps, wholeDatabase), timeoutMs),
    runCheck("index", () => checkIndex(deps, workspaceId), timeoutMs),
    runCheck("storage", () => checkStorage(deps), timeoutMs),
    runCheck("disk", () => checkDisk(config.dataDir, config.minFreeDiskBytes), timeoutMs),
    runCheck("backup", () => checkBackup(config, clock.now()), timeoutMs),
    runCheck("clock", () => checkClock(db, clock.now()), timeoutMs),
    runCheck("dns", checkDns, timeoutMs),
    runCheck("smtp", () => checkSmtp(deps), timeoutMs),
    runCheck("model", () => checkModel(deps), timeoutMs),
    runCheck("meaning", () => checkMeaning(deps), timeoutMs),
    runCheck("public_url", () => checkPublicUrl(config.publicUrl), timeoutMs),
    runCheck("deliveries", () => checkDeliveries(db, clock.now()), timeoutMs),
    runCheck("answers", () => checkAnswers(db, workspaceId), timeoutMs),
  ])
  return [...ofService, ...(await ofNodes)]
}

/** The checks that take no time, for a page that somebody opens often. */
export async function runQuickChecks({
  config,
  db,
  clock,
}: Pick<ServiceCheckDeps, "config" | "db" | "clock">): Promise<Check[]> {
  const [disk, deliveries, nodes] = await Promise.all([
    runCheck("disk", () => checkDisk(config.dataDir, config.minFreeDiskBytes), timeoutMs),
    runCheck("deliveries", () => checkDeliveries(db, clock.now()), timeoutMs),
    runNodeChecks(db, timeoutMs),
  ])
  return [disk, deliveries, ...nodes]
}
