import { expect, test } from "bun:test"
import { join } from "node:path"
import { shareLock, takeLock } from "../../../src/db/sqlite/lock.ts"
import { temporaryFolder } from "../../support/service.ts"

test("one at a time holds a lock; others of another name are free", () => {
  using folder = temporaryFolder()
  {
    using held = takeLock(folder.path, "index-a")
    expect(held).toBeDefined()
    expect(takeLock(folder.path, "index-a")).toBeUndefined()
    using other = takeLock(folder.path, "index-b")
    expect(other).toBeDefined()
  }
  using again = takeLock(folder.path, "index-a")
  expect(again).toBeDefined()
})

test("a process that is killed frees its lock", async () => {
  using folder = temporaryFolder()
  const script = `
    import { takeLock } from ${JSON.stringify(join(import.meta.dir, "../../../src/db/sqlite/lock.ts"))}
    const held = takeLock(${JSON.stringify(folder.path)}, "index-a")
    console.log(held ? "held" : "refused")
    setInterval(() => Bun.gc(true), 10)`
  await using child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" })
  for await (const bytes of child.stdout) {
    expect(new TextDecoder().decode(bytes)).toContain("held")
    break
  }
  expect(takeLock(folder.path, "index-a")).toBeUndefined()
  child.kill("SIGKILL")
  await child.exited
  using lock = takeLock(folder.path, "index-a")
  expect(lock).toBeDefined()
})

test("several share a lock, and nobody else takes it meanwhile", async () => {
  using folder = temporaryFolder()
  {
    using one = await shareLock(folder.path, "service-1")
    using other = await shareLock(folder.path, "service-1")
    expect([one, other]).not.toContain(undefined)
    expect(takeLock(folder.path, "service-1")).toBeUndefined()
  }
  using alone = takeLock(folder.path, "service-1")
  expect(alone).toBeDefined()
})

test("who only looks whether a lock is held keeps nobody from sharing it", async () => {
  using folder = temporaryFolder()
  const script = `
    import { shareLock } from ${JSON.stringify(join(import.meta.dir, "../../../src/db/sqlite/lock.ts"))}
    console.log("asking")
    console.log((await shareLock(${JSON.stringify(folder.path)}, "service-1")) ? "shared" : "refused")`
  const looking = takeLock(folder.path, "service-1")
  await using child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" })
  let said = ""
  for await (const bytes of child.stdout) {
    said += new TextDecoder().decode(bytes)
    looking?.[Symbol.dispose]()
  }
  expect(said).toBe("asking\nshared\n")
})
