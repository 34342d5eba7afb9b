import { setPriority } from "node:os"
import { join } from "node:path"
import { diesWithParent } from "./parent.ts"
import { memoryOf } from "./usage.ts"

/** How a command ended that was run in a process of its own. */
export interface ChildEnd {
  exitCode: number
  /** The last lines it wrote to stderr. */
  lastWords: string
  /** It took more memory than it was given, and was killed. */
  exceededMemory: boolean
}

export interface ChildLimits {
  /** Of the process and those that it starts, at any moment. */
  memoryBytes?: number
}

/**
 * Runs a command of this same program in a process of its own, which never outlives this one. Aborted, it is
 * asked to end (SIGTERM), and killed when it has not within seconds.
 */
export type RunChild = (argv: string[], signal: AbortSignal, limits?: ChildLimits) => Promise<ChildEnd>

/** Whether this is the built file, which holds everything. */
export const isCompiled = import.meta.path.startsWith("/$bunfs/")

/** Calls the program as the process that parses for another. */
export const parserArgument = "parse-for-parent"

/** Long work leaves the processor to whoever asks. */
const lowPriority = 10
const keptCharacters = 2000
/** Less than a stop of the service may take. */
const graceMs = 5000
/** A process that allocates as fast as it can takes some 200 MB meanwhile. */
const memoryCheckMs = 200

/**
 * `environment` is the one this process was configured from: both must work on the same data folder.
 * `program`: another way to start this one.
 */
export function childRunner(
  environment: Record<string, string | undefined>,
  program = thisProgram(),
): RunChild {
  return async (argv, signal, { memoryBytes = Number.POSITIVE_INFINITY } = {}) => {
    const child = Bun.spawn([...program, ...argv], {
      env: { ...environment, ...diesWithParent },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    })
    try {
      setPriority(child.pid, lowPriority)
    } catch {
      // It has ended already, or the system has no priorities.
    }
    let exceededMemory = false
    let grace: NodeJS.Timeout | undefined
    const stop = () => {
      child.kill("SIGTERM")
      grace = setTimeout(() => child.kill("SIGKILL"), graceMs)
    }
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
    const check = setInterval(() => {
      if (memoryOf(child.pid) <= memoryBytes) return
      exceededMemory = true
      child.kill("SIGKILL")
    }, memoryCheckMs)
    try {
      let lastWords = ""
      const decoder = new TextDecoder()
      for await (const bytes of child.stderr)
        lastWords = (lastWords + decoder.decode(bytes, { stream: true })).slice(-keptCharacters)
      return { exitCode: await child.exited, lastWords: lastWords.trim(), exceededMemory }
    } finally {
      clearInterval(check)
      clearTimeout(grace)
      signal.removeEventListener("abort", stop)
    }
  }
}

/** The compiled file runs itself; from the sources it is Bun that runs main.ts. */
export function thisProgram(): readonly string[] {
  return isCompiled ? [process.execPath] : [process.execPath, join(import.meta.dir, "../main.ts")]
}
