import { expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { cleanClone } from "../../src/release/clean-clone.ts"

test("the copy that a release is built from holds every file that the program imports", async () => {
  using clone = cleanClone()
  symlinkSync(join(import.meta.dir, "../../node_modules"), join(clone.path, "node_modules"))
  const built = await Bun.build({
    entrypoints: [join(clone.path, "src/main.ts")],
    target: "bun",
    // There are only those of this machine's platform.
    external: ["@lancedb/lancedb-*"],
    throw: false,
  })
  expect(built.logs.map(String)).toEqual([])
  expect(built.success).toBe(true)
})
