import { errorLines } from "./base/journal.ts"
import {
  isCompiled,
  modelArgument,
  parserArgument,
  passwordArgument,
  readerArgument,
  writerArgument,
} from "./host/child-process.ts"
import { accountFor, installedEnvironment, installedPaths, runAs } from "./host/installation.ts"
import { claimAddonFolder } from "./host/native-addon.ts"
import { nativeFiles } from "./host/native-files.ts"

// Databases, keys and indexes are readable by this account alone, as under the systemd unit.
process.umask(0o077)
const argv = Bun.argv.slice(2)
const environment = isCompiled ? installedEnvironment(process.env, installedPaths) : process.env
const account = isCompiled ? accountFor(environment, process.getuid?.()) : undefined
/** With other words, the command itself tells what is wrong with them. */
const readyWords = ["check", "--ready", "--json", "--quiet"]
// No top-level await: Bun makes bytecode only of modules without one, and the tests run the bundle with
// bytecode.
void run().then((exitCode) => {
  process.exitCode = exitCode
})

async function run(): Promise<number> {
  // Comes first, because it must start fast: a parser process starts with every reading, and again after
  // every page that exceeds its limits.
  if (argv[0] === parserArgument) return (await import("./cli/children/limited-process.ts")).parseForParent()
  if (argv[0] === modelArgument)
    return (await import("./cli/children/model-process.ts")).answerParent(argv[1])
  if (argv[0] === passwordArgument)
    return (await import("./cli/children/limited-process.ts")).judgePasswordsForParent()
  if (argv[0] === writerArgument)
    return (await import("./cli/children/writing-process.ts")).writeForChild(argv.slice(1), environment)
  if (argv[0] === "check" && argv.includes("--ready") && argv.every((word) => readyWords.includes(word)))
    return (await import("./cli/kit/ready.ts")).checkReady(environment, argv.includes("--json"))
  const ended = account && (await runAs(account, [process.execPath, ...argv], environment, installedPaths))
  return ended ?? runHere()
}

async function runHere(): Promise<number> {
  // Comes before the import of the commands, which loads LanceDB.
  const folder =
    "model" in nativeFiles ? undefined : await claimAddonFolder(process.env, nativeFiles.indexEngine)
  if (folder?.problem) {
    process.stderr.write(`${errorLines(`guichet: ${folder.problem}`, environment["JOURNAL_STREAM"])}\n`)
    return 1
  }
  process.stdout.on("error", exitOnOutputError)
  const { runCommand } = await import("./cli/run.ts")
  folder?.loaded()
  if (argv[0] !== readerArgument) return runCommand(argv, environment)
  const { openParentWriter } = await import("./cli/children/writing-process.ts")
  using writer = openParentWriter()
  return await runCommand(argv.slice(1), environment, writer.send)
}

/**
 * Ends the process when stdout cannot be written. That is a failure, except when the reader closed the pipe,
 * as `guichet config | head` does.
 */
function exitOnOutputError({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") process.exit()
  process.stderr.write(`guichet: the output cannot be written: ${message}\n`)
  process.exit(1)
}
