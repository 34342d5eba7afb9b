import { setUpFirstOperator } from "../accounts/first-operator.ts"
import { locationOf, openApp } from "../app.ts"
import { unpackedRuntime } from "../assistant/embedding/local/onnx-files.ts"
import { UsageError } from "../base/errors.ts"
import { backupProblem, readConfig, unknownSettings } from "../config/config.ts"
import { holdDatabase } from "../db/open.ts"
import { holdFolder } from "../db/sqlite/sole-service.ts"
import { removeOldAddons } from "../host/native-addon.ts"
import { openNotifier } from "../host/systemd/notify.ts"
import { startJobs } from "../scheduled-jobs.ts"
import { requireFreeAddress, startServer } from "../server.ts"
import { inEnglish } from "../wording/english.ts"
import { defineCommand } from "./kit/command.ts"
import { exitInTime, stopSignal } from "./kit/stop.ts"

export const serve = defineCommand({
  about: "runs the service until SIGTERM, SIGINT or SIGHUP",
  details: "It stops within 15 seconds of the signal, and at once at a second signal.",
  async run({ environment }) {
    using notifier = openNotifier(environment)
    const stopped = stopSignal()
    const config = readConfig(environment)
    await requireFreeAddress(config)
    await using app = await openApp(config)
    using _folder = holdFolder(config.dataDir)
    await using database = await holdDatabase(locationOf(config))
    await setUpFirstOperator(app, app.clock.now())
    // Disposed of from the last to the first: deliveries stop being claimed while the server still answers.
    await using server = startServer(app)
    await using _jobs = await startJobs(app)
    await using _work = app.work()
    // Visitors are served without backups too. The log says so now: nobody notices a missing backup before
    // it is needed.
    const trouble = backupProblem(config)
    if (trouble) app.log.error("no backup can be made", { folder: config.backup.dir, trouble })
    const { problem } = app.authorities.found()
    if (problem) app.log.warn("certificate authorities are missing", { reason: inEnglish(problem) })
    const unknown = unknownSettings(environment)
    if (unknown.length > 0) app.log.warn("variables that are no settings are ignored", { unknown })
    app.log.info("service ready", { url: server.url, dataDir: app.config.dataDir })
    notifier.ready()
    // A platform without a runtime has nothing of its own to keep.
    const removed = removeOldAddons(environment, await unpackedRuntime().catch(() => undefined))
    if (removed.length > 0) app.log.info("removed what other versions had unpacked", { removed })
    const reason = await Promise.race([stopped, database.superseded])
    const isSuperseded = reason instanceof UsageError
    if (isSuperseded) app.log.error("another program has changed the database", { reason: reason.message })
    else app.log.info("service stopping", { signal: reason })
    exitInTime(app.log)
    notifier.stopping()
    server.refuseReadiness()
    if (isSuperseded) throw reason
    return undefined
  },
})
