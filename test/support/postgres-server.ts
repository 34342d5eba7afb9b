import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isMissing } from "./missing.ts"

export interface PostgresServer extends Disposable {
  url(database: string): string
}

/** A server that a test has started for itself. */
export interface OwnPostgres extends PostgresServer {
  port: number
  /** Its first process; another one after a restart. */
  pid(): number
  /** Kills it as the loss of its machine's power does; what it has on its disk stays. */
  crash(): Promise<void>
  /** Starts it again after a crash; resolves when it has recovered. */
  restart(): Promise<void>
}

/** Nothing that a test stores has to outlive the machine. */
export const testSettings = [
  ...["fsync=off", "full_page_writes=off", "autovacuum=off"],
  ...["synchronous_commit=on", "max_connections=400"],
]

const user = "guichet"
/** Debian's place. */
const programs = "/usr/lib/postgresql"

/** Whether tests that start a PostgreSQL are skipped here. */
export function noPostgres(): boolean {
  return isMissing(
    existsSync(programs),
    `Tests on PostgreSQL are skipped: ${programs} is missing. Install it (apt-get install postgresql).`,
  )
}

/** Runs one statement on a connection of its own. */
export async function administer(url: string, statement: string): Promise<void> {
  const sql = new Bun.SQL(url, { max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.close()
  }
}

/**
 * Starts Debian's PostgreSQL on a free port, with a new data folder that goes with it. With a certificate it speaks
 * TLS to those who ask for it.
 */
export async function startPostgres(
  settings: readonly string[],
  certified?: { cert: string; key: string },
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "guichet-postgres-"))
  const data = join(folder, "data")
  // PostgreSQL refuses to run as root.
  const asUser =
    process.getuid?.() === 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
  if (asUser.length > 0) Bun.spawnSync(["chown", "nobody:nogroup", folder])
  const initdb = ["initdb", "--no-sync", "-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-locale"]
  const made = Bun.spawnSync([...asUser, program(initdb[0] as string), ...initdb.slice(1)], { cwd: folder })
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const port = await freePort()
  const options = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings]
  if (certified) {
    const [cert, key] = [join(folder, "server.crt"), join(folder, "server.key")]
    writeFileSync(cert, certified.cert)
    writeFileSync(key, certified.key, { mode: 0o600 })
    if (asUser.length > 0) Bun.spawnSync(["chown", "nobody:nogroup", cert, key])
    options.push("ssl=on", `ssl_cert_file=${cert}`, `ssl_key_file=${key}`)
  }
  const url = (database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`
  const launch = () =>
    Bun.spawn([...asUser, program("postgres"), "-D", data, ...options.flatMap((option) => ["-c", option])], {
      cwd: folder,
      stdout: "ignore",
      stderr: Bun.file(join(folder, "log")),
    })
  let child = launch()
  await isReady(url("postgres"), child)
  return {
    url,
    port,
    pid: () => child.pid,
    async crash() {
      child.kill("SIGKILL")
      await child.exited
    },
    async restart() {
      // It refuses to start until the last process of the one before has noticed that it is alone.
      for (;;) {
        child = launch()
        const started = await isReady(url("postgres"), child).then(
          () => true,
          () => false,
        )
        if (started) return
        await Bun.sleep(100)
      }
    },
    [Symbol.dispose]() {
      child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Rejects when the process ends before it takes connections. */
async function isReady(url: string, child: Bun.Subprocess): Promise<void> {
  for (;;) {
    try {
      await administer(url, "SELECT 1")
      return
    } catch (error) {
      if (child.exitCode !== null) throw error
      await Bun.sleep(20)
    }
  }
}

/** Of the newest version that is installed. */
function program(name: string): string {
  const versions = readdirSync(programs).sort((one, other) => Number(other) - Number(one))
  return join(programs, versions[0] as string, "bin", name)
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
