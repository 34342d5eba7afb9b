import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { openConnection } from "../../src/db/sqlite/connection.ts"
import { migrate } from "../../src/db/sqlite/migrate.ts"
import { openDatabaseRows } from "../../src/storage/database-rows.ts"
import { type ObjectStore, StorageError } from "../../src/storage/object-store.ts"
import { openS3 } from "../../src/storage/s3.ts"
import { openProxy } from "../support/proxy.ts"
import { credentials, noS3Server, type S3Server, startS3Server } from "../support/s3-server.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

const { signal } = new AbortController()
const limits = { stallMs: 2000, requestMs: 60_000 }
/** More than a socket takes at once, and no whole number of rows. */
const content = randomBytes(9_000_000)

let server: S3Server | undefined
let folder: TemporaryFolder
let file: string

beforeEach(() => {
  folder = temporaryFolder()
  file = join(folder.path, "file")
  writeFileSync(file, content)
})
afterEach(() => folder[Symbol.dispose]())
afterAll(() => server?.[Symbol.asyncDispose]())

async function s3(
  port?: number,
  change: Partial<typeof credentials & { bucket: string }> = {},
): Promise<ObjectStore> {
  server ??= await startS3Server()
  const endpoint = `http://127.0.0.1:${port ?? server.port}`
  const place = { bucket: "indexes", prefix: "some/place", region: "us-east-1", endpoint, ...change }
  return openS3(place, { ...credentials, ...change }, limits)
}

async function read(store: ObjectStore, key: string): Promise<Buffer | undefined> {
  const chunks = await store.get(key, signal)
  return chunks && Buffer.concat(await Array.fromAsync(chunks))
}

const stores: Record<string, () => Promise<ObjectStore & Partial<AsyncDisposable>>> = {
  "an S3 server": s3,
  async "the rows of a database"() {
    migrate(folder.path)
    const connection = openConnection(folder.path)
    return {
      ...openDatabaseRows(connection.db),
      [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
    }
  },
}

for (const [name, open] of Object.entries(stores))
  describe.skipIf(name === "an S3 server" && noS3Server())(`in ${name}`, () => {
    let store: Awaited<ReturnType<typeof open>>
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store[Symbol.asyncDispose]?.())

    test("a file is stored whole, and read as it was", async () => {
      await store.put("index/a/1-x.tar.zst", file, signal)
      expect(content.equals((await read(store, "index/a/1-x.tar.zst")) as Buffer)).toBe(true)
    })

    test("storing a key once more replaces its content, however much shorter", async () => {
      await store.put("again", file, signal)
      writeFileSync(file, "short")
      await store.put("again", file, signal)
      expect((await read(store, "again"))?.toString()).toBe("short")
    })

    test("what is not there is told from what cannot be read", async () => {
      expect(await read(store, "none")).toBeUndefined()
    })

    test("what is removed is gone, and may be removed again", async () => {
      await store.put("gone", file, signal)
      await store.remove("gone", signal)
      await store.remove("gone", signal)
      expect(await read(store, "gone")).toBeUndefined()
    })

    test("storing ends when it is called off", async () => {
      const stopped = AbortSignal.abort(new Error("enough"))
      await expect(store.put("stopped", file, stopped)).rejects.toThrow("enough")
    })
  })

describe.skipIf(noS3Server())("a store that cannot be used is named in one line", () => {
  const everything = (store: ObjectStore) => [
    () => store.put("a", file, signal),
    () => store.get("a", signal),
    () => store.remove("a", signal),
  ]

  test("a wrong key, a bucket that does not exist: neither is taken for a missing object", async () => {
    const wrong = {
      "answered 403 SignatureDoesNotMatch": { secretAccessKey: "other" },
      "answered 404 NoSuchBucket": { bucket: "other" },
    }
    for (const [said, change] of Object.entries(wrong))
      for (const call of everything(await s3(undefined, change)))
        await expect(call()).rejects.toThrow(new StorageError(said))
  })

  test("nobody listens", async () => {
    using proxy = openProxy(1)
    proxy.refuse()
    for (const call of everything(await s3(proxy.port))) {
      const error = await call().then(
        () => undefined,
        (error: Error) => error,
      )
      expect(error?.name).toBe("StorageError")
      expect(error?.message).toMatch(/^no connection \(\w+\)$/)
      expect(Bun.inspect(error)).not.toContain("X-Amz")
    }
  })

  test("it falls silent, before and within an answer: nothing waits for long", async () => {
    await s3()
    using proxy = openProxy((server as S3Server).port)
    const store = await s3(proxy.port)
    await store.put("a", file, signal)
    const chunks = (await store.get("a", signal)) as AsyncIterable<Uint8Array>
    proxy.silence()
    await expect(Array.fromAsync(chunks)).rejects.toThrow("nothing moved for 2 s")
    for (const call of everything(store)) await expect(call()).rejects.toThrow("nothing moved for 2 s")
  })

  test("a page of something else instead of an object", async () => {
    await using page = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("no", { status: 404 }),
    })
    const store = await s3(page.port)
    await expect(store.get("a", signal)).rejects.toThrow(new StorageError("answered 404"))
  })
})
