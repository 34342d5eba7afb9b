import { setPriority } from "node:os"
import { join } from "node:path"

/** How a command ended that was run in a process of its own. */
export interface ChildEnd {
  exitCode: number
  /** The last lines it wrote to stderr. */
  lastWords: string
}

/** Runs a command of this same program in a process of its own. Aborted, it is killed. */
export type RunChild = (argv: string[], signal: AbortSignal) => Promise<ChildEnd>

/** Whether this is the built file, which holds everything. */
export const isCompiled = import.meta.path.startsWith("/$bunfs/")

/** Long work leaves the processor to whoever asks. */
const lowPriority = 10
const keptCharacters = 2000

/** `environment` is the one this process was configured from: both must work on the same data folder. `program`: another way to start this one. */
export function childRunner(
  environment: Record<string, string | undefined>,
  program = thisProgram(),
): RunChild {
  return async (argv, signal) => {
    const child = Bun.spawn([...program, ...argv], {
      env: environment,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      signal,
    })
    try {
      setPriority(child.pid, lowPriority)
    } catch {
      // It has ended already, or the system has no priorities.
    }
    let lastWords = ""
    const decoder = new TextDecoder()
    for await (const bytes of child.stderr)
      lastWords = (lastWords + decoder.decode(bytes, { stream: true })).slice(-keptCharacters)
    return { exitCode: await child.exited, lastWords: lastWords.trim() }
  }
}

/** The compiled file runs itself; from the sources it is Bun that runs main.ts. */
function thisProgram(): readonly string[] {
  return isCompiled ? [process.execPath] : [process.execPath, join(import.meta.dir, "main.ts")]
}
