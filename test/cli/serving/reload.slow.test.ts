import { afterAll, afterEach, test as anyTest, beforeEach, expect } from "bun:test"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { settings } from "../../../src/config/settings.ts"
import { openAuthority } from "../../support/authority.ts"
import { guichet, program } from "../../support/cli.ts"
import { openNotifySocket } from "../../support/notify-socket.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { administer, noPostgres } from "../../support/postgres-server.ts"
import { eventually, isAlive } from "../../support/processes.ts"
import { type Launched, launchServe, startServe } from "../../support/serve.ts"
import { type TemporaryFolder, temporaryFolder } from "../../support/service.ts"

const main = await program()

/* SIGHUP, and systemctl reload: secrets that files hold and certificate authorities are read again. */

const onPostgres = anyTest.skipIf(noPostgres())
const authorities = [openAuthority(), openAuthority()] as const
afterAll(() => {
  for (const authority of authorities) authority[Symbol.dispose]()
})

let folder: TemporaryFolder
let dataDir: string
beforeEach(() => {
  folder = temporaryFolder()
  dataDir = join(folder.path, "data")
  mkdirSync(dataDir)
})
afterEach(() => folder[Symbol.dispose]())

const [oldToken, newToken] = ["the-first-of-two-tokens", "the-second-of-two-tokens"]

/** Writes a file of a secret; its path. */
function secret(name: string, text: string): string {
  const file = join(folder.path, name)
  writeFileSync(file, text)
  return file
}

/** Resolves to the one line that a reload writes to the log. */
async function reload(service: Pick<Launched, "stop" | "log">): Promise<Record<string, unknown>> {
  const lines = () => service.log().match(/^.*"message":"settings (?:read again|cannot be).*$/gm) ?? []
  const before = lines().length
  service.stop("SIGHUP")
  await eventually(() => lines().length > before)
  expect(lines()).toHaveLength(before + 1)
  return JSON.parse(lines().at(-1) as string)
}

async function metricsWith(url: string, token: string): Promise<number> {
  return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status
}

anyTest("another token is the one that counts, its name is logged and its value is not", async () => {
  const file = secret("token", oldToken)
  await using service = await startServe({ GUICHET_DATA_DIR: dataDir, GUICHET_METRICS_TOKEN_FILE: file })
  expect(await reload(service)).toMatchObject({ level: "INFO", changed: [] })
  secret("token", newToken)
  expect(await reload(service)).toMatchObject({ level: "INFO", changed: ["GUICHET_METRICS_TOKEN"] })
  expect(await metricsWith(service.url, oldToken)).toBe(401)
  expect(await metricsWith(service.url, newToken)).toBe(200)
  expect(service.log()).not.toContain(newToken)
})

anyTest("a bad value changes nothing, not even what is good beside it, and is one error", async () => {
  const environment = {
    GUICHET_DATA_DIR: dataDir,
    GUICHET_METRICS_TOKEN_FILE: secret("token", oldToken),
    GUICHET_SMTP_URL_FILE: secret("smtp", "smtp://127.0.0.1:1025"),
  }
  await using service = await startServe(environment)
  secret("token", newToken)
  secret("smtp", "ftp://geheim@127.0.0.1")
  const line = await reload(service)
  expect(line).toMatchObject({ level: "ERROR", reason: expect.stringContaining("GUICHET_SMTP_URL") })
  expect(JSON.stringify(line)).not.toContain("geheim")
  expect(await metricsWith(service.url, oldToken)).toBe(200)
})

anyTest("the key of a model is sent as it is now", async () => {
  const keys: (string | null)[] = []
  using model = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ headers }) {
      keys.push(headers.get("authorization"))
      return new Response("", { status: 500 })
    },
  })
  const environment = {
    GUICHET_DATA_DIR: dataDir,
    GUICHET_MODEL: "openai",
    GUICHET_OPENAI_BASE_URL: `${model.url}v1`,
    GUICHET_OPENAI_MODEL: "m",
    GUICHET_OPENAI_API_KEY_FILE: secret("key", "first"),
  }
  const token = (await guichet(["token", "create"], environment)).stdout.trim()
  await using service = await startServe(environment)
  secret("key", "second")
  expect(await reload(service)).toMatchObject({ changed: ["GUICHET_OPENAI_API_KEY"] })
  await fetch(`${service.url}/api/v1/checks`, { headers: { authorization: `Bearer ${token}` } })
  expect(new Set(keys)).toEqual(new Set(["Bearer second"]))
})

onPostgres(
  "PostgreSQL is reached with the account of now; another database waits for the next start",
  async () => {
    const { GUICHET_DATABASE_URL: address = "", ...others } = serverSettings(await createDatabase())
    const role = `later_${crypto.randomUUID().slice(0, 8)}`
    const url = new URL(address)
    url.username = role
    const file = secret("database", url.href)
    const environment = { ...others, GUICHET_DATA_DIR: dataDir, GUICHET_DATABASE_URL: "" }
    await using service = await launchServe({ ...environment, GUICHET_DATABASE_URL_FILE: file })
    await eventually(() => service.log().includes("the server refuses"))
    // Also while it waits for the database.
    secret("database", address)
    expect(await reload(service)).toMatchObject({ changed: ["GUICHET_DATABASE_URL"] })
    await service.ready
    await administer(address, `CREATE ROLE ${role} LOGIN SUPERUSER`)
    secret("database", url.href)
    expect(await reload(service)).toMatchObject({ changed: ["GUICHET_DATABASE_URL"] })
    const sql = new Bun.SQL(address, { max: 1 })
    await eventually(async () => {
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guichet'
        AND datname = current_database() AND pid <> pg_backend_pid()`
      const [row] = await sql`SELECT 1 FROM pg_stat_activity WHERE usename = ${role}`
      return row && (await fetch(`${await service.ready}/readyz`)).status === 200
    })
    await sql.close()
    secret("database", await createDatabase())
    expect(await reload(service)).toMatchObject({ changed: [], atNextStart: ["GUICHET_DATABASE_URL"] })
  },
)

anyTest("so does another key of the data", async () => {
  const key = (byte: number) => secret("data-key", Buffer.alloc(32, byte).toString("base64"))
  const environment = { GUICHET_DATA_DIR: dataDir, GUICHET_DATABASE_URL: "", GUICHET_SECRET_KEY: "" }
  await using service = await startServe({ ...environment, GUICHET_SECRET_KEY_FILE: key(1) })
  key(2)
  expect(await reload(service)).toMatchObject({ changed: [], atNextStart: ["GUICHET_SECRET_KEY"] })
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
})

anyTest("certificate authorities are read again; a file without any changes nothing", async () => {
  const file = join(folder.path, "authorities.pem")
  copyFileSync(authorities[0].caFile, file)
  await using service = await startServe({ GUICHET_DATA_DIR: dataDir, NODE_EXTRA_CA_CERTS: file })
  copyFileSync(authorities[1].caFile, file)
  expect(await reload(service)).toMatchObject({ changed: ["certificate authorities"] })
  writeFileSync(file, "none")
  expect(await reload(service)).toMatchObject({
    level: "ERROR",
    reason: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  })
})

anyTest.skipIf(process.platform !== "linux")("systemd is told of its beginning and its end", async () => {
  using socket = openNotifySocket(join(folder.path, "notify"))
  await using service = await startServe({ GUICHET_DATA_DIR: dataDir, NOTIFY_SOCKET: socket.address })
  let last = await socket.next()
  while (last !== "STATUS=ready") last = await socket.next()
  service.stop("SIGHUP")
  expect(await socket.next()).toMatch(/^RELOADING=1\nMONOTONIC_USEC=\d+$/)
  expect(await socket.next()).toBe("READY=1")
})

anyTest.skipIf(!Bun.which("script"))(
  "where there is a terminal it ends the service, and the demo",
  async () => {
    for (const command of ["serve", "demo"]) {
      const child = Bun.spawn(
        ["script", "--quiet", "--command", `exec '${process.execPath}' '${main}' ${command}`, "/dev/null"],
        {
          env: {
            PATH: process.env["PATH"] ?? "",
            TMPDIR: folder.path,
            GUICHET_DATA_DIR: dataDir,
            GUICHET_PORT: "0",
            GUICHET_EMBEDDING: "none",
          },
          stdin: "pipe",
          stdout: "pipe",
        },
      )
      let said = ""
      for await (const bytes of child.stdout) {
        said += new TextDecoder().decode(bytes)
        if (/service ready|Ctrl-C stops it/.test(said)) break
      }
      const [pid = 0] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")
        .trim()
        .split(" ")
        .map(Number)
      process.kill(pid, "SIGHUP")
      await eventually(() => !isAlive(pid))
      child.kill("SIGKILL")
      await child.exited
    }
  },
)

anyTest("the page of the settings names those that a reload changes", () => {
  const page = readFileSync(join(import.meta.dir, "../../../data/operate/configure.md"), "utf8")
  const [, section = ""] = /^## Reload\n(.*?)^## /ms.exec(page) ?? []
  const named = [...section.matchAll(/`((?:GUICHET|GEMINI|AWS)_\w+)`/g)].map(([, name]) => name)
  const declared = Object.values(settings).filter((setting) => "reloads" in setting)
  expect(new Set(named)).toEqual(new Set(declared.map(({ name }) => name)))
})
