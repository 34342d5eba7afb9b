import { runCommand } from "./cli/command.ts"

process.exitCode = await runCommand(Bun.argv.slice(2), process.env)
