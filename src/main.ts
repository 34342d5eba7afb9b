import { addonFolderTrouble } from "./addon-folder.ts"
import { isCompiled } from "./child.ts"

// Before anything is imported: the commands bring LanceDB with them.
const trouble = isCompiled ? addonFolderTrouble(process.env) : undefined
if (trouble) {
  process.stderr.write(`guichet: ${trouble}\n`)
  process.exit(1)
}
const { runCommand } = await import("./cli/run.ts")
process.exitCode = await runCommand(Bun.argv.slice(2), process.env)
