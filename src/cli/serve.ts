import { setUpFirstOperator } from "../accounts/first-operator.ts"
import { type App, openApp } from "../app.ts"
import { secondMs } from "../base/clock.ts"
import { type Log, startLog } from "../base/log.ts"
import { backupProblem, type Config, readConfig, unknownSettings } from "../config/config.ts"
import { readAgain } from "../config/reload.ts"
import type { HeldDatabase } from "../db/connection.ts"
import { databaseLocation, forgetMoved, holdDatabase } from "../db/open.ts"
import { holdFolder } from "../db/sqlite/sole-service.ts"
import { removeOldAddons } from "../host/native-addon.ts"
import { type Notifier, openNotifier } from "../host/systemd/notify.ts"
import { frenchDictionary } from "../index/text/french.ts"
import type { Authorities } from "../outbound/authorities.ts"
import { startJobs } from "../scheduled-jobs.ts"
import { openListener, requireAddress, startServer } from "../server.ts"
import { inEnglish } from "../wording/english.ts"
import { defineCommand } from "./kit/command.ts"
import { exitInTime, stopSignal } from "./kit/stop.ts"
import { openWaiting } from "./serving/waiting.ts"

export const serve = defineCommand({
  about: "runs the service until SIGTERM or SIGINT",
  details:
    "It waits for its port, its disk and its database, and says so at /readyz. It stops within 15 seconds of the signal, and at once at a second signal. At SIGHUP it reads secrets from files and certificate authorities again; one whose terminal is closed stops.",
  options: {
    force: { about: "starts with a database that guichet move has left, and from then on again" },
  },
  async run({ options, environment }) {
    using notifier = openNotifier(environment)
    let authorities: Authorities | undefined
    const stopped = stopSignal(() => reload({ config, log, notifier, authorities }))
    const config = readConfig(environment)
    const log = startLog(config.logLevel, environment["JOURNAL_STREAM"])
    const waiting = openWaiting(log, notifier, stopped)
    await using listener = await waiting.until(async () => {
      await requireAddress(config.host)
      return openListener(config, log, waiting.answer)
    })
    if (!listener) return stopWaiting(log, notifier, stopped)
    notifier.listening()
    await using opened = await waiting.until(() => openService(config, options.force === true))
    if (!opened) return stopWaiting(log, notifier, stopped)
    const { app, database } = opened
    authorities = app.authorities
    // Disposed of from the last to the first: deliveries stop being claimed while the server still answers.
    await using server = startServer(app, undefined, listener)
    await using _work = app.work()
    // Visitors are served without backups too. The log says so now: a missing backup goes unnoticed until it is
    // needed.
    const trouble = backupProblem(config)
    if (trouble) app.log.error("no backup can be made", { folder: config.backup.dir, trouble })
    const problem = app.authorities.problem()
    if (problem) app.log.warn("certificate authorities are missing", { reason: inEnglish(problem) })
    const unknown = unknownSettings(environment)
    if (unknown.length > 0) app.log.warn("variables that are no settings are ignored", { unknown })
    app.log.info("service ready", { url: server.url, dataDir: app.config.dataDir })
    notifier.ready()
    setTimeout(frenchDictionary, secondMs).unref()
    const removed = removeOldAddons(environment)
    if (removed.length > 0) app.log.info("removed what other versions had unpacked", { removed })
    const reason = await Promise.race([stopped, database.superseded])
    const isSuperseded = reason instanceof Error
    if (isSuperseded) app.log.error("another program has changed the database", { reason: reason.message })
    else app.log.info("service stopping", { signal: reason })
    exitInTime(app.log)
    notifier.stopping()
    server.refuseReadiness()
    if (isSuperseded) throw reason
    return undefined
  },
})

interface OpenService extends AsyncDisposable {
  app: App
  database: HeldDatabase
}

/** Everything that stands behind the address; nothing of it is left open when a part of it cannot be opened. */
async function openService(config: Config, isForced: boolean): Promise<OpenService> {
  await using parts = new AsyncDisposableStack()
  const app = parts.use(await openApp(config))
  parts.use(holdFolder(config.dataDir))
  if (isForced) await forgetMoved(databaseLocation(config))
  const database = parts.use(await holdDatabase(databaseLocation(config)))
  await setUpFirstOperator(app, app.clock.now())
  // They write what is to be done again, which a full disk forbids.
  parts.use(await startJobs(app))
  const opened = parts.move()
  return { app, database, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Nothing was acknowledged yet: a connection that is being made is not waited for. */
async function stopWaiting(log: Log, notifier: Notifier, stopped: Promise<string>): Promise<undefined> {
  log.info("service stopping", { signal: await stopped })
  notifier.stopping()
  exitInTime(log, secondMs)
}

interface Reloadable {
  config: Config
  log: Log
  notifier: Notifier
  /** Undefined before anything is open. */
  authorities: Authorities | undefined
}

/** All of them, or nothing when any is bad. The log says which have changed, without their values. */
function reload({ config, log, notifier, authorities }: Reloadable): void {
  try {
    const apply = readAgain(config)
    const before = authorities?.pem()
    const problem = authorities?.reload()
    if (problem) throw new Error(inEnglish(problem))
    const { changed, atNextStart } = apply()
    if (authorities?.pem() !== before) changed.push("certificate authorities")
    log.info("settings read again", { changed, ...(atNextStart.length > 0 && { atNextStart }) })
  } catch (error) {
    log.error("settings cannot be read again: nothing is changed", { reason: (error as Error).message })
  }
  notifier.reloaded()
}
