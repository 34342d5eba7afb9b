import { setUpFirstOperator } from "../accounts/first-operator.ts"
import { openApp } from "../app.ts"
import { backupTrouble, readConfig, unknownSettings } from "../config/config.ts"
import { refuseDamage } from "../db/sqlite/integrity.ts"
import { migrations } from "../db/sqlite/migrate.ts"
import { holdVersionLock } from "../db/sqlite/version-lock.ts"
import { removeOldAddons } from "../host/native-addon.ts"
import { openNotifier } from "../host/systemd/notify.ts"
import { startJobs } from "../scheduled-jobs.ts"
import { requireFreeAddress, startServer } from "../server.ts"
import type { Command } from "./command.ts"
import { endWithin, stopSignal } from "./stop.ts"

export const serve: Command = {
  usage: "serve",
  about:
    "runs the service until SIGTERM, SIGINT or SIGHUP, which it obeys within 15 seconds; a second one ends it at once",
  async run({ environment }) {
    using notifier = openNotifier(environment)
    const stopped = stopSignal()
    const config = readConfig(environment)
    await requireFreeAddress(config)
    await using app = await openApp(config)
    refuseDamage(config.dataDir)
    using _announced = holdVersionLock(config.dataDir, migrations.length)
    await setUpFirstOperator(app, app.clock.now())
    // Stopped from the last to the first: no new claims to begin with, while the server goes on answering.
    await using server = startServer(app)
    await using _jobs = await startJobs(app)
    await using _work = app.work()
    // No reason to refuse visitors; but nobody looks at the nights before a backup is needed.
    const trouble = backupTrouble(config)
    if (trouble) app.log.error("no backup can be made", { folder: config.backup.dir, trouble })
    const unknown = unknownSettings(environment)
    if (unknown.length > 0) app.log.warn("variables that are no settings are ignored", { unknown })
    app.log.info("service ready", { url: server.url, dataDir: app.config.dataDir })
    notifier.ready()
    const removed = removeOldAddons(environment)
    if (removed.length > 0) app.log.info("removed what other versions had unpacked", { removed })
    const signal = await stopped
    app.log.info("service stopping", { signal })
    endWithin(app.log)
    notifier.stopping()
    server.refuseReadiness()
    return undefined
  },
}
