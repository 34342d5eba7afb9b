import { spyOn } from "bun:test"
import { Readable } from "node:stream"
import { program } from "./bundle.ts"
import { databaseSettings } from "./postgres.ts"

export interface Ended {
  exitCode: number
  stdout: string
  stderr: string
}

export { program }

/** Commands that go on until they are stopped. */
const lasting = new Set(["serve", "demo", "listen"])
/** What a process is told for its whole life, or does before it knows any command. */
const ofTheProcess = new Set(["--quiet", "--ready"])
let previous: Promise<unknown> = Promise.resolve()

/** Runs a command in this process, a fifteenth of the work of a new one. One at a time: they share the streams. */
function runHere(argv: string[], environment: Record<string, string>, stdin: string): Promise<Ended> {
  const run = previous.then(async () => {
    const { runCommand } = await import("../../src/cli/run.ts")
    const output = { stdout: "", stderr: "" }
    using replaced = new DisposableStack()
    for (const name of ["stdout", "stderr"] as const) {
      const { write } = process[name]
      process[name].write = ((text: string | Uint8Array) => {
        output[name] += typeof text === "string" ? text : new TextDecoder().decode(text)
        return true
      }) as typeof write
      replaced.defer(() => {
        process[name].write = write
      })
    }
    const read = spyOn(Bun.stdin, "stream").mockImplementation(() => new Blob([stdin]).stream())
    replaced.defer(() => read.mockRestore())
    // Tests have no stdin of their own to come back to.
    Object.defineProperty(process, "stdin", { value: Readable.from([stdin]), configurable: true })
    // As main.ts does.
    const mask = process.umask(0o077)
    replaced.defer(() => process.umask(mask))
    return { exitCode: await runCommand(argv, environment), ...output }
  })
  previous = run.catch(() => {})
  return run
}

/**
 * Runs `guichet <argv>` as a person at a shell does; in this process where the command ends by itself, unless `command`
 * names a way to start the program.
 */
export async function guichet(
  argv: string[],
  environment: Record<string, string>,
  stdin = "",
  command?: readonly string[],
): Promise<Ended> {
  const env = await settingsOf(environment)
  const endsByItself = !lasting.has(argv[0] ?? "") && !argv.some((word) => ofTheProcess.has(word))
  if (command === undefined && endsByItself) return runHere(argv, env, stdin)
  const child = Bun.spawn([...(command ?? [process.execPath, await program()]), ...argv], {
    env,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, stdout, stderr }
}

/** Starts `guichet <argv>` and leaves it running; disposed of, it is killed. */
export async function startGuichet(argv: string[], environment: Record<string, string>) {
  return Bun.spawn([process.execPath, await program(), ...argv], {
    env: await settingsOf(environment),
    stdout: "ignore",
    stderr: "ignore",
  })
}

async function settingsOf(environment: Record<string, string>): Promise<Record<string, string>> {
  return {
    PATH: process.env["PATH"] ?? "",
    GUICHET_LOG_LEVEL: "error",
    GUICHET_EMBEDDING: "none",
    ...(await databaseSettings(environment["GUICHET_DATA_DIR"])),
    ...environment,
  }
}
