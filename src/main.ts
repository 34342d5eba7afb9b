import { isCompiled, parserArgument } from "./host/child-process.ts"
import { accountFor, installedEnvironment, installedPlaces, runAs } from "./host/installation.ts"
import { enterAddonFolder } from "./host/native-addon.ts"

// What it makes is nobody else's to read, as under the unit: databases, keys, indexes.
process.umask(0o077)
const argv = Bun.argv.slice(2)
const environment = isCompiled ? installedEnvironment(process.env, installedPlaces) : process.env
const account = isCompiled ? accountFor(environment, process.getuid?.()) : undefined
// Not awaited here: Bun compiles beforehand only what awaits within functions, and the tests run this
// compiled.
void run().then((exitCode) => {
  process.exitCode = exitCode
})

async function run(): Promise<number> {
  // Before anything else is looked at: it is started with every reading, and again for every page that takes
  // too much.
  if (argv[0] === parserArgument) return (await import("./cli/parse.ts")).answerParent()
  const ended = account && (await runAs(account, [process.execPath, ...argv], environment, installedPlaces))
  return ended ?? runHere()
}

async function runHere(): Promise<number> {
  // Before anything is imported: the commands bring LanceDB with them.
  const folder = isCompiled ? enterAddonFolder(process.env) : undefined
  if (folder?.trouble) {
    process.stderr.write(`guichet: ${folder.trouble}\n`)
    return 1
  }
  process.stdout.on("error", endWithoutOutput)
  const { runCommand } = await import("./cli/run.ts")
  folder?.loaded()
  return runCommand(argv, environment)
}

/**
 * What was asked for has not come: that is a failure, but for `guichet config | head`, whose reader has seen
 * enough.
 */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") process.exit()
  process.stderr.write(`guichet: the output cannot be written: ${message}\n`)
  process.exit(1)
}
