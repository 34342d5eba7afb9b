import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { parseDatabaseUrl } from "../../../src/config/database-url.ts"
import { openClient } from "../../../src/db/postgres/client.ts"
import { type Authority, openAuthority } from "../../support/authority.ts"
import { guichet } from "../../support/cli.ts"
import { serverSettings } from "../../support/postgres.ts"
import { noPostgres, type PostgresServer, startPostgres } from "../../support/postgres-server.ts"
import { temporaryFolder } from "../../support/service.ts"

let authority: Authority
let stranger: Authority
/** Named after this machine, after another one, and a server without a certificate. */
let named: PostgresServer
let misnamed: PostgresServer
let plain: PostgresServer

beforeAll(async () => {
  if (noPostgres()) return
  authority = openAuthority()
  stranger = openAuthority()
  ;[named, misnamed, plain] = await Promise.all([
    startPostgres(["fsync=off"], authority.certify(["localhost", "127.0.0.1"])),
    startPostgres(["fsync=off"], authority.certify(["db.exemple.fr"])),
    startPostgres(["fsync=off"]),
  ])
})
afterAll(() => {
  if (noPostgres()) return
  for (const each of [named, misnamed, plain, authority, stranger]) each[Symbol.dispose]()
})

/** Whether the connection is encrypted, or the code of the error that kept it from being made. */
async function connected(
  server: PostgresServer,
  mode: string,
  trusted?: Authority,
  host = "127.0.0.1",
): Promise<boolean | string> {
  const url = new URL(server.url("postgres"))
  url.hostname = host
  url.searchParams.set("sslmode", mode)
  if (trusted) url.searchParams.set("sslrootcert", trusted.caFile)
  const parsed = parseDatabaseUrl(url.href)
  if ("fault" in parsed) throw new Error(parsed.fault)
  try {
    const client = await openClient(parsed, { isRelaxed: false, statementTimeoutMs: 5000 })
    const [row] = await client.run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", [])
    client.close()
    return row?.["ssl"] as boolean
  } catch (error) {
    return String((error as { code?: string }).code)
  }
}

describe.skipIf(noPostgres())("TLS to PostgreSQL", () => {
  test("disable does not encrypt, require encrypts without any proof", async () => {
    expect(await connected(named, "disable")).toBe(false)
    expect(await connected(named, "require")).toBe(true)
    expect(await connected(misnamed, "require")).toBe(true)
  })

  test("verify-full wants a known authority and the name of the host", async () => {
    expect(await connected(named, "verify-full", authority)).toBe(true)
    expect(await connected(named, "verify-full", authority, "localhost")).toBe(true)
    expect(await connected(misnamed, "verify-full", authority)).toBeString()
    expect(await connected(named, "verify-full", stranger)).toBeString()
    expect(await connected(named, "verify-full")).toBeString()
  })

  test("verify-ca wants a known authority, whatever the name is", async () => {
    expect(await connected(misnamed, "verify-ca", authority)).toBe(true)
    expect(await connected(misnamed, "verify-ca", stranger)).toBeString()
    expect(await connected(misnamed, "verify-ca")).toBeString()
  })

  test("a server that does not speak TLS is never spoken to without it", async () => {
    for (const mode of ["require", "verify-ca", "verify-full"])
      expect(await connected(plain, mode, authority)).toBeString()
  })

  test("a command says what is wrong with the certificate, and not the password", async () => {
    using folder = temporaryFolder()
    for (const server of [misnamed, named]) {
      const url = new URL(server.url("postgres"))
      url.password = "verysecret"
      url.searchParams.set("sslmode", "verify-full")
      url.searchParams.set("sslrootcert", server === named ? stranger.caFile : authority.caFile)
      const refused = await guichet(["workspace", "list"], {
        GUICHET_DATA_DIR: folder.path,
        ...serverSettings(url.href),
      })
      expect(refused).toMatchObject({ exitCode: 1, stdout: "" })
      expect(refused.stderr).toContain("certificate")
      expect(refused.stderr).not.toContain("verysecret")
    }
  })
})
