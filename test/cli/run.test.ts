import { expect, spyOn, test } from "bun:test"
import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { commandGroups, commands } from "../../src/cli/commands.ts"
import type { Command, Option } from "../../src/cli/kit/command.ts"
import { commandHelp, description, explanations, overview, usageLine } from "../../src/cli/kit/help.ts"
import { readCall } from "../../src/cli/kit/read-call.ts"
import { runCommand } from "../../src/cli/run.ts"
import { guichet, program } from "../support/cli.ts"
import { engine } from "../support/postgres.ts"
import { temporaryFolder } from "../support/service.ts"

const main = await program()

/** Runs a command in this process, on a data folder that cannot be made: the command must not have begun. */
async function run(argv: string[]): Promise<{ exitCode: number; said: string }> {
  const said: string[] = []
  const spy = spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0)
  const exitCode = await runCommand(argv, { GUICHET_DATA_DIR: "/dev/null/none" }).finally(() =>
    spy.mockRestore(),
  )
  return { exitCode, said: said.join("") }
}

/** The words of a call that the declaration accepts: required arguments and options, each with a value. */
function validCall(name: string): string[] {
  const { args, rest, options } = commands[name] as Command
  const required = Object.entries(options).filter(([, option]) => option.required)
  return [
    ...name.split(" "),
    ...Object.keys(args),
    ...(rest ? [rest.name] : []),
    ...required.flatMap(([option, { choices }]) => [`--${option}`, choices?.[0] ?? "value"]),
  ]
}

test("an argument too many is a usage error that names it, for every command that takes no list", async () => {
  for (const [name, command] of Object.entries(commands).filter(([, { rest }]) => !rest)) {
    const { exitCode, said } = await run([...validCall(name), "de trop"])
    expect([name, exitCode]).toEqual([name, 2])
    expect(said).toStartWith(`guichet ${name}: "de trop" is one argument too many`)
    expect(said).toContain(`guichet ${usageLine(name, command)}`)
  }
})

test("a missing argument is a usage error that says what it is and how the command is called", async () => {
  for (const [name, command] of Object.entries(commands)) {
    const given = name.split(" ")
    const { args, rest } = command
    for (const [argument, about] of [
      ...Object.entries(args),
      ...(rest ? [[rest.name, rest.about] as const] : []),
    ]) {
      const { exitCode, said } = await run(given)
      expect([name, exitCode]).toEqual([name, 2])
      expect(said).toStartWith(`guichet ${name}: which ${argument}? `)
      expect(said).toContain(about)
      expect(said).toContain(`guichet ${usageLine(name, command)}`)
      given.push(argument)
    }
  }
})

test("an unknown option is a usage error that says where the known ones are explained", async () => {
  for (const name of Object.keys(commands))
    for (const option of ["--nothing", "--nothing=1", "--no-json", "-j", "--constructor"]) {
      const { exitCode, said } = await run([...validCall(name), option])
      expect([name, exitCode]).toEqual([name, 2])
      expect(said).toBe(
        `guichet ${name}: ${option.split("=")[0]} is no option: guichet ${name} --help explains those there are; an argument that begins with a hyphen goes behind --\n`,
      )
    }
})

test("an option that is given wrongly is a usage error that says how it is given", async () => {
  const wrong: [string[], string][] = [
    [
      ["project", "add", "--site", "https://a.fr"],
      "--name is needed: guichet project add --name NAME --site URL",
    ],
    [["project", "add"], "--name and --site are needed: guichet project add --name NAME --site URL"],
    [["project", "set", "x", "--name"], "--name needs a value: --name NAME"],
    [["ask", "x", "y", "--page", "--previous"], "--page needs a value: --page PATH"],
    [["ask", "x", "y", "--json=yes"], "--json takes no value"],
    [["project", "set", "x", "--assistant", "yes"], "--assistant is one of on, off, not yes"],
    [["token", "create", "--scope", "all", "--scope", "none"], "--scope is one of all, projects:read"],
  ]
  for (const [argv, reason] of wrong) {
    const { exitCode, said } = await run(argv)
    expect([argv, exitCode]).toEqual([argv, 2])
    expect(said).toContain(`: ${reason}`)
    // A command that was called without any word of its own shows its help behind the reason.
    if (argv.length > 2) expect(said.trim().split("\n")).toHaveLength(1)
  }
})

test("an option that may be given several times comes as a list, another as its last value", () => {
  const { args, options } = readCall("ask", commands["ask"] as Command, [
    ...[
      "docs0001",
      "--previous",
      "ans_1",
      "--previous=ans_2",
      "--page",
      "/a",
      "--page=-b",
      "--",
      "--pourquoi",
    ],
  ])
  expect(args).toEqual({ project: "docs0001", question: "--pourquoi" })
  expect(options).toEqual({ previous: ["ans_1", "ans_2"], page: "-b" })
})

test("every command that ends by itself takes --json and says so", () => {
  const others = ["serve", "demo", "completion", "systemd-unit"]
  for (const [name, command] of Object.entries(commands).filter(([name]) => !others.includes(name)))
    expect(usageLine(name, command)).toEndWith(" [--json]")
})

test("the help of a command explains every argument and option in lines of 100 columns at most", async () => {
  for (const [name, command] of Object.entries(commands)) {
    const help = commandHelp(name, command)
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100)
    const words = help.replace(/\s+/g, " ")
    expect(words).toStartWith(`usage: guichet ${usageLine(name, command)} ${description(command)}`)
    for (const [shown, about] of explanations(command)) expect(words).toContain(` ${shown} ${about}`)
  }
  expect((await guichet(["ask", "--help"], {})).stdout).toBe(
    `${commandHelp("ask", commands["ask"] as Command)}\n`,
  )
})

test("the list of commands has a line for each", () => {
  const lines = overview(commandGroups).split("\n")
  for (const [name, { about }] of Object.entries(commands))
    expect(lines.filter((line) => line.startsWith(`  ${name} `) && line.endsWith(` ${about}`))).toHaveLength(
      1,
    )
})

test("what is removed or changed is named by --json", async () => {
  using folder = temporaryFolder()
  const json = async (argv: string[], input?: string) => {
    const { stdout, stderr } = await guichet([...argv, "--json"], { GUICHET_DATA_DIR: folder.path }, input)
    return stdout === "" ? stderr : JSON.parse(stdout)
  }
  const password = "un mot de passe bien long\n"
  const { id } = await json(["project", "add", "--name", "a", "--site", "https://a.fr"])
  expect(await json(["project", "remove", id, "--yes"])).toEqual({ id })
  const token = await json(["token", "create"])
  expect(await json(["token", "revoke", token.id])).toEqual({ id: token.id })
  const operator = await json(["operator", "create", "camille@exemple.fr"], password)
  expect(await json(["operator", "password", "camille@exemple.fr"], password)).toEqual(operator)
  expect(await json(["export", "camille@exemple.fr"])).toEqual({ items: [], workspaces: [] })
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

test("a setting that is mistyped is named, and a variable that is like none is not", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_PROT: "4000", GUICHET_TOKEN: "gch_x" }
  const { exitCode, stderr } = await guichet(["project", "list"], environment)
  expect([exitCode, stderr]).toEqual([
    0,
    "guichet: GUICHET_PROT (did you mean GUICHET_PORT?) is no setting and is ignored\n",
  ])
})

test.skipIf(engine === "postgres")(
  "before the first start a project is refused in one line, which names guichet serve",
  async () => {
    using folder = temporaryFolder()
    const environment = { GUICHET_DATA_DIR: `${folder.path}/none` }
    const argv = ["project", "add", "--name", "Mairie", "--site", "https://www.exemple.fr"]
    const { exitCode, stderr } = await guichet(argv, environment)
    expect([exitCode, stderr.trim().split("\n").length]).toEqual([2, 1])
    expect(stderr).toContain("start a new one with guichet serve")
  },
)

test("the first word of several commands alone means none of them more than another", async () => {
  expect(await guichet(["delivery"], {})).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "guichet: no command is named delivery: guichet delivery --help lists those there are\n",
  })
})

test.each([["endpoint add"], ["form list"]])(
  "no command is meant by %s, which only looks like one as a whole",
  async (typed) => {
    const { exitCode, stderr } = await guichet(typed.split(" "), {})
    expect([exitCode, stderr]).toEqual([2, expect.not.stringContaining("did you mean")])
  },
)

test("help before the first word of several commands lists these, and before an unknown one says so", async () => {
  expect(await guichet(["help", "token"], {})).toEqual(await guichet(["token", "--help"], {}))
  expect(await guichet(["help", "form"], {})).toMatchObject({ exitCode: 2, stdout: "" })
})

test("the choices of an option are listed once", () => {
  const isListed = ({ choices, about }: Option) => choices !== undefined && about.includes(choices.join(", "))
  const twice = Object.entries(commands).filter(([, { options }]) => Object.values(options).some(isListed))
  expect(twice).toEqual([])
})

test("the first word of several commands lists these; a second one that is unknown is told in a line", async () => {
  const groups = new Set(Object.keys(commands).flatMap((name) => name.split(" ").slice(0, -1)))
  expect(groups).toContain("project")
  for (const group of groups) {
    const [asked, unknown] = [await guichet([group, "--help"], {}), await guichet([group, "what"], {})]
    expect([group, asked.exitCode, unknown.exitCode, unknown.stdout]).toEqual([group, 0, 2, ""])
    expect(asked.stdout.match(/^ {2}\w\S*( \w\S*)?/gm)?.map((line) => line.trim())).toEqual(
      Object.keys(commands).filter((name) => name.startsWith(`${group} `)),
    )
    expect(unknown.stderr).toMatch(
      new RegExp(
        `^guichet: no command is named ${group} what: .*guichet ${group} --help lists those there are\n$`,
      ),
    )
  }
})
