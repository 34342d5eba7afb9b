import { closeSync, openSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { diesWithParent } from "../../../src/host/child-process.ts"
import { program as bundled } from "../../support/cli.ts"
import { freePort } from "../../support/port.ts"
import { eventually, freeze, isAlive } from "../../support/processes.ts"

const main = await bundled()

/** `guichet serve` on an address that stays the same when the process does not. Disposed of, it is killed. */
export interface NodeProcess extends AsyncDisposable {
  index: number
  url: string
  /** Resolves once it is ready. */
  start(): Promise<void>
  kill(): Promise<void>
  /** SIGTERM; resolves to the exit code. */
  drain(): Promise<number>
  freeze(): Promise<void>
  /** Does nothing to a process that was killed meanwhile. */
  thaw(): void
}

interface NodePlan {
  index: number
  environment: Record<string, string>
  /** Seconds by which its clock is ahead of the machine's. */
  clockSeconds: number
  /** File to which the log of every one of its processes is appended. */
  log: string
  /** The built binary in place of the sources. */
  program: string | undefined
}

export async function openNode({
  index,
  environment,
  clockSeconds,
  log,
  program,
}: NodePlan): Promise<NodeProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const command = program ? [program] : [process.execPath, main]
  let child: Bun.Subprocess | undefined

  async function end(signal: NodeJS.Signals): Promise<number> {
    if (!child) return 0
    child.kill(signal)
    const exitCode = await child.exited
    child = undefined
    return exitCode
  }

  function launch(): Bun.Subprocess {
    const stderr = openSync(log, "a")
    const launched = Bun.spawn([...command, "serve"], {
      env: {
        PATH: process.env["PATH"] ?? "",
        ...environment,
        ...clockAhead(clockSeconds),
        ...diesWithParent,
        GUICHET_PORT: String(port),
      },
      stdout: "ignore",
      stderr,
    })
    closeSync(stderr)
    return launched
  }

  return {
    index,
    url,
    async start() {
      child = launch()
      await eventually(async () => {
        // As systemd starts again what could not start.
        if (child?.exitCode !== null) child = await Bun.sleep(500).then(launch)
        return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok
      })
    },
    async kill() {
      await end("SIGKILL")
    },
    drain: () => end("SIGTERM"),
    async freeze() {
      if (child) await freeze(child.pid)
    },
    thaw: () => child?.kill("SIGCONT"),
    async [Symbol.asyncDispose]() {
      await end("SIGKILL")
    },
  }
}

const libraries = "/usr/lib"
const preloaded = "faketime/libfaketimeMT.so.1"

/** Debian's `faketime` without its own process: that one would outlive what it starts. */
function clockAhead(seconds: number): Record<string, string> {
  const library = fakeClock()
  if (seconds === 0 || !library) return {}
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds > 0 ? "+" : "-"}${Math.abs(seconds)}s`,
    // Timers go on as they are: no clock that is set wrong changes them.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  }
}

/** The library that gives a process another clock; undefined where `faketime` is not installed. */
export function fakeClock(): string | undefined {
  return readdirSync(libraries)
    .map((folder) => join(libraries, folder, preloaded))
    .find((file) => Bun.file(file).size > 0)
}

/** Removes the shared memory that the library made for processes that were killed. */
export function removeFakeClocks(): void {
  for (const entry of readdirSync("/dev/shm")) {
    const [, pid] = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/.exec(entry) ?? []
    if (pid && !isAlive(Number(pid))) rmSync(join("/dev/shm", entry), { force: true })
  }
}
