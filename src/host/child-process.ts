import { getPriority, setPriority } from "node:os"
import { join, relative } from "node:path"
import type { Environment } from "../config/parse.ts"
import { processMemory } from "./process-usage.ts"

/** The end of a command that ran in a process of its own. */
export interface ChildEnd {
  exitCode: number
  /** The last 2,000 characters it wrote to stderr. */
  stderrTail: string
  /** The process was killed because it exceeded its memory limit. */
  exceededMemory: boolean
}

export interface ChildLimits {
  /** Limit for the process and its children together, at any moment. */
  memoryBytes?: number
  /** When aborted, sends `giveWaySignal`, at which an indexing ends in its own time. */
  giveWay?: AbortSignal
  /**
   * A process of this one's priority makes the command's writes (`writerArgument`): SQLite has one lock for all
   * writers, which a process that may starve must not hold.
   */
  hasWriter?: boolean
}

/** Asks a process to end as soon as it can without losing work. One that knows nothing of it ends at once. */
export const giveWaySignal = "SIGUSR2"

/**
 * Runs a command of this same program at low priority in a child process, which never outlives this one. An abort sends
 * SIGTERM, and SIGKILL if the child has not ended 5 seconds later.
 */
export type RunChild = (argv: string[], signal: AbortSignal, limits?: ChildLimits) => Promise<ChildEnd>

/** Whether this process runs the compiled binary rather than the sources. */
export const isCompiled = import.meta.path.startsWith("/$bunfs/")

/** The first argument of a process that parses for its parent. */
export const parserArgument = "parse-for-parent"

/** The first argument of a process that runs the embedding model for its parent. */
export const modelArgument = "embed-for-parent"

/** The first argument of a process that judges new passwords for its parent. */
export const passwordArgument = "judge-passwords-for-parent"

/**
 * The first argument of a process that has its parent's priority, starts a command at low priority and makes the
 * command's writes to the database; the words of the command follow.
 */
export const writerArgument = "write-for-child"

/** The first argument of a command whose writes its parent makes; its words follow. */
export const readerArgument = "writes-by-parent"

/** How much nicer than its parent: long work must not slow down answers to visitors. */
const nicer = 10
const nicest = 19
const stderrTailCharacters = 2000
/** Shorter than a stop of the service may take. */
const graceMs = 5000
/** A process that allocates without pause takes some 200 MB between two checks. */
const memoryCheckMs = 200

/**
 * In the environment of a Bun process: the kernel kills it when the process that started it ends, for any
 * reason, and its own children in turn (`bun --no-orphans`; PR_SET_PDEATHSIG on Linux). The compiled binary
 * obeys it too.
 */
export const diesWithParent = { BUN_FEATURE_FLAG_NO_ORPHANS: "1" } as const

/**
 * `environment` is the one that this process was configured from, so that both work on the same data folder.
 * `program` starts this program in another way.
 */
export function childRunner(environment: Environment, program = thisProgram()): RunChild {
  return async (argv, signal, limits = {}) => {
    const { memoryBytes = Number.POSITIVE_INFINITY, giveWay, hasWriter = false } = limits
    const words = hasWriter ? [writerArgument, ...argv] : argv
    const child = Bun.spawn([...program, ...words], {
      env: { ...environment, ...diesWithParent },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    })
    if (!hasWriter) lowerPriority(child.pid)
    let exceededMemory = false
    let grace: NodeJS.Timeout | undefined
    const stop = () => {
      child.kill("SIGTERM")
      grace = setTimeout(() => child.kill("SIGKILL"), graceMs)
    }
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
    const askToEnd = () => child.kill(giveWaySignal)
    giveWay?.addEventListener("abort", askToEnd, { once: true })
    const check = setInterval(() => {
      if (processMemory(child.pid) <= memoryBytes) return
      exceededMemory = true
      child.kill("SIGKILL")
    }, memoryCheckMs)
    try {
      let stderrTail = ""
      const decoder = new TextDecoder()
      for await (const bytes of child.stderr)
        stderrTail = (stderrTail + decoder.decode(bytes, { stream: true })).slice(-stderrTailCharacters)
      return { exitCode: await child.exited, stderrTail: stderrTail.trim(), exceededMemory }
    } finally {
      clearInterval(check)
      clearTimeout(grace)
      signal.removeEventListener("abort", stop)
      giveWay?.removeEventListener("abort", askToEnd)
    }
  }
}

/** Gives way to answers to visitors. An unprivileged process never gets a priority back. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + nicer, nicest))
  } catch {
    // The process has ended already, or the system has no priorities.
  }
}

/** The words that start this program: the compiled binary itself, or Bun with `main.ts`. */
export function thisProgram(): readonly string[] {
  return isCompiled ? [process.execPath] : [process.execPath, join(import.meta.dir, "../main.ts")]
}

/** The words that start this program from a shell in `folder`, as it was started itself. */
export function typedProgram(folder = process.cwd()): string {
  if (isCompiled) return Bun.which("guichet") === process.execPath ? "guichet" : process.execPath
  // `npx` keeps the Bun that it fetched away from the shell.
  const bun = process.execPath.includes("/_npx/") ? `npx -y bun@${Bun.version}` : "bun"
  return `${bun} ${relative(folder, join(import.meta.dir, "../main.ts"))}`
}
