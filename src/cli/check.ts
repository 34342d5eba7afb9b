import { openApp } from "../app.ts"
import { secondMs } from "../base/clock.ts"
import { type Config, readConfig } from "../config/config.ts"
import { hostInUrl } from "../http/host.ts"
import { runChecks } from "../ops/checks/checks.ts"
import { inEnglish } from "../wording/english.ts"
import { type Command, print, say } from "./command.ts"

export const check: Command = {
  usage: "check [--ready] [--json]",
  about:
    "looks at the database, the index, the disk, the clock, the DNS, the mail server, the model, the public address and what is due; exits 1 when one failed; --ready only asks the running service whether it is ready, as a container engine does",
  options: { json: { type: "boolean" }, ready: { type: "boolean" } },
  async run({ options, environment }) {
    if (options["ready"]) return isReady(readConfig(environment), options["json"] === true)
    await using app = await openApp(readConfig(environment))
    const found = await runChecks(app, { wholeDatabase: true })
    const checks = found.map((check) => ({ ...check, detail: inEnglish(check.detail) }))
    if (options["json"]) print(JSON.stringify({ checks }))
    else for (const { name, state, detail } of checks) print(`${state.padEnd(8)}${name}: ${detail}`)
    return checks.some(({ state }) => state === "failed") ? 1 : 0
  },
}

const readyWithinMs = 4 * secondMs

/** By the address the service listens on; one that stands for all of the machine's is reached by loopback. */
async function isReady({ host, port }: Config, json: boolean): Promise<number> {
  const loopback: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" }
  const url = `http://${hostInUrl(loopback[host] ?? host)}:${port}/readyz`
  // Whatever proxy the environment names is not asked for what stands on this machine.
  const init = { proxy: false, signal: AbortSignal.timeout(readyWithinMs) } as unknown as RequestInit
  const reply = await fetch(url, init).catch(() => undefined)
  const ready = reply?.ok === true
  const said = reply ? (await reply.text()).trim() : null
  if (json) print(JSON.stringify({ ready, status: reply?.status ?? null, said }))
  else if (said === null) say("guichet check: no answer")
  else print(said)
  return ready ? 0 : 1
}
