import { openApp } from "../app.ts"
import { runChecks } from "../checks/checks.ts"
import { readConfig } from "../config.ts"
import { type Command, print } from "./command.ts"

export const check: Command = {
  usage: "check [--json]",
  about:
    "looks at the database, the index, the disk, the clock, the DNS, the mail server, the model, the public address and what is due; exits 1 when one failed",
  options: { json: { type: "boolean" } },
  async run({ options, environment }) {
    await using app = await openApp(readConfig(environment))
    const checks = await runChecks(app, { wholeDatabase: true })
    if (options["json"]) print(JSON.stringify({ checks }))
    else for (const { name, state, detail } of checks) print(`${state.padEnd(8)}${name}: ${detail}`)
    return checks.some(({ state }) => state === "failed") ? 1 : 0
  },
}
