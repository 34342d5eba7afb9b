import { test as anyTest, expect } from "bun:test"
import { secondMs } from "../../../src/base/clock.ts"
import { graceMs } from "../../../src/db/postgres/client.ts"
import { lockTimes, takeLock } from "../../../src/db/postgres/lock.ts"
import { createDatabase } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { eventually } from "../../support/processes.ts"
import { openProxy } from "../../support/proxy.ts"

const test = anyTest.skipIf(noPostgres())

const serverOf = (url: string) => ({ url, ca: undefined, tls: undefined })

test("a lock is one process's, and free for the next as soon as it is given back", async () => {
  const server = serverOf(await createDatabase())
  for (let round = 0; round < 10; round++) {
    const lock = await takeLock(server, "index-a")
    expect(lock).toBeDefined()
    expect(await takeLock(server, "index-a")).toBeUndefined()
    await lock?.[Symbol.asyncDispose]()
  }
})

test("the lock of a machine that was cut off is another one's within 15 seconds, and its holder knows before", async () => {
  expect(lockTimes.silentForMs).toBeLessThan(15 * secondMs)
  const { beatEveryMs, beatTimeoutMs, silentForMs } = lockTimes
  expect(beatEveryMs + beatTimeoutMs + graceMs).toBeLessThan(silentForMs)

  const address = new URL(await createDatabase())
  const server = serverOf(address.href)
  using proxy = openProxy(Number(address.port))
  address.port = String(proxy.port)
  const times = { beatEveryMs: 100, beatTimeoutMs: 100, silentForMs: 6000 }
  await using lock = await takeLock(serverOf(address.href), "index-a", "exclusive", times)
  // Longer than a silence: the beat keeps it.
  await Bun.sleep(times.silentForMs + 500)
  expect(await takeLock(server, "index-a")).toBeUndefined()

  proxy.silence()
  await eventually(() => lock?.lost.aborted === true)
  expect(await takeLock(server, "index-a")).toBeUndefined()
  await eventually(async () => {
    await using next = await takeLock(server, "index-a")
    return next !== undefined
  })
})
