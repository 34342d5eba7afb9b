import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { openNotifier } from "../../../src/host/systemd/notify.ts"
import { startGuichet } from "../../support/cli.ts"
import { openNotifySocket } from "../../support/notify-socket.ts"
import { freePort } from "../../support/port.ts"
import { type TemporaryFolder, temporaryFolder } from "../../support/service.ts"

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

describe.skipIf(process.platform !== "linux")("the service tells systemd", () => {
  for (const [kind, addressOf] of [
    ["a path", () => join(folder.path, "notify")],
    ["an abstract name", () => `@guichet-test-${process.pid}`],
  ] as const)
    test(`READY once it listens, WATCHDOG while it lives, STOPPING when told to stop (${kind})`, async () => {
      using socket = openNotifySocket(addressOf())
      const port = await freePort()
      await using child = await startGuichet(["serve"], {
        GUICHET_DATA_DIR: join(folder.path, "data"),
        GUICHET_PORT: String(port),
        NOTIFY_SOCKET: socket.address,
        WATCHDOG_USEC: "100000",
      })
      const next = async () => {
        for (;;) {
          const message = await socket.next()
          if (message !== "WATCHDOG=1") return message
        }
      }
      // To open the database may take its time.
      expect(await next()).toBe("READY=1\nWATCHDOG_USEC=900000000")
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
      expect(await next()).toBe("STATUS=ready\nWATCHDOG_USEC=100000")
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
      expect([await socket.next(), await socket.next()]).toEqual(["WATCHDOG=1", "WATCHDOG=1"])
      child.kill("SIGTERM")
      expect(await next()).toBe("STOPPING=1")
      expect(await child.exited).toBe(0)
    })

  test("nothing about life when the watchdog waits for another process", async () => {
    using socket = openNotifySocket(join(folder.path, "notify"))
    using notifier = openNotifier({
      NOTIFY_SOCKET: socket.address,
      WATCHDOG_USEC: "2000",
      WATCHDOG_PID: String(process.pid + 1),
    })
    notifier.listening()
    await Bun.sleep(20)
    notifier.stopping()
    expect([await socket.next(), await socket.next()]).toEqual(["READY=1", "STOPPING=1"])
  })

  test("nothing, without failing, when nobody listens", () => {
    for (const address of [
      undefined,
      "",
      "vsock:2:1",
      "relative",
      `/${"a".repeat(200)}`,
      join(folder.path, "none"),
    ]) {
      using notifier = openNotifier({ NOTIFY_SOCKET: address, WATCHDOG_USEC: "1000" })
      notifier.listening()
      notifier.status("waits")
      notifier.ready()
      notifier.stopping()
    }
  })
})
