import { isAbsolute } from "node:path"
import { UsageError } from "../base/errors.ts"
import { unitFile } from "../host/systemd/unit.ts"
import { defineCommand } from "./kit/command.ts"

const usualPath = "/usr/local/bin/guichet"

export const systemdUnit = defineCommand({
  about: "prints the unit file for systemd, commented line by line",
  options: {
    binary: { value: "PATH", about: `absolute path of the program; ${usualPath} without it` },
  },
  async run({ options }) {
    const binary = options.binary ?? usualPath
    if (!isAbsolute(binary) || /\s/.test(binary))
      throw new UsageError("--binary is an absolute path without spaces")
    return { text: unitFile(binary).trimEnd() }
  },
})
