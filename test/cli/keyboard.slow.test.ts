import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli/commands.ts"
import { completions, type Shell } from "../../src/cli/kit/completion.ts"
import { guichet, program } from "../support/cli.ts"
import { databaseSettings } from "../support/postgres.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

const main = await program()

// What a person at a keyboard meets: help, mistypings, questions before something is removed.

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder[Symbol.dispose]())

const run = (...argv: string[]) => guichet(argv, { GUICHET_DATA_DIR: folder.path })
const add = async () =>
  (await run("project", "add", "--name", "Mairie", "--site", "https://mairie.fr")).stdout.trim()

test("help COMMAND and -V answer as --help and version do; a command that needs words says in a line which", async () => {
  for (const name of ["ask", "project set"]) {
    const words = name.split(" ")
    expect((await run("help", ...words)).stdout).toBe((await run(...words, "--help")).stdout)
    const alone = await run(...words)
    expect(alone).toMatchObject({ exitCode: 2, stdout: "" })
    expect(alone.stderr).toContain(`guichet ${name}: which `)
    expect(alone.stderr.trim().split("\n")).toHaveLength(1)
  }
  expect((await run("-V")).stdout).toBe((await run("version")).stdout)
})

test.each([
  [["idnex"], "did you mean guichet index?"],
  [["project", "lsit"], "did you mean guichet project list?"],
  [["projct", "list"], "did you mean guichet project list?"],
  [["projct", "lsit"], "did you mean guichet project list?"],
  [["projet"], "did you mean guichet project --help?"],
  [["projet", "ajouter"], "did you mean guichet project --help?"],
  [["project", "list", "--jsno"], "did you mean --json?"],
])("%j is told what was meant", async (argv, said) => {
  const { exitCode, stderr } = await run(...argv)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(said)
})

test("with --json an error is one JSON object on stderr; --quiet prints no notes", async () => {
  const unknown = await run("project", "show", "zzzzzzzz", "--json")
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" })
  expect(JSON.parse(unknown.stderr)).toMatchObject({
    error: { code: "project_not_found", message: expect.any(String) },
  })
  const wrong = await run("project", "list", "--zorglub", "--json")
  expect([wrong.exitCode, JSON.parse(wrong.stderr).error.code]).toEqual([2, "usage"])
  expect((await run("token", "create")).stderr).toContain("keep it now")
  const quiet = await run("token", "create", "--quiet")
  expect([quiet.stdout.slice(0, 4), quiet.stderr]).toEqual(["gch_", ""])
})

test("without a terminal nothing is removed unless --yes is given; --dry-run tells what would go", async () => {
  const id = await add()
  const dry = await run("project", "remove", id, "--dry-run")
  expect(dry).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("would remove the project Mairie"),
  })
  const refused = await run("project", "remove", id)
  expect(refused).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("--yes") })
  expect((await run("erase", "a@exemple.fr")).exitCode).toBe(2)
  expect((await run("erase", "a@exemple.fr", "--dry-run", "--json")).stdout).toContain('"would_erase":0')
  expect((await run("project", "show", id)).exitCode).toBe(0)
  expect((await run("project", "remove", id, "--yes")).exitCode).toBe(0)
  expect((await run("project", "show", id)).exitCode).toBe(1)
})

test.each([
  ["n", 1, true],
  ["y", 0, false],
] as const)("on a terminal it asks: %s", async (answer, exitCode, stays) => {
  const id = await add()
  // `script` gives the program a terminal.
  const command = `exec ${process.execPath} ${main} project remove ${id}`
  const typed = Bun.spawn(["script", "-qec", command, "/dev/null"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GUICHET_DATA_DIR: folder.path,
      GUICHET_EMBEDDING: "none",
      ...(await databaseSettings(folder.path)),
    },
    stdin: "pipe",
    stdout: "pipe",
  })
  let shown = ""
  for await (const bytes of typed.stdout) {
    const before = shown
    shown += new TextDecoder().decode(bytes)
    if (shown.includes("[y/N]") && !before.includes("[y/N]")) {
      typed.stdin.write(`${answer}\n`)
      typed.stdin.flush()
    }
  }
  expect([await typed.exited, shown]).toEqual([
    exitCode,
    expect.stringContaining("remove the project Mairie"),
  ])
  expect((await run("project", "show", id)).exitCode).toBe(stays ? 0 : 1)
})

test("a mistyped data folder makes nothing", async () => {
  const other = join(folder.path, "other")
  mkdirSync(other)
  writeFileSync(join(other, "notes.txt"), "")
  for (const [path, kept] of [
    [join(folder.path, "mistyped"), undefined],
    [other, ["notes.txt"]],
  ] as const)
    for (const argv of [
      ["project", "list"],
      ["check"],
      ["setup-link"],
      ["backup", join(folder.path, "copy")],
    ]) {
      const { exitCode, stderr } = await guichet(argv, { GUICHET_DATA_DIR: path, GUICHET_DATABASE_URL: "" })
      expect([argv, exitCode === 0]).toEqual([argv, false])
      expect(stderr).not.toContain("    at ")
      expect(existsSync(path) ? readdirSync(path) : undefined).toEqual(kept as string[] | undefined)
    }
})

test("a folder that cannot be used is told in a sentence", async () => {
  const { exitCode, stderr } = await guichet(["demo"], {
    TMPDIR: join(folder.path, "none"),
    GUICHET_PORT: "0",
  })
  expect(exitCode).toBe(1)
  expect(stderr).toContain("there is no such file or folder")
  expect(stderr).not.toContain("    at ")
})

test("each shell's completion is made of every command, and reads as that shell's script", async () => {
  for (const shell of Object.keys(completions) as Shell[]) {
    const { stdout } = await run("completion", shell)
    expect(stdout.trim()).toBe(completions[shell](commands).trim())
    for (const name of Object.keys(commands)) expect(stdout).toContain(name.split(" ").at(-1) as string)
    if (Bun.which(shell) === null) continue
    const read = Bun.spawn([shell, "-n"], { stdin: new Blob([stdout]), stderr: "pipe" })
    expect([await new Response(read.stderr).text(), await read.exited]).toEqual(["", 0])
  }
  expect((await run("completion", "tcsh")).exitCode).toBe(2)
})

test("bash completes commands, their second words, options and choices", async () => {
  const complete = async (...words: string[]) => {
    const script = `${completions.bash(commands)}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _guichet; echo "\${COMPREPLY[*]}"`
    const bash = Bun.spawn(["bash", "-c", script, "-", "guichet", ...words], { stdout: "pipe" })
    return (await new Response(bash.stdout).text()).trim()
  }
  expect(await complete("proj")).toBe("project")
  expect(await complete("project", "")).toBe("add list show set remove")
  expect(await complete("project", "set", "x", "--ass")).toBe("--assistant")
  expect(await complete("project", "set", "x", "--assistant", "")).toBe("on off")
  expect(await complete("erase", "--d")).toBe("--dry-run")
})
