import { Database } from "bun:sqlite"
import { test as anyTest, expect } from "bun:test"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { tablesToMove } from "../../src/db/move/move.ts"
import { holdDatabase } from "../../src/db/open.ts"
import { openConnection } from "../../src/db/postgres/connection.ts"
import { openSource, openTarget } from "../../src/db/sqlite/move.ts"
import { answerable, origin } from "../support/ask.ts"
import { guichet, startGuichet } from "../support/cli.ts"
import { type MovableClock, movableClock } from "../support/clock.ts"
import { createDatabase, databaseSettings, serverSettings } from "../support/postgres.ts"
import { noPostgres } from "../support/postgres-server.ts"
import { startServe } from "../support/serve.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const test = anyTest.skipIf(noPostgres())

/** Settings that say where an installation is. An empty address means SQLite, whatever the engine of the run is. */
type Place = Record<"GUICHET_DATA_DIR" | "GUICHET_DATABASE_URL", string> & Record<string, string>

const rowCount = 40_000

const inFolder = (folder: TemporaryFolder, name: string): Place => ({
  GUICHET_DATA_DIR: join(folder.path, name),
  GUICHET_DATABASE_URL: "",
  GUICHET_SECRET_KEY: "",
})

const inPostgres = async (folder: TemporaryFolder, name: string): Promise<Place> => ({
  ...inFolder(folder, name),
  ...serverSettings(await createDatabase()),
})

const addressOf = (place: Place) => place.GUICHET_DATABASE_URL || place.GUICHET_DATA_DIR

/** The next place, on the other engine. */
const otherPlace = (folder: TemporaryFolder, from: Place, name: string): Promise<Place> | Place =>
  from.GUICHET_DATABASE_URL ? inFolder(folder, name) : inPostgres(folder, name)

const move = (from: Place, to: Place, ...options: string[]) =>
  guichet(["move", "--to", addressOf(to), ...options], from)

/** Makes an empty installation at a place, whose folder commands do not make by themselves. */
async function opened(place: Place): Promise<void> {
  mkdirSync(place.GUICHET_DATA_DIR, { recursive: true })
  const made = await guichet(["workspace", "list", "--json"], place)
  expect(made.exitCode, made.stderr).toBe(0)
}

/** A database of so many rows that a move of it can be killed in between. */
async function filled(place: Place): Promise<void> {
  await opened(place)
  await run(
    place,
    place.GUICHET_DATABASE_URL
      ? `INSERT INTO setup_link SELECT 'link' || n, n FROM generate_series(1, ${rowCount}) n`
      : `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${rowCount})
         INSERT INTO setup_link SELECT 'link' || n, n FROM n`,
  )
}

/** One statement at a place, or in the unfinished copy there; its rows. */
async function run(place: Place, statement: string, isCopy = false): Promise<Record<string, unknown>[]> {
  if (place.GUICHET_DATABASE_URL) {
    const sql = new Bun.SQL(place.GUICHET_DATABASE_URL, { max: 1 })
    try {
      if (isCopy) await sql.unsafe("SET search_path TO guichet_move")
      return [...(await sql.unsafe(statement))]
    } finally {
      await sql.close()
    }
  }
  using database = new Database(join(place.GUICHET_DATA_DIR, isCopy ? "moving/guichet.db" : "guichet.db"), {
    readwrite: true,
  })
  database.run("PRAGMA busy_timeout = 5000")
  return database.query(statement).all() as Record<string, unknown>[]
}

const copiedRows = async (place: Place): Promise<number> => {
  const counted = await run(place, "SELECT count(*) AS rows FROM setup_link", true).catch(() => undefined)
  return Number(counted?.[0]?.["rows"] ?? 0)
}

/** Kills a move as soon as it has copied some rows, and not yet all. */
async function killedMove(from: Place, to: Place): Promise<void> {
  let copied = 0
  // One that is looked at just as it makes its database may find it busy, and ends: the next one goes on.
  for (let tries = 0; tries < 5 && copied === 0; tries++) {
    const child = await startGuichet(["move", "--to", addressOf(to)], from)
    while ((await copiedRows(to)) === 0 && child.exitCode === null) await Bun.sleep(2)
    child.kill("SIGKILL")
    await child.exited
    copied = await copiedRows(to)
  }
  expect(copied).toBeGreaterThan(0)
  expect(copied).toBeLessThan(rowCount)
}

/** From each engine to the other one. */
const directions = test.each([
  ["SQLite to PostgreSQL", inFolder],
  ["PostgreSQL to SQLite", inPostgres],
] as const)

directions("a move from %s that is killed goes on where it was", async (_name, place) => {
  using folder = temporaryFolder()
  const from = await place(folder, "from")
  const to = await otherPlace(folder, from, "to")
  await filled(from)
  await killedMove(from, to)
  const kept = await run(to, "SELECT min(expires_at) AS first FROM setup_link", true)
  expect(kept).not.toEqual([{ first: null }])
  const moved = await move(from, to, "--json")
  expect(moved.exitCode, moved.stderr).toBe(0)
  const { was_moved, tables } = JSON.parse(moved.stdout)
  expect(was_moved).toBe(false)
  expect(tables.find(({ table }: { table: string }) => table === "setup_link").rows).toBe(rowCount)
  expect(await rowsOf(to)).toEqual(await rowsOf(from))
  // Killed after the last step, the command finds everything in its place.
  const again = await move(from, to, "--json")
  expect(JSON.parse(again.stdout)).toEqual({ was_moved: true, tables })
})

const rowsOf = async (place: Place) => {
  const rows = await run(place, "SELECT hash, expires_at FROM setup_link ORDER BY expires_at")
  return rows.map(({ hash, expires_at }) => `${hash} ${expires_at}`)
}

directions(
  "from %s, rows that were changed meanwhile are found out, and nothing is published",
  async (_, place) => {
    using folder = temporaryFolder()
    const from = await place(folder, "from")
    const to = await otherPlace(folder, from, "to")
    await filled(from)
    await killedMove(from, to)
    // The first in the order of the key, which the next call does not copy again.
    await run(to, "UPDATE setup_link SET expires_at = -1 WHERE hash = 'link1'", true)
    const changed = await move(from, to)
    expect(changed).toMatchObject({ exitCode: 1, stdout: "" })
    expect(changed.stderr).toContain("rows of setup_link are not the same")
    await run(to, "DELETE FROM setup_link WHERE hash = 'link1'", true)
    expect((await move(from, to)).stderr).toContain(
      `setup_link has ${rowCount} rows here, ${rowCount - 1} there`,
    )
    expect(await run(to, "SELECT hash FROM setup_link").catch(() => "none")).toBe("none")
    const anew = await move(from, to, "--restart")
    expect(anew.exitCode, anew.stderr).toBe(0)
    // Nor is a place taken for moved whose rows have changed since.
    await run(to, "DELETE FROM setup_link WHERE hash = 'link1'")
    const later = await move(from, to)
    expect(later.exitCode).toBe(1)
    expect(later.stderr).toContain("holds other data")
  },
)

directions("a service is stopped before a move from %s", async (_name, place) => {
  using folder = temporaryFolder()
  const from = await place(folder, "from")
  const to = await otherPlace(folder, from, "to")
  {
    await using _served = await startServe(from)
    const refused = await move(from, to)
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" })
    expect(refused.stderr).toContain("stop")
  }
  expect((await move(from, to)).exitCode).toBe(0)
})

test("while a data folder is moved nobody writes to it, and no service starts on it", async () => {
  using folder = temporaryFolder()
  const from = inFolder(folder, "from")
  await opened(from)
  await using _source = openSource(from.GUICHET_DATA_DIR)
  const command = await guichet(["workspace", "add", "--name", "Client"], from)
  expect(command.exitCode).not.toBe(0)
  expect(command.stderr).toContain("another program holds it")
  expect(holdDatabase({ dataDir: from.GUICHET_DATA_DIR, server: undefined })).rejects.toThrow("guichet move")
})

directions("a target of a move from %s that holds other data is refused as it is", async (_name, place) => {
  using folder = temporaryFolder()
  const from = await place(folder, "from")
  await opened(from)
  await guichet(["workspace", "add", "--name", "Client"], from)
  const to = await otherPlace(folder, from, "to")
  await opened(to)
  await guichet(["workspace", "add", "--name", "Agence"], to)
  const refused = await move(from, to, "--restart")
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" })
  expect(refused.stderr).toContain("nothing is overwritten")
  const names = await run(to, "SELECT name FROM workspace WHERE name IN ('Agence', 'Client')")
  expect(names.map(({ name }) => name)).toEqual(["Agence"])
})

test("tables of another program are other data, and nothing is made beside them", async () => {
  using folder = temporaryFolder()
  const from = inFolder(folder, "from")
  await opened(from)
  const to = await inPostgres(folder, "to")
  await run(to, "CREATE TABLE customers (name text)")
  const refused = await move(from, to)
  expect(refused.exitCode).toBe(1)
  expect(refused.stderr).toContain("customers")
  expect(await run(to, "SELECT 1 FROM pg_namespace WHERE nspname = 'guichet_move'")).toEqual([])
})

test("what PostgreSQL cannot hold, and what differs between engines, arrives the same", async () => {
  using folder = temporaryFolder()
  const from = inFolder(folder, "from")
  await opened(from)
  await run(
    from,
    "INSERT INTO setup_link VALUES ('Z', 1), ('a', 2), ('_', 3), ('é', 4), ('👋', 5), (char(65, 0, 66), 6)",
  )
  await run(from, "INSERT INTO limit_count VALUES ('', 'a', 0, 1795545600000.125), ('', 'b', 0, 5)")
  const to = await inPostgres(folder, "to")
  const moved = await move(from, to)
  expect(moved.exitCode, moved.stderr).toBe(0)
  await using connection = await openConnection({ url: addressOf(to), ca: undefined, tls: undefined })
  const links = await connection.db.selectFrom("setup_link").selectAll().orderBy("expires_at").execute()
  expect(links.map(({ hash }) => hash)).toEqual(["Z", "a", "_", "é", "👋", "A\ufffdB"])
  const visits = await connection.db.selectFrom("limit_count").select("until").orderBy("subject").execute()
  expect(visits.map(({ until }) => until)).toEqual([1795545600000.125, 5])
})

test("every table of the program is moved, after those that it refers to", async () => {
  const names = tablesToMove.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const [child, parent] of [
    ["attempt", "delivery"],
    ["delivery", "message"],
    ["message", "workspace"],
    ["workspace", "organisation"],
    ["form_response_address", "form_response"],
  ] as const)
    expect(names.indexOf(child)).toBeGreaterThan(names.indexOf(parent))
})

test("only one move to a data folder runs", async () => {
  using folder = temporaryFolder()
  await using _target = openTarget(folder.path)
  expect(() => openTarget(folder.path)).toThrow()
})

test("an installation answers the same on the other engine, and back on the first", async () => {
  using folder = temporaryFolder()
  const clock = movableClock()
  const dataDir = join(folder.path, "first")
  const { token, ids } = await aWorld(dataDir, clock)
  // Known once the world is made: its database is a copy of another one.
  let place: Place = {
    GUICHET_DATA_DIR: dataDir,
    GUICHET_DATABASE_URL: "",
    ...(await databaseSettings(dataDir)),
  }
  // The key that SQLite keeps in the folder is given to every place that follows.
  const keyFile = join(dataDir, "secret.key")
  const isKeyInFile = existsSync(keyFile)
  const key = isKeyInFile ? readFileSync(keyFile, "utf8").trim() : (place["GUICHET_SECRET_KEY"] as string)
  const keySettings: Record<string, string> = isKeyInFile
    ? { GUICHET_SECRET_KEY: "", GUICHET_SECRET_KEY_FILE: keyFile }
    : { GUICHET_SECRET_KEY: key }
  const before = await observed(place, clock, token, ids)
  expect(before["/api/v1/forms"]?.items).toHaveLength(1)
  expect(before["uploaded"]).toContain("# Tarifs")
  for (const name of ["second", "third"]) {
    const next: Place = { ...(await otherPlace(folder, place, name)), ...keySettings }
    const moved = await move(place, next)
    expect(moved.exitCode, moved.stderr).toBe(0)
    expect(moved.stdout + moved.stderr).not.toContain(key)
    expect(moved.stderr).toContain(isKeyInFile && next.GUICHET_DATABASE_URL ? keyFile : "GUICHET_SECRET_KEY")
    expect(existsSync(join(next.GUICHET_DATA_DIR, "secret.key"))).toBe(false)
    const built = await guichet(["index", ids["projects"] as string, "--stored", "--wait", "--json"], next)
    expect(built.exitCode, built.stderr).toBe(0)
    expect(await observed(next, clock, token, ids)).toEqual(before)
    await sendsAnother(next, clock, token, ids)
    place = next
    Object.assign(before, await observed(place, clock, token, ids))
  }
})

async function aWorld(dataDir: string, clock: MovableClock) {
  const plan = aService().withSettings({ GUICHET_DATA_DIR: dataDir }).withClock(clock)
  await using world = await plan.withOneOfEach().started()
  await world.dispatcher.settled()
  return { token: world.token, ids: world.ids }
}

/** What the API and a visitor get, by one token for all places. */
async function observed(place: Place, clock: MovableClock, token: string, ids: Record<string, string>) {
  await using service = await serviceAt(place, clock)
  const api = apiWith(service.url, token)
  // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP
  const answers: Record<string, any> = {}
  for (const path of [
    "/api/v1/projects",
    "/api/v1/forms",
    `/api/v1/forms/${ids["forms"]}/responses?state=unwanted`,
    "/api/v1/endpoints",
    `/api/v1/endpoints/${ids["endpoints"]}/deliveries`,
    "/api/v1/operators",
    `/api/v1/projects/${ids["projects"]}/feeds`,
    `/api/v1/projects/${ids["projects"]}/feeds/${ids["feeds"]}/uploads`,
    `/api/v1/projects/${ids["projects"]}/synonyms`,
    `/api/v1/deliveries/${ids["deliveries"]}`,
  ])
    answers[path] = await api("GET", path)
  const asked = await fetch(`${service.url}/api/v1/ask`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ project: ids["projects"], question: answerable }),
  })
  const [upload] = answers[`/api/v1/projects/${ids["projects"]}/feeds/${ids["feeds"]}/uploads`].items
  const uploaded = await fetch(service.url + new URL(upload.url).pathname)
  delete upload.url
  // Each place has built its index at a time of its own.
  for (const project of answers["/api/v1/projects"].items) delete project.indexed_at
  const { id: _id, ...answer } = (await asked.json()) as Record<string, unknown>
  expect(answer["status"]).toBe("answered")
  return { ...answers, answer, uploaded: await uploaded.text() } as typeof answers
}

/** A new delivery is numbered after those that were moved, and signed with a secret that the key still opens. */
async function sendsAnother(place: Place, clock: MovableClock, token: string, ids: Record<string, string>) {
  await using service = await serviceAt(place, clock)
  const numbers = () => service.app.db.selectFrom("delivery").select("number").orderBy("number").execute()
  const before = await numbers()
  await apiWith(service.url, token)("POST", `/api/v1/endpoints/${ids["endpoints"]}/tests`)
  await service.dispatcher.settled()
  const after = await numbers()
  expect(after.slice(0, -1)).toEqual(before)
  const attempts = await service.app.db.selectFrom("attempt").select("outcome").execute()
  expect(new Set(attempts.map(({ outcome }) => outcome))).toEqual(new Set(["connection"]))
}

const serviceAt = (place: Place, clock: MovableClock) =>
  aService()
    .withSettings({ ...place, GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" })
    .withClock(clock)
    .started()

const apiWith = (url: string, token: string) => async (method: string, path: string) => {
  const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBeLessThan(300)
  return response.json()
}
