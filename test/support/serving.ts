import { main } from "./cli.ts"

/** `guichet serve` as a process of its own, which a test may kill. */
export interface Serving extends AsyncDisposable {
  url: string
  pid: number
  /** Everything it has logged. */
  log(): string
  /** Resolves to its exit code, null after a signal that it could not answer to. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Resolves when it is ready; throws with what it said when it ends before. `program`: the compiled binary, or Bun and main.ts. */
export async function startServing(
  environment: Record<string, string>,
  program: readonly string[] = [process.execPath, main],
): Promise<Serving> {
  const child = Bun.spawn([...program, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", GUICHET_PORT: "0", ...environment },
    stdout: "ignore",
    stderr: "pipe",
  })
  let log = ""
  const ready = Promise.withResolvers<string>()
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of child.stderr) {
      log += decoder.decode(bytes, { stream: true })
      const [, url] = /"service ready".*?"url":"([^"]+)"/.exec(log) ?? []
      if (url) ready.resolve(url)
    }
    ready.reject(new Error(`the service did not start:\n${log}`))
  })()
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const exitCode = await child.exited
    await reading
    return child.signalCode ? null : exitCode
  }
  return {
    url: await ready.promise,
    pid: child.pid,
    log: () => log,
    end,
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")),
  }
}
