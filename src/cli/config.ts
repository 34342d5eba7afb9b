import { UsageError } from "../base/errors.ts"
import { backupProblem, describeSettings, readConfig, unknownSettings } from "../config/config.ts"
import { settings } from "../config/settings.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"

export const config = defineCommand({
  about: "checks the settings and prints those in force, secrets masked",
  options: { json },
  async run({ options, environment }) {
    const read = readConfig(environment)
    const problem = backupProblem(read)
    if (problem)
      throw new UsageError(`bad settings:\n  ${settings.backupDir.name}=${read.backup.dir} ${problem}`)
    for (const name of unknownSettings(environment)) say(`guichet: ${name} is no setting and is ignored`)
    const described = describeSettings(environment)
    if (options.json)
      print(JSON.stringify(Object.fromEntries(described.map(({ name, value }) => [name, value]))))
    else for (const { name, value, from } of described) print(`${name}=${value}  # ${from}`)
    return undefined
  },
})
