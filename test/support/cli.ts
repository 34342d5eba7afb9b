import { program } from "./bundle.ts"
import { databaseSettings } from "./postgres.ts"

export interface Ended {
  exitCode: number
  stdout: string
  stderr: string
}

export { program }

/** Commands that end by themselves and read nothing from stdin or a terminal. */
const short =
  /^(?:(?:project|feed|synonym|workspace|token|person|delivery|endpoint) (?!remove)|config|version|help)/
let previous: Promise<unknown> = Promise.resolve()

/** Runs such a command in this process, a fifteenth of the work of a new one. One at a time: they share stdout. */
function runHere(argv: string[], environment: Record<string, string>): Promise<Ended> {
  const run = previous.then(async () => {
    const { runCommand } = await import("../../src/cli/run.ts")
    const output = { stdout: "", stderr: "" }
    const restore = (["stdout", "stderr"] as const).map((name) => {
      const write = process[name].write
      process[name].write = ((text: string | Uint8Array) => {
        output[name] += typeof text === "string" ? text : new TextDecoder().decode(text)
        return true
      }) as typeof write
      return () => {
        process[name].write = write
      }
    })
    try {
      return { exitCode: await runCommand(argv, environment), ...output }
    } finally {
      for (const each of restore) each()
    }
  })
  previous = run.catch(() => {})
  return run
}

/**
 * Runs `guichet <argv>` as a person at a shell does; a short command in this process, unless `command` names a way to
 * start the program.
 */
export async function guichet(
  argv: string[],
  environment: Record<string, string>,
  stdin = "",
  command?: readonly string[],
): Promise<Ended> {
  const env = await settingsOf(environment)
  // What a process is told for its whole life cannot be told to a command within this one.
  const isShort = short.test(argv.join(" ")) && !argv.includes("--quiet")
  if (command === undefined && stdin === "" && isShort) return runHere(argv, env)
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
