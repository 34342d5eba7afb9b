import { isAbsolute } from "node:path"
import { UsageError } from "../base/errors.ts"
import { unitFile } from "../host/systemd/unit.ts"
import type { Command } from "./command.ts"

const usualPath = "/usr/local/bin/guichet"

export const systemdUnit: Command = {
  usage: "systemd-unit [--binary PATH]",
  about: `prints the unit file for systemd, commented line by line; --binary says where the program stands, ${usualPath} unless told`,
  options: { binary: { type: "string" } },
  async run({ options }) {
    const binary = String(options["binary"] ?? usualPath)
    if (!isAbsolute(binary) || /\s/.test(binary))
      throw new UsageError("--binary is an absolute path without spaces")
    process.stdout.write(unitFile(binary))
    return undefined
  },
}
