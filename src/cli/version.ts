import packageFile from "../../package.json" with { type: "json" }
import { defineCommand, json, print } from "./kit/command.ts"

export const version = defineCommand({
  about: "prints the version of the program",
  options: { json },
  async run({ options }) {
    const { version } = packageFile
    print(
      options.json
        ? JSON.stringify({ version, bun: Bun.version })
        : `guichet ${version} (bun ${Bun.version})`,
    )
    return undefined
  },
})
