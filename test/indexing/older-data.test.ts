import { Database } from "bun:sqlite"
import { expect } from "bun:test"
import { detail } from "../../src/base/errors.ts"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { migrate } from "../../src/db/sqlite/migrate.ts"
import type { IndexingRequest } from "../../src/indexing/child-runs.ts"
import { recordReadings } from "../../src/indexing/generation.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { noRepeatedText } from "../../src/reading/formats/repeated.ts"
import { apiOf } from "../support/api.ts"
import { signedIn } from "../support/operator.ts"
import { onSqlite } from "../support/postgres.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

const project = "projet00"

onSqlite(
  "an older data folder opens: its sentences are shown as they stand, and what was asked for is done",
  async () => {
    using folder = temporaryFolder()
    writeOlderData(folder.path)
    const commands: string[] = []
    const runChild = async (argv: string[]) => {
      commands.push(argv.join(" "))
      return { exitCode: 0, stderrTail: "", exceededMemory: false }
    }
    await using service = await aService()
      .withSettings({ GUICHET_DATA_DIR: folder.path })
      .withOverrides({ runChild })
      .started()
    const { db, clock } = service.app
    while ((await db.selectFrom("indexing_request").select("request").execute()).length > 0)
      await Bun.sleep(5)
    expect(commands.sort()).toEqual([
      `feed remove ${project} feed_two --wait --json`,
      `index ${project} --force --words --resumable --wait --json`,
      `index ${project} --words --resumable --wait --json`,
    ])

    const api = await apiOf(service)
    const camille = await signedIn(service)
    const path = `/api/v1/projects/${project}`
    const leftOut = async () => (await api.get(`${path}/left-out-pages`)).body.items
    const page = async () => (await camille.get(`/console/projects/${project}/indexing?show=left_out`)).text
    expect(await leftOut()).toEqual([
      { feed: "feed_one", page: "a.md", reason: "too_large", detail: "6.0 MB, at most 5 MB" },
      { feed: "feed_one", page: "b.md", reason: "not_found", detail: null },
    ])
    expect(await page()).toContain('<code lang="en">6.0 MB, at most 5 MB</code>')
    expect((await api.get(`${path}/index-runs`)).body.items[0].outcome.trouble).toEqual({
      sentence: "Cette source ne peut pas être lue pour le moment. Vérifiez son URL.",
      reason: "https://docs.exemple.fr/s.xml: answered 503",
      isForcible: false,
    })

    const [feed] = (await listFeeds(db, project)).filter(({ id }) => id === "feed_one")
    if (!feed) throw new Error("the feed is gone")
    const tooLarge = detail("reading.fileTooLarge", { bytes: 6_291_456, most: 5_242_880 })
    const skipped = [
      { page: "a.md", reason: "too_large", detail: tooLarge } as const,
      { page: "c.md", reason: "failed", detail: "EACCES: permission denied" } as const,
    ]
    await recordReadings(db, [{ feed, skipped, repeated: noRepeatedText }], clock.now())
    expect(await leftOut()).toEqual([
      { feed: "feed_one", page: "a.md", reason: "too_large", detail: "6.0 MB, at most 5 MB" },
      { feed: "feed_one", page: "c.md", reason: "failed", detail: "EACCES: permission denied" },
    ])
    expect(await page()).toContain("Elle pèse 6,0\u00a0Mo, 5\u00a0Mo au plus.")
    expect(await page()).toContain('<code lang="en">EACCES: permission denied</code>')
  },
)

function writeOlderData(dataDir: string): void {
  migrate(dataDir)
  using database = new Database(databasePath(dataDir), { strict: true })
  const insert = (table: string, row: Record<string, string | number>) => {
    const names = Object.keys(row)
    const values = names.map((name) => `$${name}`)
    database.query(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values.join(", ")})`).run(row)
  }
  insert("organisation", { id: "org_one", name: "Organisation", created_at: 1 })
  insert("workspace", { id: "ws_one", organisation_id: "org_one", name: "Espace", created_at: 1 })
  insert("project", {
    id: project,
    workspace_id: "ws_one",
    name: "Docs",
    site: "https://docs.exemple.fr",
    language: "fr",
    assistant_enabled: 1,
    created_at: 1,
  })
  for (const id of ["feed_one", "feed_two"])
    insert("feed", {
      id,
      project_id: project,
      kind: "sitemap",
      address: `https://docs.exemple.fr/${id}.xml`,
      created_at: 1,
      last_read_at: 1,
    })
  const [feed_id, detail] = ["feed_one", "6.0 MB, at most 5 MB"]
  insert("left_out_page", { feed_id, page: "a.md", reason: "too_large", detail })
  insert("left_out_page", { feed_id, page: "b.md", reason: "not_found" })
  for (const request of [
    { kind: "read", force: false },
    { kind: "read", force: true },
    { kind: "remove_feed", feed: "feed_two" },
  ] satisfies IndexingRequest[])
    insert("indexing_request", { project_id: project, request: JSON.stringify(request) })
  const trouble = {
    told: { code: "assistant.unreadableFeed" },
    reason: "https://docs.exemple.fr/s.xml: answered 503",
    isForcible: false,
  }
  insert("indexing_run", {
    project_id: project,
    started_at: 1,
    beat_at: 1,
    ended_at: 2,
    phase: "reading",
    done: 0,
    outcome: JSON.stringify({ trouble }),
  })
}
