/**
 * A node that sends, in a process of its own: `start` and `stop` its dispatcher, `count` the attempts since. With `simulatedMs` an attempt takes
 * that long and reaches nobody. It also takes form posts, at the address that it says first.
 */
import { openApp } from "../../../src/app.ts"
import { readConfig } from "../../../src/config/config.ts"
import { startJobs } from "../../../src/scheduled-jobs.ts"
import { startServer } from "../../../src/server.ts"
import type { SendResult } from "../../../src/webhooks/delivery/send.ts"
import { answerCommands } from "./child.ts"

export interface SenderWork {
  settings: Record<string, string>
  simulatedMs?: number
}

const { settings, simulatedMs } = JSON.parse(process.argv[2] as string) as SenderWork
await using app = await openApp(readConfig(settings))
await using server = startServer(app)
await using _jobs = await startJobs(app)
const { send } = app.outbound
let attempts = 0
app.outbound.send = async (...sent) => {
  const result = await (simulatedMs === undefined ? send(...sent) : simulated(simulatedMs))
  attempts++
  return result
}
let work: ReturnType<typeof app.work> | undefined
await answerCommands(server.url, async (command) => {
  if (command === "count") return String(attempts)
  if (command === "start") {
    attempts = 0
    work = app.work()
  } else {
    await work?.[Symbol.asyncDispose]()
    work = undefined
    Bun.gc(true)
  }
  return command
})
await work?.[Symbol.asyncDispose]()

async function simulated(ms: number): Promise<SendResult> {
  const startedMs = performance.now()
  await Bun.sleep(ms)
  const durationMs = Math.round(performance.now() - startedMs)
  const unasked = { cause: null, address: null, responseExcerpt: null, responseHeaders: null }
  return { outcome: "delivered", status: 204, durationMs, ...unasked }
}
