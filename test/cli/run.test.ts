import { expect, spyOn, test } from "bun:test"
import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli/commands.ts"
import { runCommand } from "../../src/cli/run.ts"
import { guichet, main } from "../support/cli.ts"
import { temporaryFolder } from "../support/service.ts"

/** In this process: nothing of a command may have begun. */
async function run(argv: string[]): Promise<{ exitCode: number; said: string }> {
  const said: string[] = []
  const spy = spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0)
  const exitCode = await runCommand(argv, { GUICHET_DATA_DIR: "/dev/null/none" }).finally(() =>
    spy.mockRestore(),
  )
  return { exitCode, said: said.join("") }
}

test("an argument too many is a usage error that names it, for every command", async () => {
  for (const [name, { usage }] of Object.entries(commands)) {
    const taken =
      usage
        .slice(name.length)
        .match(/^( [A-Z][\w.]*)*/)?.[0]
        .trim()
        .split(" ")
        .filter(Boolean) ?? []
    const { exitCode, said } = await run([...name.split(" "), ...taken, "de trop"])
    expect([name, exitCode]).toEqual([name, 2])
    expect(said).toStartWith(`guichet ${name}: "de trop" is one argument too many`)
    expect(said).toContain(`guichet ${usage}`)
  }
})

test("every command that ends by itself takes --json and says so", () => {
  const others = ["serve", "demo", "systemd-unit"]
  for (const [name, { usage, options }] of Object.entries(commands).filter(
    ([name]) => !others.includes(name),
  ))
    expect([name, options?.["json"], usage]).toEqual([
      name,
      { type: "boolean" },
      expect.stringContaining("[--json]"),
    ])
})

test("what is removed or changed is named by --json", async () => {
  using folder = temporaryFolder()
  const json = async (argv: string[], input?: string) => {
    const { stdout, stderr } = await guichet([...argv, "--json"], { GUICHET_DATA_DIR: folder.path }, input)
    return stdout === "" ? stderr : JSON.parse(stdout)
  }
  const password = "un mot de passe bien long\n"
  const { id } = await json(["project", "add", "--name", "a", "--site", "https://a.fr"])
  expect(await json(["project", "remove", id])).toEqual({ id })
  const token = await json(["token", "create"])
  expect(await json(["token", "revoke", token.id])).toEqual({ id: token.id })
  const operator = await json(["operator", "create", "camille@exemple.fr"], password)
  expect(await json(["operator", "password", "camille@exemple.fr"], password)).toEqual(operator)
  expect(await json(["export", "camille@exemple.fr"])).toEqual({ items: [] })
  expect(await json(["version"])).toEqual({ version: expect.any(String), bun: Bun.version })
})

test("a project is not removed by a command that names two", async () => {
  const { exitCode, stdout, stderr } = await guichet(["project", "remove", "docs0001", "docs0002"], {})
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
  expect(stderr).toContain('"docs0002"')
})

test("what a command makes is nobody else's to read, whatever the shell says", async () => {
  using folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  const script = `umask 022 && "$0" "$1" project list`
  const environment = { PATH: process.env["PATH"] ?? "", GUICHET_DATA_DIR: folder.path }
  Bun.spawnSync(["sh", "-c", script, process.execPath, main], { env: environment })
  const files = readdirSync(folder.path)
  expect(files).toContain("guichet.db")
  for (const file of files) expect(statSync(join(folder.path, file)).mode & 0o077, file).toBe(0)
})

test("a reader who has seen enough is no failure: guichet config | head", async () => {
  using folder = temporaryFolder()
  const script = `{ "$0" "$1" config || echo "failed: $?" >&2; } | true`
  const piped = Bun.spawn(["sh", "-c", script, process.execPath, main], {
    env: { PATH: process.env["PATH"] ?? "", GUICHET_DATA_DIR: folder.path },
    stderr: "pipe",
  })
  expect(await new Response(piped.stderr).text()).toBe("")
})

test.skipIf(process.platform !== "linux")(
  "an output that cannot be written is a failure that is told in one line",
  async () => {
    using folder = temporaryFolder()
    for (const argv of [
      ["token", "list", "--json"],
      ["export", "camille@exemple.fr"],
      ["config"],
      ["--help"],
    ]) {
      const full = Bun.spawn(["sh", "-c", `exec "$0" "$@" > /dev/full`, process.execPath, main, ...argv], {
        env: {
          PATH: process.env["PATH"] ?? "",
          GUICHET_DATA_DIR: folder.path,
          GUICHET_LOG_LEVEL: "error",
        },
        stderr: "pipe",
      })
      const said = await new Response(full.stderr).text()
      expect([argv, await full.exited, said.trim().split("\n")]).toEqual([
        argv,
        1,
        [expect.stringMatching(/^guichet: the output cannot be written: ENOSPC/)],
      ])
    }
  },
)

test("help and version are given to whoever asks for them in the usual ways", async () => {
  const [help, version] = [await guichet(["--help"], {}), await guichet(["version"], {})]
  expect([help.exitCode, version.exitCode]).toEqual([0, 0])
  expect(await guichet(["-h"], {})).toEqual(help)
  expect(await guichet(["--version"], {})).toEqual(version)
  expect(await guichet(["token", "create", "-h"], {})).toEqual(
    await guichet(["token", "create", "--help"], {}),
  )
})

test("run from its sources, as the demo is, it is the same program as the bundle the other tests run", async () => {
  const fromSources = [process.execPath, join(import.meta.dir, "../../src/main.ts")]
  for (const argv of [["--help"], ["config"], ["no", "such"]]) {
    using folder = temporaryFolder()
    const environment = { GUICHET_DATA_DIR: folder.path }
    expect(await guichet(argv, environment, "", fromSources)).toEqual(await guichet(argv, environment))
  }
})

test("the first word of several commands lists these, for the asking or when no second one follows that is known", async () => {
  const groups = new Set(Object.keys(commands).flatMap((name) => name.split(" ").slice(0, -1)))
  expect(groups).toContain("project")
  for (const group of groups) {
    const [asked, unknown] = [await guichet([group, "--help"], {}), await guichet([group, "what"], {})]
    expect([group, asked.exitCode, unknown.exitCode, unknown.stdout]).toEqual([group, 0, 2, ""])
    for (const said of [asked.stdout, unknown.stderr])
      expect(said.match(/^ {2}\w\S*( \w\S*)?/gm)?.map((line) => line.trim())).toEqual(
        Object.keys(commands).filter((name) => name.startsWith(`${group} `)),
      )
    expect(unknown.stderr).toStartWith(`guichet: no command is named ${group} what\n`)
  }
})
