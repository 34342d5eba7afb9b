import packageFile from "../../package.json" with { type: "json" }
import { type Command, print } from "./command.ts"

export const version: Command = {
  usage: "version [--json]",
  about: "prints the version of the program",
  options: { json: { type: "boolean" } },
  async run({ options }) {
    const { version } = packageFile
    print(
      options["json"]
        ? JSON.stringify({ version, bun: Bun.version })
        : `guichet ${version} (bun ${Bun.version})`,
    )
    return undefined
  },
}
