import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { guichet } from "../support/cli.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

// Files that the command line names, as a hand or an editor of another system leaves them.

let folder: TemporaryFolder
let project: string
let at: (name: string) => string

beforeAll(async () => {
  folder = temporaryFolder()
  at = (name) => join(folder.path, name)
  mkdirSync(at("data"))
  mkdirSync(at("folder"))
  writeFileSync(at("latin1"), Buffer.from('{"projects":[{"name":"Hôtel"}]}\nhttps://a.fr/é', "latin1"))
  writeFileSync(at("utf16"), Buffer.from("\uFEFF{}", "utf16le"))
  writeFileSync(at("endless"), "")
  truncateSync(at("endless"), 70 * 1024 * 1024)
  const added = await run("project", "add", "--name", "Mairie", "--site", "https://mairie.fr", "--json")
  project = JSON.parse(added.stdout).id
})
afterAll(() => folder[Symbol.dispose]())

const run = (...argv: string[]) => guichet(argv, { GUICHET_DATA_DIR: at("data") }, `whsec_${btoa("x")}\n`)

/** Each command that reads a file which somebody names. */
const commands: Record<string, (file: string) => string[]> = {
  apply: (file) => ["apply", file],
  "workspace import": (file) => ["workspace", "import", file],
  "index --urls": (file) => ["index", project, "--urls", file],
  "index --headers": (file) => ["index", project, "--site", "https://mairie.fr", "--headers", file],
  "index --token": (file) => ["index", project, "--git", "https://git.fr/a/b", "--token", file],
  eval: (file) => ["eval", project, file],
  verify: (file) => ["verify", file, "--id", "msg_1", "--timestamp", "1", "--signature", "v1,x"],
}

for (const [name, argv] of Object.entries(commands))
  test(`${name} says of a file that it cannot read which one it is, and why`, async () => {
    const told: Record<string, RegExp> = {
      ...(name === "apply" && { nowhere: /there is no such file/, utf16: /not UTF-8/ }),
      folder: /this is a folder, not a file/,
      ...(name !== "verify" && { latin1: /not UTF-8/ }),
      endless: /longer than|too long/,
    }
    for (const [file, why] of Object.entries(told)) {
      const { exitCode, stdout, stderr } = await run(...argv(at(file)))
      expect([file, exitCode > 0, stdout]).toEqual([file, true, ""])
      expect([file, stderr.trim().split("\n").length, stderr]).toEqual([file, 1, expect.stringMatching(why)])
      if (!/^line|: line \d/.test(stderr)) expect(stderr).toContain(at(file))
    }
    expect(JSON.parse((await run("feed", "list", project, "--json")).stdout).items).toEqual([])
  })

test("a byte order mark and the line ends of Windows do no harm", async () => {
  const declared = { projects: [{ name: "Mairie", site: "https://mairie.fr", per_day: 50 }] }
  writeFileSync(at("windows"), `\uFEFF${JSON.stringify(declared, null, 2).replaceAll("\n", "\r\n")}\r\n`)
  expect(await run("apply", at("windows"))).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("per_day"),
  })
})
