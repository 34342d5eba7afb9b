/**
 * `bun test/bench/start.ts [--binary dist/guichet] [--times 10]`: from the start of the program until /readyz
 * says 200, on a data folder that exists; and on a new one.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { freePort } from "../support/port.ts"
import { temporaryFolder } from "../support/service.ts"
import { described, report, say } from "./figures.ts"

const { values } = parseArgs({
  options: {
    binary: { type: "string", default: "dist/guichet" },
    times: { type: "string", default: "10" },
  },
})
using folder = temporaryFolder()
const existing = join(folder.path, "existing")
await start(existing)
for (const [name, dataDir] of Object.entries({
  "existing folder": () => existing,
  "new folder": (n: number) => join(folder.path, String(n)),
})) {
  const took: number[] = []
  for (let n = 0; n < Number(values.times); n++) took.push(await start(dataDir(n)))
  for (const ms of took) report({ [name]: ms })
  say(`start to ready, ${name}: ${described(took)}`)
}

async function start(dataDir: string): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = Bun.spawn([values.binary, "serve"], {
    env: { GUICHET_DATA_DIR: dataDir, GUICHET_PORT: String(port), BUN_TMPDIR: folder.path },
    stderr: "ignore",
  })
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) await Bun.sleep(1)
  const ms = performance.now() - startedAt
  child.kill()
  await child.exited
  return ms
}
