import { openApp } from "../app.ts"
import { readConfig } from "../config.ts"
import { startJobs } from "../jobs.ts"
import { startServer } from "../server.ts"
import type { Command } from "./command.ts"

export const serve: Command = {
  usage: "serve",
  about: "runs the service until SIGTERM or SIGINT",
  async run({ environment }) {
    await using app = await openApp(readConfig(environment))
    await using _work = app.work()
    await using server = startServer(app)
    await using _jobs = await startJobs(app)
    app.log.info("service ready", { url: server.url, dataDir: app.config.dataDir })
    const signal = await stopSignal()
    app.log.info("service stopping", { signal })
    return undefined
  },
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process as usual. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve("SIGTERM"))
    process.once("SIGINT", () => resolve("SIGINT"))
  })
}
