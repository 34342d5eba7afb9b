import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isMissing } from "./missing.ts"
import { administer, freePort } from "./postgres-server.ts"

const program = Bun.which("pgbouncer", { PATH: `${process.env["PATH"]}:/usr/sbin` })

/** Whether tests through PgBouncer are skipped here. */
export function noPgbouncer(): boolean {
  return isMissing(
    program !== null,
    "Tests through PgBouncer are skipped: it is missing. Install it (apt-get install pgbouncer).",
  )
}

/** Starts PgBouncer in front of a database; the address of this database through it. */
export async function startPgbouncer(
  database: string,
  mode: "session" | "transaction",
  poolSize: number,
): Promise<Disposable & { url: string }> {
  const folder = mkdtempSync(join(tmpdir(), "guichet-pgbouncer-"))
  const { hostname, port: serverPort, pathname, username } = new URL(database)
  const name = pathname.slice(1)
  const port = await freePort()
  const settings = [
    "[databases]",
    `${name} = host=${hostname} port=${serverPort} dbname=${name} user=${username}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    `logfile = ${join(folder, "log")}`,
  ]
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(file, `${settings.join("\n")}\n`)
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) Bun.spawnSync(["chown", "-R", "nobody:nogroup", folder])
  const command = [program as string, "-q", ...(isRoot ? ["-u", "nobody"] : []), file]
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" })
  const url = new URL(database)
  url.port = String(port)
  for (;;) {
    const isReady = await administer(url.href, "SELECT 1").then(
      () => true,
      () => false,
    )
    if (isReady) break
    if (child.exitCode !== null) throw new Error(await Bun.file(join(folder, "log")).text())
    await Bun.sleep(20)
  }
  return {
    url: url.href,
    [Symbol.dispose]() {
      child.kill("SIGKILL")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
