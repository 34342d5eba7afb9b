import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect } from "bun:test"
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { findOperator, type Operator } from "../../src/accounts/operator.ts"
import { makePasswordLink } from "../../src/accounts/password-link.ts"
import { dayMs } from "../../src/base/clock.ts"
import { eraseAddress } from "../../src/forms/responses/erase.ts"
import { childRunner } from "../../src/host/child-process.ts"
import { makeScheduledBackup } from "../../src/jobs/backups.ts"
import { openRecipients } from "../../src/webhooks/delivery/recipients.ts"
import { insertEndpoint } from "../../src/webhooks/endpoints/endpoint.ts"
import { signingKey } from "../../src/webhooks/endpoints/signature.ts"
import { guichet, program } from "../support/cli.ts"
import { contents, filledIn } from "../support/files.ts"
import { type FormSite, site } from "../support/forms.ts"
import { signedIn } from "../support/operator.ts"
import { onSqlite } from "../support/postgres.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const main = await program()

let folder: TemporaryFolder
let forms: FormSite
let dataDir: string
const backups = () => join(folder.path, "backups")
const file = () => join(backups(), "one.db")
const restored = () => join(folder.path, "restored")

beforeEach(async () => {
  folder = temporaryFolder()
  forms = await aService().withSettings({ GUICHET_BACKUP_DIR: backups() }).withForms().started()
  dataDir = forms.service.app.config.dataDir
})
afterEach(async () => {
  await forms[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (dir: string, ...argv: string[]) =>
  guichet(argv, { GUICHET_DATA_DIR: dir, GUICHET_BACKUP_DIR: backups() })

async function endpoint(): Promise<{ id: string; secret: string }> {
  const { app } = forms.service
  const wanted = { url: "https://hooks.acme.fr/", description: "", active: true, projects: [], forms: [] }
  const made = await insertEndpoint(app.db, app.vault, forms.api.workspaceId, wanted, app.clock.now())
  return { id: made.endpoint.id, secret: made.secret }
}

/** The keys that a service on the restored folder signs with. */
async function keysOf(id: string): Promise<Buffer[] | undefined> {
  await using service = await aService().withSettings({ GUICHET_DATA_DIR: restored() }).started()
  const { db, vault, clock } = service.app
  return (await openRecipients(db, vault)(db, [id], clock.now())).get(id)?.keys
}

onSqlite("a backup while the service runs is whole, private and overwrites nothing", async () => {
  const form = await forms.form()
  const posts = Promise.all(Array.from({ length: 50 }, () => form.json({ nom: "Ada" })))
  const made = await run(dataDir, "backup", file(), "--json")
  expect(made.exitCode, made.stderr).toBe(0)
  expect(JSON.parse(made.stdout)).toEqual({ file: file(), key: null })
  expect((await posts).every(({ status }) => status === 201)).toBe(true)
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(
    readdirSync(backups())
      .filter((name) => name.startsWith("one"))
      .sort(),
  ).toEqual(["one.db", "one.db.sha256"])
  using copy = new Database(file(), { readonly: true })
  expect(copy.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
  const before = readFileSync(file())
  const again = await run(dataDir, "backup", file())
  expect(again).toMatchObject({ exitCode: 1, stdout: "" })
  expect(again.stderr).toContain("exists already")
  expect(readFileSync(file()).equals(before)).toBe(true)
})

onSqlite("what was erased after the backup stays erased, and the journal names nobody", async () => {
  const form = await forms.form()
  await form.json({ nom: "Ada Lovelace", adresse: "ada@exemple.fr" })
  const kept = (await form.json({ nom: "Grace", adresse: "grace@exemple.fr" })).body.id
  await run(dataDir, "backup", file(), "--with-key")
  expect(await eraseAddress(forms.service.app, "Ada@exemple.fr")).toBe(1)
  const journal = readFileSync(join(backups(), "erasures.jsonl"), "utf8")
  expect(journal).toMatch(/^\{"at":"2026-03-10T09:00:00.000Z","response":"resp_[0-9a-f]{32}"\}\n$/)
  const done = await run(restored(), "restore", file(), "--json")
  expect(done.exitCode, done.stderr).toBe(0)
  expect(JSON.parse(done.stdout)).toEqual({ erased: 1, secrets_renewed: [] })
  using database = new Database(join(restored(), "guichet.db"), { readonly: true })
  expect(database.query("SELECT id FROM form_response").all()).toEqual([{ id: kept }])
  expect(
    JSON.stringify(database.query("SELECT CAST(payload AS TEXT) AS text FROM message").all()),
  ).not.toContain("Ada")
})

onSqlite(
  "a backup holds the files of responses; what was erased after it has none after a restore",
  async () => {
    const fields = [
      { name: "adresse", label: "Adresse", type: "email" },
      { name: "cv", label: "CV", type: "file" },
    ]
    const form = await forms.form({ fields })
    for (const who of ["ada", "grace"])
      await form.send({
        headers: { origin: site },
        body: filledIn({ adresse: `${who}@exemple.fr` }, ["cv", `${who}.pdf`, contents.pdf]),
      })
    await run(dataDir, "backup", file(), "--with-key")
    await eraseAddress(forms.service.app, "ada@exemple.fr")
    expect((await run(restored(), "restore", file())).exitCode).toBe(0)
    using database = new Database(join(restored(), "guichet.db"), { readonly: true })
    expect(database.query("SELECT name FROM form_response_file").all()).toEqual([{ name: "grace.pdf" }])
    for (const table of ["stored_file", "stored_file_part"])
      expect(database.query(`SELECT count(*) AS count FROM ${table}`).get()).toEqual({ count: 1 })
  },
)

onSqlite(
  "with the key the secrets are read again; without it they are new, and the command says so",
  async () => {
    const { id, secret } = await endpoint()
    await run(dataDir, "backup", file(), "--with-key")
    expect(statSync(`${file()}.key`).mode & 0o777).toBe(0o600)
    const whole = await run(restored(), "restore", file())
    expect(whole).toMatchObject({ exitCode: 0, stderr: "" })
    expect(await keysOf(id)).toEqual([signingKey(secret)])
    rmSync(restored(), { recursive: true })
    rmSync(`${file()}.key`)
    const bare = await run(restored(), "restore", file(), "--json")
    expect(bare.exitCode, bare.stderr).toBe(0)
    expect(bare.stderr).toContain("cannot be read without the key")
    expect(JSON.parse(bare.stdout).secrets_renewed).toEqual(["https://hooks.acme.fr/"])
    const [renewed] = (await keysOf(id)) ?? []
    expect(renewed).toHaveLength(32)
    expect(renewed).not.toEqual(signingKey(secret))
  },
)

onSqlite("nobody is signed in after a restore: who signed out since is not back", async () => {
  const client = await signedIn(forms.service)
  expect((await client.get("/console/projects")).status).toBe(200)
  const link = await makePasswordLink(
    forms.service.app.db,
    {
      operator: (await findOperator(forms.service.app.db, client.email)) as Operator,
      workspaceId: forms.api.workspaceId,
      publicUrl: "",
    },
    Date.now(),
  )
  await run(dataDir, "backup", file(), "--with-key")
  const done = await run(restored(), "restore", file())
  expect(done.stdout).toContain("everybody signs in anew")
  await using service = await aService().withSettings({ GUICHET_DATA_DIR: restored() }).started()
  expect(await service.app.db.selectFrom("operator").select("email").execute()).toHaveLength(1)
  const headers = { cookie: client.cookie }
  const reply = await fetch(`${service.url}/console/projects`, { headers, redirect: "manual" })
  expect([reply.status, reply.headers.get("location")]).toEqual([
    303,
    "/console/sign-in?next=%2Fconsole%2Fprojects",
  ])
  // A link that was used since is not good once more.
  expect((await fetch(service.url + link)).status).toBe(404)
})

onSqlite("a backup is restored into an empty folder only, and a damaged one not at all", async () => {
  await run(dataDir, "backup", file())
  const occupied = await run(dataDir, "restore", file())
  expect(occupied.exitCode).toBe(1)
  expect(occupied.stderr).toContain("is not empty")
  const damaged = join(backups(), "damaged.db")
  cpSync(file(), damaged)
  truncateSync(damaged, statSync(damaged).size / 2)
  const refused = await run(restored(), "restore", damaged)
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toContain("is damaged")
  const newer = join(backups(), "newer.db")
  cpSync(file(), newer)
  {
    using database = new Database(newer)
    database.run("PRAGMA user_version = 9999")
  }
  mkdirSync(restored())
  expect((await run(restored(), "restore", newer)).stderr).toContain("newer Guichet")
  expect(readdirSync(restored())).toEqual([])
  expect((await run(restored(), "restore", join(backups(), "none.db"))).exitCode).toBe(1)
})

onSqlite("an empty file and another program's database are no backups", async () => {
  mkdirSync(backups(), { recursive: true })
  const empty = join(backups(), "empty.db")
  await Bun.write(empty, "")
  const foreign = join(backups(), "foreign.db")
  {
    using database = new Database(foreign)
    database.run("CREATE TABLE thing (id INTEGER)")
  }
  for (const wrong of [empty, foreign]) {
    const refused = await run(restored(), "restore", wrong)
    expect(refused.exitCode, wrong).toBe(1)
    expect(refused.stderr).toContain("not a backup")
    expect(existsSync(restored())).toBe(false)
  }
})

onSqlite(
  "what is restored is nobody else's to read, and can be written to, whatever the backup's rights are",
  async () => {
    await run(dataDir, "backup", file(), "--with-key")
    chmodSync(file(), 0o444)
    chmodSync(`${file()}.key`, 0o444)
    expect((await run(restored(), "restore", file())).exitCode).toBe(0)
    for (const name of ["guichet.db", "secret.key"])
      expect(statSync(join(restored(), name)).mode & 0o777, name).toBe(0o600)
  },
)

onSqlite("a backup whose key cannot be put beside it is not made", async () => {
  mkdirSync(backups(), { recursive: true })
  await Bun.write(`${file()}.key`, "another one's")
  const refused = await run(dataDir, "backup", file(), "--with-key")
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" })
  expect(refused.stderr).toContain(`${file()}.key exists already`)
  expect(existsSync(file())).toBe(false)
})

onSqlite(
  "a backup writes to no name that somebody could have foreseen, and put a link in its place",
  async () => {
    // A folder of its own: the running service writes its dated backup to the usual one.
    const apart = join(folder.path, "apart")
    mkdirSync(apart)
    const target = join(folder.path, "somebody’s")
    for (const name of ["one.db.unfinished", "one.db.key.unfinished"]) symlinkSync(target, join(apart, name))
    const seen = new Set<string>()
    using _watcher = watched(apart, seen)
    const { exitCode } = await run(dataDir, "backup", join(apart, "one.db"), "--with-key")
    expect([exitCode, existsSync(target)]).toEqual([0, false])
    while (!seen.has("one.db.sha256")) await Bun.sleep(1)
    const foreseeable = [...seen].filter((name) => !/^one\.db(\.key|\.sha256)?\.unfinished-\w{6}$/.test(name))
    expect(foreseeable.sort()).toEqual(["one.db", "one.db.key", "one.db.sha256"])
  },
)

function watched(path: string, seen: Set<string>): Disposable {
  const watcher = watch(path, (_event, name) => void (name && seen.add(name)))
  return { [Symbol.dispose]: () => watcher.close() }
}

onSqlite(
  "nothing is added to what the journal of erasures is made a name of, and then nothing is erased",
  async () => {
    const form = await forms.form()
    await form.json({ nom: "Ada", adresse: "ada@exemple.fr" })
    mkdirSync(backups(), { recursive: true })
    const target = join(folder.path, "somebody’s")
    const journal = join(backups(), "erasures.jsonl")
    writeFileSync(target, "kept")
    const planted: [name: string, plant: () => void][] = [
      ["link", () => symlinkSync(target, journal)],
      ["second name", () => linkSync(target, journal)],
      ["pipe", () => void Bun.spawnSync(["mkfifo", journal])],
      ["folder", () => mkdirSync(journal)],
    ]
    for (const [name, plant] of planted) {
      plant()
      await expect(eraseAddress(forms.service.app, "ada@exemple.fr"), name).rejects.toThrow()
      expect([name, readFileSync(target, "utf8")]).toEqual([name, "kept"])
      rmSync(journal, { recursive: true })
    }
    expect(await eraseAddress(forms.service.app, "ada@exemple.fr")).toBe(1)
    expect(statSync(journal).mode & 0o777).toBe(0o600)
  },
)

onSqlite("what a killed backup leaves is cleaned up, and only that", async () => {
  const nightly = join(folder.path, "nightly")
  const environment = { ...process.env, GUICHET_DATA_DIR: dataDir, GUICHET_LOG_LEVEL: "error" }
  const runChild = childRunner(environment, [process.execPath, main])
  for (const name of ["guichet-20260101T014300Z.db.unfinished-aB3xYz", "mine.db.unfinished-aB3xYz"])
    mkdirSync(join(nightly, name), { recursive: true })
  writeFileSync(join(nightly, "guichet-20260101T014300Z.db.unfinished"), "")
  const at = Date.parse("2026-03-10T01:43:00Z")
  await makeScheduledBackup({ dir: nightly, keep: 2 }, runChild, at, new AbortController().signal)
  expect(readdirSync(nightly).sort()).toEqual([
    "guichet-20260310T014300Z.db",
    "guichet-20260310T014300Z.db.sha256",
    "mine.db.unfinished-aB3xYz",
  ])
})

onSqlite(
  "the nightly backups: the oldest go, never before the new one is there, and never another file",
  async () => {
    const nightly = join(folder.path, "nightly")
    const environment = { ...process.env, GUICHET_DATA_DIR: dataDir, GUICHET_LOG_LEVEL: "error" }
    const runChild = childRunner(environment, [process.execPath, main])
    const signal = new AbortController().signal
    const night = (number: number) => Date.parse("2026-03-10T01:43:00Z") + number * dayMs
    mkdirSync(nightly)
    await Bun.write(join(nightly, "mine.db"), "kept")
    for (const number of [0, 1, 2])
      await makeScheduledBackup({ dir: nightly, keep: 2 }, runChild, night(number), signal)
    const kept = ["guichet-20260311T014300Z.db", "guichet-20260312T014300Z.db"]
    const expected = [...kept.flatMap((name) => [name, `${name}.sha256`]), "mine.db"]
    expect(readdirSync(nightly).sort()).toEqual(expected)
    await expect(makeScheduledBackup({ dir: nightly, keep: 1 }, runChild, night(2), signal)).rejects.toThrow(
      "exists already",
    )
    expect(readdirSync(nightly).sort()).toEqual(expected)
    await makeScheduledBackup({ dir: undefined, keep: 1 }, runChild, night(3), signal)
  },
)

onSqlite("a backup that is not the one that was made is not restored, and --verify says so", async () => {
  await run(dataDir, "backup", file(), "--with-key")
  expect(Bun.spawnSync(["sha256sum", "-c", "one.db.sha256"], { cwd: backups() }).exitCode).toBe(0)
  const verified = await run("/nowhere", "backup", "--verify", file(), "--json")
  expect(JSON.parse(verified.stdout)).toEqual({ file: file(), sound: true, checksum: true })
  const other = join(backups(), "other.db")
  await forms.form()
  await run(dataDir, "backup", other)
  // Each is a sound database: the checksum alone tells that this is another one.
  const spoilt: [name: string, spoil: () => void][] = [
    ["one.db.key", () => writeFileSync(`${file()}.key`, "another one's")],
    ["one.db", () => cpSync(other, file())],
    ["one.db.sha256", () => writeFileSync(`${file()}.sha256`, "")],
  ]
  for (const [name, spoil] of spoilt) {
    spoil()
    for (const argv of [
      ["backup", "--verify", file()],
      ["restore", file()],
      ["restore", file(), "--trial"],
    ]) {
      const refused = await run(restored(), ...argv)
      expect([refused.exitCode, refused.stdout], argv.join(" ")).toEqual([1, ""])
      expect(refused.stderr).toContain(name)
    }
    expect(existsSync(restored())).toBe(false)
  }
  rmSync(`${file()}.sha256`)
  const old = await run(restored(), "backup", "--verify", file(), "--json")
  expect(JSON.parse(old.stdout)).toEqual({ file: file(), sound: true, checksum: false })
})

onSqlite("a trial restores a backup with the key of the service, and keeps nothing of it", async () => {
  await endpoint()
  await run(dataDir, "backup", file())
  // The running service may make its dated one meanwhile.
  const ours = () => readdirSync(backups()).filter((name) => name.startsWith("one"))
  const tried = await run(dataDir, "restore", file(), "--trial", "--json")
  expect([tried.exitCode, JSON.parse(tried.stdout)], tried.stderr).toEqual([
    0,
    { erased: 0, secrets_renewed: [], trial: true },
  ])
  // Another machine has not the key.
  const elsewhere = await run(restored(), "restore", file(), "--trial")
  expect(elsewhere.exitCode).toBe(1)
  expect(elsewhere.stdout).toContain("its secrets cannot be read")
  expect([ours().sort(), existsSync(restored())]).toEqual([["one.db", "one.db.sha256"], false])
})

onSqlite("there is nothing to back up where there is no database, and none is made", async () => {
  const nowhere = join(folder.path, "nowhere")
  expect(await run(nowhere, "backup", file())).toMatchObject({ exitCode: 1, stdout: "" })
  expect(existsSync(nowhere)).toBe(false)
})
