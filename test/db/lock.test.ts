import { expect, test } from "bun:test"
import { join } from "node:path"
import { takeLock } from "../../src/db/lock.ts"
import { temporaryFolder } from "../support/service.ts"

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
    import { takeLock } from ${JSON.stringify(join(import.meta.dir, "../../src/db/lock.ts"))}
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
