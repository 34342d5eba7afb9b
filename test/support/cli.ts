import { bundle } from "./bundle.ts"
import { databaseSettings } from "./postgres.ts"

export interface Ended {
  exitCode: number
  stdout: string
  stderr: string
}

/** The program, bundled from its sources. */
export const main = await bundle()

/**
 * Runs `guichet <argv>` as a process of its own, as a person at a shell does. `command`: another way to start
 * the same program.
 */
export async function guichet(
  argv: string[],
  environment: Record<string, string>,
  stdin = "",
  command: readonly string[] = [process.execPath, main],
): Promise<Ended> {
  const child = Bun.spawn([...command, ...argv], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GUICHET_LOG_LEVEL: "error",
      GUICHET_EMBEDDING: "none",
      ...(await databaseSettings(environment["GUICHET_DATA_DIR"])),
      ...environment,
    },
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
  return Bun.spawn([process.execPath, main, ...argv], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GUICHET_LOG_LEVEL: "error",
      GUICHET_EMBEDDING: "none",
      ...(await databaseSettings(environment["GUICHET_DATA_DIR"])),
      ...environment,
    },
    stdout: "ignore",
    stderr: "ignore",
  })
}
