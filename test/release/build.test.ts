import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import packageFile from "../../package.json" with { type: "json" }
import { temporaryFolder } from "../support/service.ts"

// The tests in test/binary run the binary.

const project = join(import.meta.dir, "../..")
const targets = Object.keys(packageFile.dependencies)
  .map((name) => /^@lancedb\/lancedb-(linux|darwin)-(x64|arm64)/.exec(name))
  .filter((match) => match !== null)
const absent = targets.find(([name]) =>
  readdirSync(join(project, "node_modules/@lancedb")).every((folder) => !name.endsWith(folder)),
)

test("a target that there is not is a usage error that names those there are", async () => {
  const build = Bun.spawn([process.execPath, "src/release/build.ts", "--target", "toaster"], {
    cwd: project,
    stderr: "pipe",
  })
  const said = await new Response(build.stderr).text()
  expect(await build.exited).toBe(2)
  for (const [name] of targets) expect(said).toContain(name.replace("@lancedb/lancedb-", ""))
})

test.skipIf(absent === undefined)(
  "a binary without the index engine of its target is not built; what to install is said",
  async () => {
    using folder = temporaryFolder()
    const [addon, system, processor] = absent as RegExpExecArray
    const outfile = join(folder.path, "guichet")
    const build = Bun.spawn(
      [process.execPath, "src/release/build.ts", "--target", `${system}-${processor}`, "--outfile", outfile],
      { cwd: project, stderr: "pipe" },
    )
    const said = await new Response(build.stderr).text()
    expect([await build.exited, readdirSync(folder.path)]).toEqual([1, []])
    expect(said).toContain(addon)
    expect(said).toContain(`bun install --cpu=${processor} --os=${system}`)
  },
)
