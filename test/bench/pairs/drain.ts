/**
 * Drains deliveries of a checkout on SQLite, over TLS, with that checkout's own code; prints how many a second.
 *
 *   bun drain.ts CHECKOUT COUNT
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const [checkout = ".", count = "20000"] = process.argv.slice(2)
const load = (path: string) => import(join(checkout, path))
const { openApp } = (await load("src/app.ts")) as typeof import("../../../src/app.ts")
const { readConfig } = (await load("src/config/config.ts")) as typeof import("../../../src/config/config.ts")
const { drain, fill, openDestinations } = (await load(
  "test/bench/deliveries/drain.ts",
)) as typeof import("../deliveries/drain.ts")
const { openAuthority } = (await load(
  "test/support/authority.ts",
)) as typeof import("../../support/authority.ts")

const name = "hooks.acme.fr"
const folder = mkdtempSync(join(tmpdir(), "guichet-bench-"))
const authority = openAuthority()
const files = [join(folder, "cert.pem"), join(folder, "key.pem")] as const
const { cert, key } = authority.certify([name])
writeFileSync(files[0], cert)
writeFileSync(files[1], key)
const script = join(checkout, "test/bench/deliveries/receiver.ts")
const receiver = Bun.spawn([process.execPath, script, ...files], { stdout: "pipe" })
try {
  const { value } = await receiver.stdout.getReader().read()
  await using app = await openApp(
    readConfig({
      GUICHET_DATA_DIR: join(folder, "data"),
      GUICHET_PORT: "0",
      GUICHET_LOG_LEVEL: "error",
      GUICHET_EMBEDDING: "none",
      GUICHET_MIN_FREE_DISK: "0",
      GUICHET_WEBHOOK_RESOLVE: `${name}=127.0.0.1:${Number(new TextDecoder().decode(value))}`,
      GUICHET_WEBHOOK_CA_FILE: authority.caFile,
    }),
  )
  const destinations = await openDestinations(app, name, 50)
  let seconds = 0
  for (let round = 0; round < 3; round++) {
    await fill(app, destinations, Number(count))
    seconds = await drain(app)
  }
  process.stdout.write(`${Math.round(Number(count) / seconds)}\n`)
} finally {
  receiver.kill()
  await receiver.exited
  authority[Symbol.dispose]()
  rmSync(folder, { recursive: true })
}
