import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { hourMs } from "../../src/base/clock.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { type Api, apiOf } from "../support/api.ts"
import { guichet } from "../support/cli.ts"
import type { MovableClock } from "../support/clock.ts"
import { indexFeeds } from "../support/documentation.ts"
import { filePlaces } from "../support/file-places.ts"
import { onSqlite } from "../support/postgres.ts"
import { noS3Server } from "../support/s3-server.ts"
import { type Service, type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// Uploaded documentation wherever files are kept: replaced, removed with all it belongs to, in backups.

const { places, objects: stored } = filePlaces()

const first = "# Tarifs\n\nUn euro."
const second = "# Tarifs\n\nDeux euros."

for (const [place, settingsOf] of Object.entries(places))
  describe.skipIf(place === "on S3" && noS3Server())(`uploads kept ${place}`, () => {
    let folder: TemporaryFolder
    let settings: Record<string, string>
    let service: Service & { clock: MovableClock }
    let api: Api
    let project: string
    let path: string

    beforeEach(async () => {
      folder = temporaryFolder()
      settings = { ...(await settingsOf()), GUICHET_BACKUP_DIR: join(folder.path, "backups") }
      service = await aService().withSettings(settings).withClock().started()
      api = await apiOf(service)
      project = (await api.post("/api/v1/projects", { name: "A", site: "https://a.fr" })).body.id
      const { body: feed } = await api.post(`/api/v1/projects/${project}/feeds`, { kind: "upload" })
      path = `/api/v1/projects/${project}/feeds/${feed.id}/uploads`
    })
    afterEach(async () => {
      await service[Symbol.asyncDispose]()
      for (const [, file] of objects()) rmSync(file)
      folder[Symbol.dispose]()
    })

    async function send(content: string, name = "tarifs.md") {
      const files = [{ name, content: Buffer.from(content).toString("base64") }]
      const { status, body } = await api.post(path, { files })
      expect(status).toBe(201)
      return body.items[0]
    }
    /** Rows and objects that hold anything of a file. */
    async function pieces(): Promise<number> {
      const rows = await service.app.db.selectFrom("stored_file_part").select("number").execute()
      return rows.length + objects().length
    }
    const objects = () => stored().filter(([key]) => key.includes("files/"))
    const space = async () =>
      (await service.app.db.selectFrom("file_space").select("bytes").execute()).map(({ bytes }) => bytes)
    async function purge(): Promise<void> {
      service.clock.move(2 * hourMs)
      await service.app.files.purge(AbortSignal.timeout(10_000))
    }
    const download = ({ url }: { url: string }, { url: at }: { url: string } = service) =>
      fetch(at + new URL(url).pathname)
    const textOf = async (...of: Parameters<typeof download>) => (await download(...of)).text()
    const listed = ({ app }: Service) => app.db.selectFrom("upload").select("name").orderBy("name").execute()
    /** Reads the feed of a service, or removes it. */
    async function read({ app }: Pick<Service, "app"> = service, isRemoved = false) {
      const found = (await findProject(app.db, project)) as Project
      const feeds = await listFeeds(app.db, project)
      const removedFeed = isRemoved ? feeds[0] : undefined
      return indexFeeds(app, found, isRemoved ? [] : feeds, {
        force: isRemoved,
        ...(removedFeed && { removedFeed }),
      })
    }

    test("the last one of a name is kept, in the room of its workspace", async () => {
      await send(first)
      const kept = await send(second)
      expect(await textOf(kept)).toBe(second)
      expect([await pieces(), await space()]).toEqual([1, [4096]])
    })

    test.each(["its feed", "its project"])("a file goes with %s", async (what) => {
      const kept = await send(first)
      if (what === "its project") await api.delete(`/api/v1/projects/${project}`)
      else {
        await read()
        await read(service, true)
      }
      expect((await download(kept)).status).toBe(404)
      await purge()
      expect([await pieces(), await space()]).toEqual([0, [0]])
    })

    test("one that is damaged or gone is no download that ends, and its page stays as it was read", async () => {
      const kept = await send(first)
      await read()
      if (place === "on S3") for (const [, file] of objects()) await Bun.write(file, "")
      else await service.app.db.deleteFrom("stored_file_part").execute()
      expect((await download(kept)).status).toBe(503)
      await read().catch(() => {})
      const { items } = (await api.get(`/api/v1/projects/${project}/documents`)).body
      expect(items.map(({ title }: { title: string }) => title)).toEqual(["Tarifs"])
    })

    onSqlite("a backup has them: after a restore they stand at their addresses, and are read", async () => {
      const kept = await send(first)
      const gone = await send("# Plan\n\nLe plan.", "plan.md")
      const file = join(folder.path, "backups", "one.db")
      const restored = join(folder.path, "restored")
      const run = (dir: string, ...argv: string[]) => guichet(argv, { ...settings, GUICHET_DATA_DIR: dir })
      expect(await run(service.app.config.dataDir, "backup", file, "--with-key")).toMatchObject({
        exitCode: 0,
      })
      await send(second)
      await api.delete(`${path}/${gone.id}`)
      await purge()
      expect(await run(restored, "restore", file)).toMatchObject({ exitCode: 0 })
      await using again = await aService()
        .withSettings({ ...settings, GUICHET_DATA_DIR: restored })
        .started()
      // The store has no backups of ours: what was removed from it since is gone.
      if (place === "on S3") return expect((await download(kept, again)).status).toBe(503)
      expect(await textOf(kept, again)).toBe(first)
      expect((await read(again)).documents).toBe(2)
      expect((await listed(again)).map(({ name }) => name)).toEqual(["plan.md", "tarifs.md"])
    })
  })
