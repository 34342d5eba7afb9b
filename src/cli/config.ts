import { UsageError } from "../base/errors.ts"
import { backupProblem, describeSettings, readConfig, unknownSettings } from "../config/config.ts"
import { settings } from "../config/settings.ts"
import { defineCommand, json, say } from "./kit/command.ts"

export const config = defineCommand({
  about: "checks the settings and prints those in force, secrets masked",
  options: { json },
  async run({ environment }) {
    const read = readConfig(environment)
    const problem = backupProblem(read)
    if (problem)
      throw new UsageError(`bad settings:\n  ${settings.backupDir.name}=${read.backup.dir} ${problem}`)
    for (const name of unknownSettings(environment)) say(`guichet: ${name} is no setting and is ignored`)
    const described = describeSettings(environment)
    return {
      json: Object.fromEntries(described.map(({ name, value }) => [name, value])),
      text: described.map(({ name, value, from }) => `${name}=${value}  # ${from}`),
    }
  },
})
