import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { program } from "../support/cli.ts"
import { onSqlite } from "../support/postgres.ts"
import { type Served, startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"

const main = await program()

/** Starts it as systemd does: JOURNAL_STREAM names the device and inode of stderr. */
const underJournal = [
  "sh",
  "-c",
  'export JOURNAL_STREAM="$(stat -Lc %d:%i /proc/self/fd/2)"; exec "$@"',
  "sh",
  process.execPath,
  main,
]
const lines = (served: Served) => served.log().trim().split("\n")
const events = (served: Served) => lines(served).map((line) => JSON.parse(line))

async function ask(url: string, times: number): Promise<void> {
  const question = () =>
    fetch(`${url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://www.exemple.fr" },
      body: JSON.stringify({ project: "projectproject", question: "Où est la mairie secrète ?" }),
    })
  for (let time = 0; time < times; time++) expect((await question()).status).toBe(503)
}

onSqlite("errors that repeat are two lines: the first, and one that counts the others", async () => {
  using folder = temporaryFolder()
  await using served = await startServe({ GUICHET_DATA_DIR: folder.path })
  using database = new Database(databasePath(folder.path))
  database.run("PRAGMA busy_timeout = 60000")
  database.run("ALTER TABLE project RENAME TO away")
  await ask(served.url, 40)
  await fetch(`${served.url}/f/one/start`)
  await fetch(`${served.url}/f/two/start`)
  served.stop()
  expect(await served.exited).toBe(0)
  const refused = events(served).filter(({ message }) => message === "question refused")
  expect(refused).toHaveLength(2)
  const [first, others] = refused
  expect(first).toMatchObject({ level: "ERROR", code: "unavailable" })
  expect(first.requestId).toBeString()
  expect(first.repeated).toBeUndefined()
  // What kind of error it was and where, without a word of the question.
  expect(first.reason).toMatch(/^SQLiteError SQLITE_ERROR 1(\n {4}at .*)+$/)
  expect(others).toMatchObject({ level: "ERROR", code: "unavailable", repeated: 39 })
  // By which way the last one came does not matter.
  expect(others.reason).toMatch(/^SQLiteError SQLITE_ERROR 1\n/)
  expect(others.requestId).toBeUndefined()
  expect(served.log()).not.toContain("mairie")
})

test("lines begin with the priority where stderr is the journal", async () => {
  using folder = temporaryFolder()
  await using served = await startServe(
    { GUICHET_DATA_DIR: folder.path, GUICHET_NO_SETTING: "1", GUICHET_LOG_LEVEL: "debug" },
    underJournal,
  )
  served.stop()
  await served.exited
  for (const line of lines(served)) expect(line).toMatch(/^<[3467]>\{"@timestamp":.*\}$/)
  expect(served.log()).toMatch(/^<4>\{.*"variables that are no settings are ignored"/m)
  expect(served.log()).toMatch(/^<6>\{.*"service ready"/m)
  expect(served.log()).toMatch(/^<7>\{.*"logger":"guichet\.schedule"/m)
})

test("a start that fails tells the journal so, every line of it", async () => {
  const child = Bun.spawn([...underJournal, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", GUICHET_PORT: "many", GUICHET_LOG_LEVEL: "loud" },
    stderr: "pipe",
  })
  const said = (await new Response(child.stderr).text()).trim().split("\n")
  expect(await child.exited).toBe(2)
  expect(said.length).toBeGreaterThan(2)
  for (const line of said) expect(line).toStartWith("<3>")
})

test("no priority is written where JOURNAL_STREAM names another stream", async () => {
  using folder = temporaryFolder()
  await using served = await startServe({ GUICHET_DATA_DIR: folder.path, JOURNAL_STREAM: "9:99999" })
  for (const line of lines(served)) expect(line).toStartWith('{"@timestamp":')
})
