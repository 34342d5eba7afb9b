import { afterAll, expect } from "bun:test"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { guichet } from "../support/cli.ts"
import { mountDisk } from "../support/disk.ts"
import { onSqlite } from "../support/postgres.ts"
import { temporaryFolder } from "../support/service.ts"
import { workspaceFile } from "../support/workspace-file.ts"

// A disk that fills up under a command: which one it is, and what is left behind.

const folder = temporaryFolder()
const disk = mountDisk(folder.path, 16)
afterAll(() => {
  disk?.[Symbol.dispose]()
  folder[Symbol.dispose]()
})

const run = (dataDir: string, ...argv: string[]) => guichet(argv, { GUICHET_DATA_DIR: dataDir })

onSqlite(
  "a command that fills a disk says which one, leaves no half file, and tells of what it cannot take back",
  async () => {
    if (!disk) return
    const file = join(folder.path, "client.jsonl")
    writeFileSync(
      file,
      workspaceFile({ name: "texte", type: "textarea" }, { value: "x".repeat(10_000), responses: 3000 }),
    )
    const [small, large] = [join(disk.path, "data"), join(folder.path, "data")]
    mkdirSync(small)
    mkdirSync(large)
    const id = (await run(large, "workspace", "import", file)).stdout.trim()
    for (const argv of [["workspace", "export", id], ["backup"]]) {
      const target = join(disk.path, "copy")
      const { exitCode, stdout, stderr } = await run(large, ...argv, target)
      expect([exitCode, stdout, stderr]).toEqual([1, "", expect.stringContaining(`${target}`)])
      expect(stderr).toContain("the disk is full")
      expect(existsSync(target)).toBe(false)
      expect(readdirSync(disk.path).sort()).toEqual(["data", "lost+found"])
    }
    const { exitCode, stderr } = await run(small, "workspace", "import", file)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("the disk is full")])
    const listed = await run(small, "workspace", "list")
    const [, left] = /(ws_\w+) {2}Client/.exec(listed.stdout) ?? []
    if (left !== undefined) expect(stderr).toContain("the service removes it within the hour")
  },
)
