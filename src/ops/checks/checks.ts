import { secondMs } from "../../base/clock.ts"
import { detail, type Explanation } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { listNodes } from "../../db/node.ts"
import { engineOf } from "../../db/words.ts"
import { type Check, type CheckName, type CheckResult, failed, ok, runCheck, warning } from "./check.ts"
import { checkAnswers, checkClock, checkDatabase, checkDeliveries, checkIndex, checkProxies } from "./data.ts"
import { checkAuthorities, checkBackup, checkDisk, checkDns } from "./machine.ts"
import {
  checkMeaning,
  checkModel,
  checkPublicUrl,
  checkSmtp,
  checkStorage,
  type ServiceCheckDeps,
} from "./services.ts"

/** The checks about the projects of one workspace, for those who are not to learn about the machine and others. */
export function runOwnChecks(deps: ServiceCheckDeps, workspaceId: string): Promise<Check[]> {
  return Promise.all([
    runCheck("index", () => checkIndex(deps, workspaceId)),
    runCheck("answers", () => checkAnswers(deps.db, workspaceId)),
  ])
}

/**
 * Runs every check at once. `wholeDatabase` reads the whole database, which blocks the event loop: it is for
 * a command, not for the process that answers. With `workspaceId`, the results name projects of that
 * workspace alone. With `away`, why the database cannot be used, everything is looked at but what is in there.
 */
export async function runChecks(
  deps: ServiceCheckDeps,
  {
    wholeDatabase,
    workspaceId,
    away,
  }: { wholeDatabase: boolean; workspaceId?: string; away?: Explanation | undefined },
): Promise<Check[]> {
  const { config, db, clock } = deps
  /** A check that reads the database. */
  const stored = (name: CheckName, check: () => Promise<CheckResult>) =>
    runCheck(name, away === undefined ? check : () => warning(detail("checks.databaseAway")))
  const ofNodes = runNodeChecks(db)
  const ofService = await Promise.all([
    runCheck("database", () => (away === undefined ? checkDatabase(deps, wholeDatabase) : failed(away))),
    stored("index", () => checkIndex(deps, workspaceId)),
    runCheck("storage", () => checkStorage(deps)),
    runCheck("disk", () => checkDisk(config.dataDir, config.minFreeDiskBytes)),
    runCheck("backup", () => checkBackup(config, clock.now())),
    stored("clock", () => checkClock(db, clock.now())),
    runCheck("dns", checkDns),
    runCheck("smtp", () => checkSmtp(deps)),
    runCheck("model", () => checkModel(deps)),
    runCheck("meaning", () => checkMeaning(deps)),
    runCheck("authorities", () => checkAuthorities(deps.authorities)),
    runCheck("public_url", () => checkPublicUrl(config.publicUrl, deps.authorities)),
    stored("proxies", () => checkProxies(db, config.trustedProxies, clock.now())),
    stored("deliveries", () => checkDeliveries(db, clock.now())),
    stored("answers", () => checkAnswers(db, workspaceId)),
  ])
  return [...ofService, ...(await ofNodes)]
}

/** The checks that take no time, for a page that is opened often. */
export async function runQuickChecks({
  config,
  db,
  clock,
}: Pick<ServiceCheckDeps, "config" | "db" | "clock">): Promise<Check[]> {
  const [disk, deliveries, nodes] = await Promise.all([
    runCheck("disk", () => checkDisk(config.dataDir, config.minFreeDiskBytes)),
    runCheck("deliveries", () => checkDeliveries(db, clock.now())),
    runNodeChecks(db),
  ])
  return [disk, deliveries, ...nodes]
}

/** A node that is silent for longer is about to be given up by the others. */
const lateMs = 6 * secondMs

/** One result for each node that shares the database; none on SQLite, where one process serves. */
async function runNodeChecks(db: Db): Promise<Check[]> {
  if (engineOf(db) === "sqlite") return []
  const nodes = await listNodes(db).catch(() => [])
  // Empty where a node makes no vectors, or is of a version that does not say.
  const isUnlike = new Set(nodes.flatMap(({ arithmetic }) => arithmetic || [])).size > 1
  return Promise.all(
    nodes.map(({ id, host, version, arithmetic, silentMs }) => {
      const seconds = Math.round(silentMs / secondMs)
      return runCheck("node", () =>
        isUnlike && arithmetic !== ""
          ? warning(detail("checks.unlikeNode", { id, host, version, seconds, arithmetic }))
          : (silentMs > lateMs ? warning : ok)(detail("checks.node", { id, host, version, seconds })),
      )
    }),
  )
}
