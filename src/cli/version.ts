import packageFile from "../../package.json" with { type: "json" }
import { type Command, print } from "./command.ts"

export const version: Command = {
  usage: "version",
  about: "prints the version of the program",
  async run() {
    print(`guichet ${packageFile.version} (bun ${Bun.version})`)
    return undefined
  },
}
