import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Subprocess } from "bun"
import type { Project } from "../../src/accounts/project.ts"
import { type App, openApp } from "../../src/app.ts"
import { liveGeneration } from "../../src/indexing/generation.ts"
import { dropUnusedTables } from "../../src/indexing/unused-tables.ts"
import { guichet, startGuichet } from "../support/cli.ts"
import {
  baseUrl,
  type Documentation,
  dirFeed,
  documentation,
  found,
  indexByCommand,
  indexFeeds,
  manyPages,
  newProject,
} from "../support/documentation.ts"
import { failWrites } from "../support/failing-writes.ts"
import { engine } from "../support/postgres.ts"
import { configOf, type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { page, type Site, sitemap, startSite } from "../support/site.ts"

let folder: TemporaryFolder
let app: App
let project: Project
let docs: Documentation
let environment: Record<string, string>

beforeEach(async () => {
  folder = temporaryFolder()
  environment = {
    GUICHET_DATA_DIR: folder.path,
    GUICHET_LOG_LEVEL: "error",
    GUICHET_EMBEDDING: "none",
    GUICHET_FEED_ALLOW_PRIVATE: "true",
  }
  app = await openApp(await configOf(environment))
  project = await newProject(app)
  docs = documentation({ "a.md": "Le mot est abricot.", "b.md": "Le mot est banane." })
})

afterEach(async () => {
  await app[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
  docs[Symbol.dispose]()
})

const index = (...options: string[]) => guichet(["index", project.id, ...options], environment)
const dir = (...options: string[]) => index("--dir", docs.path, "--base-url", baseUrl, ...options)

describe("index PROJECT", () => {
  test("--json prints one object", async () => {
    docs.write({ "empty.md": "# Rien\n" })
    const { exitCode, stdout } = await dir("--json")
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      documents: 2,
      passages: 2,
      unchanged: 0,
      removed: 0,
      skipped: [{ page: "empty.md", reason: "empty" }],
      seconds: expect.any(Number),
    })
  })

  test("alone, it reads all feeds of the project again", async () => {
    await dir()
    docs.write({ "c.md": "Le mot est cerise." })
    expect(JSON.parse((await index("--json")).stdout)).toMatchObject({ documents: 3, unchanged: 2 })
    expect(await found(app, project, "cerise")).toEqual(["c"])
  })

  test("the same folder again updates the feed; another is added; one that is removed takes its pages with it", async () => {
    using others = documentation({ "x.md": "Le mot est xylophone." })
    await dir()
    await dir("--url-style", "html")
    await index("--dir", others.path, "--base-url", baseUrl)
    const { items } = JSON.parse((await guichet(["feed", "list", project.id, "--json"], environment)).stdout)
    expect(
      items.map((feed: { address: string; url_style: string }) => [feed.address, feed.url_style]),
    ).toEqual([
      [docs.path, "html"],
      [others.path, "auto"],
    ])
    expect((await guichet(["feed", "remove", project.id, others.path], environment)).exitCode).toBe(0)
    expect(await found(app, project, "xylophone")).toEqual([])
    expect(await found(app, project, "abricot")).toEqual(["a"])
  })

  test("the generator of a folder is recognised or set, said, and kept with the feed", async () => {
    const feeds = async () =>
      JSON.parse((await guichet(["feed", "list", project.id, "--json"], environment)).stdout).items.map(
        ({ generator, generator_found }: Record<string, unknown>) => [generator, generator_found],
      )
    expect(JSON.parse((await dir("--json")).stdout).generators).toBeUndefined()
    expect(await feeds()).toEqual([["auto", null]])
    docs.write({ "SUMMARY.md": "* [A](a.md)" })
    const recognised = await index()
    expect(recognised.stderr).toContain(`${docs.path}: read by the rules of gitbook`)
    expect(recognised.stderr).toContain("b.md: empty: not in SUMMARY.md: it is not published")
    expect(await feeds()).toEqual([["auto", "gitbook"]])
    expect(JSON.parse((await dir("--generator", "mkdocs", "--json")).stdout)).toMatchObject({
      documents: 2,
      generators: [{ dir: docs.path, generator: "mkdocs" }],
    })
    await index()
    expect(await feeds()).toEqual([["mkdocs", "mkdocs"]])
    const [document] = await app.db.selectFrom("document").select("url").where("until", "is", null).execute()
    expect(document?.url).toEndWith("/")
    await dir("--generator", "auto", "--force")
    expect(await feeds()).toEqual([["auto", "gitbook"]])
  })

  test("a feed that was never read is removed like any other", async () => {
    const { id } = await dirFeed(app, project, docs)
    const { stdout } = await guichet(["feed", "remove", project.id, id, "--json"], environment)
    expect(JSON.parse(stdout)).toMatchObject({ documents: 0, passages: 0, removed: 0 })
    expect(await app.db.selectFrom("feed").select("id").execute()).toEqual([])
  })

  test("what cannot be read is said in a line, and the feed is not kept", async () => {
    using empty = temporaryFolder()
    for (const address of [empty.path, join(empty.path, "nowhere")]) {
      const { exitCode, stderr } = await index("--dir", address, "--base-url", baseUrl)
      expect(exitCode).toBe(1)
      expect(stderr.trim().split("\n")).toHaveLength(1)
    }
    expect(await app.db.selectFrom("feed").select("id").execute()).toEqual([])
  })

  test("a feed that was read is kept with its documents, also when the command fails after the switch", async () => {
    await failWrites(app.db, "UPDATE ON indexing_run", "NEW.ended_at IS NOT NULL")
    expect(await dir()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("disk full") })
    expect(await found(app, project, "abricot")).toEqual(["a"])
    expect(await app.db.selectFrom("document").select("path").execute()).toHaveLength(2)
  })

  test("bad pages are named with a reason and the rest is indexed", async () => {
    writeFileSync(join(docs.path, "binary.md"), Buffer.from([0, 1, 2, 255, 254, 0, 0, 3]))
    writeFileSync(join(docs.path, "huge.md"), Buffer.alloc(50 * 1024 * 1024, "mot "))
    const { exitCode, stdout } = await dir("--json")
    expect(exitCode).toBe(0)
    const { documents, skipped } = JSON.parse(stdout)
    expect(documents).toBe(2)
    expect(skipped.map(({ page }: { page: string }) => page).sort()).toEqual(["binary.md", "huge.md"])
  })

  test("a reading that would remove more than half stops unless forced", async () => {
    docs.write({ "c.md": "Le mot est cerise." })
    await dir()
    docs.remove("a.md", "b.md")
    const stopped = await dir()
    expect(stopped.exitCode).toBe(1)
    expect(stopped.stderr).toContain("would remove 2 of 3 documents")
    expect((await dir("--force")).exitCode).toBe(0)
    expect(await found(app, project, "banane")).toEqual([])
  })

  const wrong: [string, string[]][] = [
    ["a folder without its address", ["--dir", "docs"]],
    ["an address that is none", ["--sitemap", "docs"]],
    ["two feeds at once", ["--sitemap", "https://a.fr/s.xml", "--llms", "https://a.fr/llms.txt"]],
    ["a base address without a folder", ["--base-url", baseUrl]],
    ["an unknown generator", ["--dir", "docs", "--base-url", baseUrl, "--generator", "hexo"]],
    ["a generator without a folder", ["--generator", "grav"]],
    ["an unknown url style", ["--dir", "docs", "--base-url", baseUrl, "--url-style", "pretty"]],
  ]
  test("wrong usage ends with exit code 2 and a line that says what is wrong", async () => {
    await Promise.all(
      wrong.map(async ([name, options]) => {
        const { exitCode, stderr } = await index(...options)
        expect([exitCode, stderr.startsWith("guichet index: ")], name).toEqual([2, true])
      }),
    )
  })
})

describe("killed at any point, the live index goes on answering and the next run cleans up", () => {
  beforeEach(async () => {
    await indexFeeds(app, project, [await dirFeed(app, project, docs)])
    docs.write({ "a.md": "Le mot est ananas.", ...manyPages(400) })
  })

  const points: Record<string, () => boolean> = {
    "while documents are staged": () => staged > 0,
    "when the table appears": () => existsSync(join(app.indexing.indexDir, `${project.id}_2.lance`)),
    "while the table fills": () => existsSync(join(app.indexing.indexDir, `${project.id}_2.lance`, "data")),
    "when the table is built": () => existsSync(join(app.indexing.indexDir, `${project.id}_2.vocabulary`)),
  }
  let staged = 0

  for (const [point, reached] of Object.entries(points))
    test(point, async () => {
      staged = 0
      await using child = await startGuichet(["index", project.id], environment)
      while (child.exitCode === null && !reached()) {
        staged = (await app.db.selectFrom("document").select("id").where("since", "=", 2).execute()).length
        await Bun.sleep(0)
      }
      child.kill("SIGKILL")
      await child.exited
      const live = (await liveGeneration(app.db, project.id))?.number
      if (live === 1) expect(await found(app, project, "abricot")).toEqual(["a"])
      else expect(await found(app, project, "ananas")).toEqual(["a"])

      await indexFeeds(app, project, [await dirFeed(app, project, docs)])
      expect(await found(app, project, "ananas")).toEqual(["a"])
      expect(await app.db.selectFrom("document").select("id").execute()).toHaveLength(402)
      // Where nodes share indexes, a job of the service does so.
      if (engine === "postgres") await dropUnusedTables(app.indexing)
      const tables = readdirSync(app.indexing.indexDir).filter((entry) => entry.endsWith(".lance"))
      // That of the generation before, and that of the live one: what was half built is gone.
      const now = (await liveGeneration(app.db, project.id))?.number
      expect(tables.sort()).toEqual([`${project.id}_1.lance`, `${project.id}_${now}.lance`])
    })

  test("while pages are fetched; meanwhile a second run is refused in clear words", async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    await using site: Site = startSite((url) => {
      if (url.pathname === "/sitemap.xml") return sitemap(`${url.origin}/one`, `${url.origin}/two`)
      if (url.pathname === "/one") return page("Un")
      if (url.pathname !== "/two") return undefined
      resolve()
      return () => new Promise<Response>(() => {})
    })
    await using child: Subprocess = await startGuichet(
      ["index", project.id, "--sitemap", `${site.url}/sitemap.xml`],
      environment,
    )
    await asked
    const second = await indexByCommand(app, project, docs)
    expect([second.exitCode, second.stderr]).toEqual([
      1,
      expect.stringContaining(`project ${project.id} is being indexed by another process`),
    ])
    child.kill("SIGKILL")
    await child.exited
    expect(await found(app, project, "abricot")).toEqual(["a"])
    expect((await dir()).exitCode).toBe(0)
    expect(await found(app, project, "ananas")).toEqual(["a"])
  })
})
