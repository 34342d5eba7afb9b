import packageFile from "../../package.json" with { type: "json" }
import { defineCommand, json } from "./kit/command.ts"

export const version = defineCommand({
  about: "prints the version of the program",
  options: { json },
  async run() {
    const { version } = packageFile
    return { json: { version, bun: Bun.version }, text: `guichet ${version} (bun ${Bun.version})` }
  },
})
