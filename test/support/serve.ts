import { program } from "./bundle.ts"
import { databaseSettings } from "./postgres.ts"

/** `guichet serve` as a process of its own. Disposed of, it is killed. */
export interface Served extends AsyncDisposable {
  url: string
  pid: number
  stop(signal?: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGKILL"): void
  exited: Promise<number>
  /** What it has logged so far. */
  log(): string
}

/** A service that may have to wait for what it needs. */
export interface Launched extends Omit<Served, "url"> {
  /** Its address, once it is ready; rejects when it ends before. */
  ready: Promise<string>
}

/** Resolves once it is ready. `command`: another way to start the same program. */
export async function startServe(
  environment: Record<string, string>,
  command?: readonly string[],
  options: readonly string[] = [],
): Promise<Served> {
  const launched = await launchServe(environment, command, options)
  return { ...launched, url: await launched.ready }
}

export async function launchServe(
  environment: Record<string, string>,
  command?: readonly string[],
  options: readonly string[] = [],
): Promise<Launched> {
  const child = Bun.spawn([...(command ?? [process.execPath, await program()]), "serve", ...options], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GUICHET_PORT: "0",
      GUICHET_EMBEDDING: "none",
      ...(await databaseSettings(environment["GUICHET_DATA_DIR"])),
      ...environment,
    },
    stdout: "ignore",
    stderr: "pipe",
  })
  let log = ""
  const ready = Promise.withResolvers<string>()
  const decoder = new TextDecoder()
  void (async () => {
    for await (const bytes of child.stderr) {
      log += decoder.decode(bytes, { stream: true })
      const [, url] = /"service ready".*?"url":"([^"]+)"/.exec(log) ?? []
      if (url) ready.resolve(url)
    }
    ready.reject(new Error(`the service ended without being ready:\n${log}`))
  })()
  ready.promise.catch(() => {})
  return {
    ready: ready.promise,
    pid: child.pid,
    stop: (signal = "SIGTERM") => child.kill(signal),
    exited: child.exited,
    log: () => log,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await child.exited
    },
  }
}
