import { secondMs } from "../base/clock.ts"
import { type Config, readConfig } from "../config/config.ts"
import { hostInUrl } from "../http/host.ts"
import { runChecks } from "../ops/checks/checks.ts"
import { inEnglish } from "../wording/english.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"
import { openData } from "./kit/open.ts"

export const check = defineCommand({
  about: "checks everything that the service needs; exits 1 when a check failed",
  details:
    "Looks at the database, the index, the object store, the disk, the clock, the DNS, the mail server, the model, the public address and the deliveries that are due.",
  options: {
    ready: { about: "only asks the running service whether it is ready, as a container engine does" },
    json,
  },
  async run({ options, environment }) {
    if (options.ready) return checkReady(readConfig(environment), options.json === true)
    await using app = await openData(environment)
    const found = await runChecks(app, { wholeDatabase: true })
    const checks = found.map((check) => ({ ...check, detail: inEnglish(check.detail) }))
    if (options.json) print(JSON.stringify({ checks }))
    else for (const { name, state, detail } of checks) print(`${state.padEnd(8)}${name}: ${detail}`)
    return checks.some(({ state }) => state === "failed") ? 1 : 0
  },
})

const readyWithinMs = 4 * secondMs

/**
 * Asks the service at the address it listens on, and gives the exit code. A wildcard address is reached by
 * loopback.
 */
async function checkReady({ host, port }: Config, json: boolean): Promise<number> {
  const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" }
  const url = `http://${hostInUrl(loopback[host] ?? host)}:${port}/readyz`
  // A proxy that the environment names cannot reach this machine's loopback.
  const init = { proxy: false, signal: AbortSignal.timeout(readyWithinMs) } as unknown as RequestInit
  const reply = await fetch(url, init).catch(() => undefined)
  const ready = reply?.ok === true
  const answer = reply ? (await reply.text()).trim() : null
  if (json) print(JSON.stringify({ ready, status: reply?.status ?? null, said: answer }))
  else if (answer === null) say("guichet check: no answer")
  else print(answer)
  return ready ? 0 : 1
}
