import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { createHash, randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { defaultWorkspaceId, insertWorkspace } from "../../src/accounts/workspace.ts"
import { hourMs, minuteMs } from "../../src/base/clock.ts"
import { belongingsOf, tables } from "../../src/db/schema.ts"
import { claimFiles, findFiles, type StoredFile } from "../../src/storage/files.ts"
import { filePlaces } from "../support/file-places.ts"
import type { FormSite } from "../support/forms.ts"
import { openProxy } from "../support/proxy.ts"
import { noS3Server } from "../support/s3-server.ts"
import { aService } from "../support/service-builder.ts"

const { signal } = new AbortController()
/** Several rows, and no whole number of them. */
const content = randomBytes(700_000)

const { places, store, objects: stored } = filePlaces()

for (const [place, settings] of Object.entries(places))
  describe.skipIf(place === "on S3" && noS3Server())(`files ${place}`, () => {
    let site: FormSite
    let workspaceId: string

    beforeEach(async () => {
      site = await aService()
        .withForms()
        .withSettings({ ...(await settings()), GUICHET_FILES_PER_WORKSPACE: "2 MB" })
        .started()
      workspaceId = await defaultWorkspaceId(site.app.db)
    })
    afterEach(() => site[Symbol.asyncDispose]())

    const put = (bytes: Uint8Array = content) =>
      site.app.files.put({ workspaceId, mediaType: "text/plain", content: bytes }, signal)
    const read = async (file: StoredFile) =>
      Buffer.concat(await Array.fromAsync(site.app.files.content(file, signal)))
    const space = async () =>
      (await site.app.db.selectFrom("file_space").select("bytes").executeTakeFirst())?.bytes
    const rows = () => site.app.db.selectFrom("stored_file").selectAll().execute()
    /** Pieces of it that are anywhere. */
    async function pieces(id: string): Promise<number> {
      const inRows = await site.app.db
        .selectFrom("stored_file_part")
        .where("file_id", "=", id)
        .selectAll()
        .execute()
      const objects = stored().filter(([key]) => key.includes(id))
      return inRows.length + objects.length
    }
    /** Refers to a file as a form response does. */
    async function refer(file: StoredFile): Promise<void> {
      const form = await site.form()
      await form.json({ nom: "Anne", guichet_key: file.id })
      const [response] = await form.responses()
      await site.app.db.transaction().execute(async (transaction) => {
        await claimFiles(transaction, [file.id])
        const row = { file_id: file.id, response_id: response?.id, field: "piece", place: 0, name: "a.txt" }
        await transaction.insertInto("form_response_file").values(row).execute()
      })
    }

    test("one is stored in pieces, and read as it was", async () => {
      const file = await put()
      expect(file.bytes).toBe(content.length)
      expect(file.hash).toBe(createHash("sha256").update(content).digest("base64url"))
      expect(content.equals(await read(file))).toBe(true)
      expect(await findFiles(site.app.db, [file.id])).toEqual([file])
    })

    test("an empty one has no piece", async () => {
      const file = await put(Buffer.alloc(0))
      expect(await read(file)).toEqual(Buffer.alloc(0))
      expect(await pieces(file.id)).toBe(0)
    })

    test("one that breaks off leaves nothing", async () => {
      const file = { workspaceId, mediaType: "text/plain", content }
      await expect(site.app.files.put(file, AbortSignal.abort(new Error("cut")))).rejects.toThrow("cut")
      expect(await rows()).toEqual([])
      expect(await space()).toBe(0)
    })

    test("a workspace has no more room than is set, even for files that come at once", async () => {
      const ends = await Promise.allSettled([put(), put(), put()])
      expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected"])
      expect(ends.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { code: "quota_exceeded", detail: { code: "storage.full", params: { megabytes: 2 } } },
      })
      expect(await space()).toBe(2 * content.length)
    })

    test("workspaces of one share have no more room together, either", async () => {
      const { db } = site.app
      const beside = await insertWorkspace(db, "Beside", site.clock.now())
      await db.updateTable("workspace").set({ share_id: workspaceId }).where("id", "=", beside).execute()
      const putIn = (id: string, bytes: Uint8Array) =>
        site.app.files.put({ workspaceId: id, mediaType: "text/plain", content: bytes }, signal)
      // Each has its row before they come at once.
      for (const id of [workspaceId, beside]) await putIn(id, Buffer.from("small"))
      const both = [workspaceId, beside, workspaceId, beside].map((id) => putIn(id, content))
      const ends = (await Promise.allSettled(both)).map(({ status }) => status)
      expect(ends.toSorted()).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"])
    })

    test("what nothing refers to after an hour is purged; what is referred to stays until it is not", async () => {
      const [kept, lost] = [await put(), await put()]
      await refer(kept)
      site.clock.move(hourMs - 1)
      await site.app.files.purge(signal)
      expect(await rows()).toHaveLength(2)
      site.clock.move(minuteMs)
      await site.app.files.purge(signal)
      expect((await rows()).map(({ id }) => id)).toEqual([kept.id])
      expect(await pieces(lost.id)).toBe(0)
      expect(await space()).toBe(content.length)
      await site.app.files.remove([kept.id], signal)
      expect(content.equals(await read(kept))).toBe(true)
      await site.app.db.deleteFrom("form_response").execute()
      await site.app.files.remove([kept.id], signal)
      expect([await pieces(kept.id), await rows(), await space()]).toEqual([0, [], 0])
    })

    test("a transaction cannot refer to one that is being removed, or not whole", async () => {
      const file = await put()
      await site.app.files.remove([file.id], signal)
      const half = { ...(await put()), hash: "" }
      await site.app.db.updateTable("stored_file").set({ hash: "" }).execute()
      for (const { id } of [file, half])
        await expect(refer({ ...file, id })).rejects.toMatchObject({ detail: { code: "storage.fileGone" } })
    })

    test("what a process left behind in the middle of a file is purged", async () => {
      const { id } = await put()
      await site.app.db.updateTable("stored_file").set({ hash: "" }).execute()
      site.clock.move(2 * hourMs)
      await site.app.files.purge(signal)
      expect([await pieces(id), await rows(), await space()]).toEqual([0, [], 0])
    })

    test("damaged content never comes to its end", async () => {
      const file = await put()
      const bytes = Buffer.from("damaged")
      if (place === "in the database")
        await site.app.db.updateTable("stored_file_part").set({ bytes }).where("number", "=", 1).execute()
      else {
        const [path] = stored().flatMap(([key, path]) => (key.includes(file.id) ? path : []))
        await Bun.write(path as string, bytes)
      }
      await expect(read(file)).rejects.toThrow(/damaged|missing/)
    })
  })

describe.skipIf(noS3Server())("while the object store is away", () => {
  test("nothing of a removal is lost: the purge ends it", async () => {
    const server = await store()
    using proxy = openProxy(server.port)
    await using site = await aService().withForms().withSettings(server.settings(proxy.port)).started()
    const { app, clock } = site
    const workspaceId = await defaultWorkspaceId(app.db)
    const file = await app.files.put({ workspaceId, mediaType: "a/b", content }, signal)
    const objects = () => stored().filter(([key]) => key.includes(file.id))
    const [[, path]] = objects() as [[string, string]]
    proxy.refuse()
    await expect(app.files.remove([file.id], signal)).rejects.toThrow("no connection")
    expect(existsSync(path)).toBe(true)
    proxy.pass()
    clock.move(2 * hourMs)
    await app.files.purge(signal)
    expect(objects()).toEqual([])
  })
})

test("whatever refers to a file is found by an index", () => {
  for (const { table, column } of belongingsOf("stored_file")) {
    const { key, indexes } = tables[table]
    expect([key[0], ...Object.values(indexes).map(({ on }) => on[0])]).toContain(column)
  }
})
