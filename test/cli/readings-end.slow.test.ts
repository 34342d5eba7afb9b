import { test } from "bun:test"
import { openApp } from "../../src/app.ts"
import { endless, preloadEndlessPages } from "../support/endless-page.ts"
import { eventually, freeze, isAlive, parentOf, processesOf } from "../support/processes.ts"
import { startServe } from "../support/serve.ts"
import { configOf, temporaryFolder } from "../support/service.ts"
import { markdown } from "../support/site.ts"
import { openTenant } from "../support/tenant.ts"

/** Ends the service while a reading is stuck and a parser process works on a page that never ends. */
const ends = [
  ["is stopped", "SIGTERM"],
  ["is killed", "SIGKILL"],
] as const

test.each(ends)("readings end with a service that %s, whatever they are doing", async (_, signal) => {
  using folder = temporaryFolder()
  const environment = {
    GUICHET_DATA_DIR: folder.path,
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    GUICHET_LOG_LEVEL: "info",
    GUICHET_EMBEDDING: "none",
    ...preloadEndlessPages,
  }
  await using app = await openApp(
    await configOf({ ...environment, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
  )
  await using service = await startServe(environment)
  await using tenant = await openTenant(app, service.url, {
    pages: 1,
    answer: ({ pathname }) => (pathname === "/page-0" ? markdown(`# Titre\n\n${endless}`) : undefined),
  })
  await tenant.read()
  const reader = await tenant.reader()
  const parser = await eventually(() =>
    processesOf("parse-for-parent").find((pid) => parentOf(pid) === reader),
  )
  await eventually(() => tenant.site.log.includes("GET /page-0"))
  await freeze(reader)
  service.stop(signal)
  await service.exited
  await eventually(() => !isAlive(reader) && !isAlive(parser), 20_000)
})
