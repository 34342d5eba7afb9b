import { afterEach, beforeEach, expect, test } from "bun:test"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config/config.ts"
import { listAuditLog } from "../../src/operations/audit-log.ts"
import { guichet } from "../support/cli.ts"
import { databaseSettings } from "../support/postgres.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const run = (...argv: string[]) => guichet(argv, { GUICHET_DATA_DIR: folder.path })

test("project add declares a site, the assistant on, its origins normalised", async () => {
  const added = await run(
    "project",
    "add",
    "--name",
    "Mairie",
    "--site",
    "https://WWW.Exemple.fr:443/",
    "--origin",
    "http://localhost:80",
    "--json",
  )
  expect(added.exitCode).toBe(0)
  const { id } = JSON.parse(added.stdout)
  expect(id).toMatch(/^[a-z0-9]{8,64}$/)
  const shown = JSON.parse((await run("project", "show", id, "--json")).stdout)
  expect(shown).toMatchObject({
    name: "Mairie",
    site: "https://www.exemple.fr",
    origins: ["https://www.exemple.fr", "http://localhost"],
    assistant_enabled: true,
    answers: "written",
    language: "fr",
  })
})

test("project set changes what is named and nothing else; a limit of 0 goes back to the setting", async () => {
  const { id } = JSON.parse(
    (await run("project", "add", "--name", "a", "--site", "https://a.fr", "--json")).stdout,
  )
  await run(
    "project",
    "set",
    id,
    "--assistant",
    "off",
    "--answers",
    "extractive",
    "--per-minute",
    "5",
    "--every",
    "24h",
  )
  const changed = JSON.parse((await run("project", "set", id, "--per-day", "7", "--json")).stdout)
  expect(changed).toMatchObject({
    assistant_enabled: false,
    answers: "extractive",
    per_minute: 5,
    per_day: 7,
    per_visitor_day: null,
    every_hours: 24,
    name: "a",
  })
  expect(
    JSON.parse((await run("project", "set", id, "--per-minute", "0", "--json")).stdout).per_minute,
  ).toBeNull()
})

test("what the site is called, and a sentence after a refusal, are options too", async () => {
  const options = ["--kind-word", "Le guide", "--no-answer-more", "Écrivez-nous."]
  const { id } = JSON.parse(
    (await run("project", "add", "--name", "a", "--site", "https://a.fr", "--json", ...options)).stdout,
  )
  const set = async (...argv: string[]) =>
    JSON.parse((await run("project", "set", id, ...argv, "--json")).stdout)
  expect(await set("--per-day", "7")).toMatchObject({
    kind_word: "le guide",
    no_answer_more: "Écrivez-nous.",
  })
  expect(await set("--kind-word", "site", "--no-answer-more", "")).toMatchObject({
    kind_word: "site",
    no_answer_more: null,
  })
  const refused = await run("project", "set", id, "--kind-word", "guide")
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("with its article") })
})

test("a period of 0 is none, whatever its unit; one of less than five minutes or more than a year is no period", async () => {
  const { id } = JSON.parse(
    (await run("project", "add", "--name", "a", "--site", "https://a.fr", "--json")).stdout,
  )
  const every = async (period: string) =>
    JSON.parse((await run("project", "set", id, "--every", period, "--json")).stdout).every_hours
  expect([await every("30m"), await every("0h")]).toEqual([0.5, null])
  expect([await every("365d"), await every("0")]).toEqual([8760, null])
  for (const period of ["366d", "1m", "4m"]) {
    const refused = await run("project", "set", id, "--every", period)
    expect([period, refused]).toEqual([
      period,
      expect.objectContaining({
        exitCode: 2,
        stdout: "",
        stderr: expect.stringContaining("from 5m to 365d"),
      }),
    ])
  }
  expect(await every("5m")).toBe(5 / 60)
})

test("wrong usage exits 2, what cannot be done exits 1, each with a line that says why", async () => {
  expect(await run("project", "add", "--name", "x")).toMatchObject({ exitCode: 2, stdout: "" })
  expect(await run("project", "add", "--nom", "x")).toMatchObject({ exitCode: 2 })
  expect(await run("project", "set", "x", "--answers", "gemini")).toMatchObject({ exitCode: 2 })
  expect(await run("nothing")).toMatchObject({ exitCode: 2 })
  expect(await run("constructor")).toMatchObject({ exitCode: 2 })
  const add = (...options: string[]) => run("project", "add", "--name", "x", ...options)
  for (const site of ["ftp://x.fr", "foo", "https://*.x.fr"]) {
    const refused = await add("--site", site)
    expect([site, refused]).toEqual([site, expect.objectContaining({ exitCode: 2, stdout: "" })])
    expect(refused.stderr).toContain("the site is not an http:// or https:// address")
  }
  for (const origin of ["bar", "https://*.x.fr"]) {
    const refused = await add("--site", "https://x.fr", "--origin", origin)
    expect([origin, refused]).toEqual([origin, expect.objectContaining({ exitCode: 2, stdout: "" })])
    expect(refused.stderr).toContain("an origin is not an http:// or https:// address")
  }
  expect(await run("project", "show", "nobody00")).toMatchObject({ exitCode: 1 })
})

test("project remove removes it", async () => {
  const { id } = JSON.parse(
    (await run("project", "add", "--name", "a", "--site", "https://a.fr", "--json")).stdout,
  )
  expect((await run("project", "remove", id, "--yes")).exitCode).toBe(0)
  expect(JSON.parse((await run("project", "list", "--json")).stdout)).toEqual({ items: [] })
})

test("a value that no project may have is told by the name of its field", async () => {
  const { exitCode, stderr } = await run(
    "project",
    "add",
    "--name",
    "a",
    "--site",
    `https://a.fr/${"a".repeat(3000)}`,
  )
  expect([exitCode, stderr.split("\n")[0]]).toEqual([
    2,
    "guichet project add: the site is not an http:// or https:// address without query",
  ])
})

test("the audit log tells what commands did", async () => {
  const { id } = JSON.parse(
    (await run("project", "add", "--name", "Mairie", "--site", "https://a.fr", "--json")).stdout,
  )
  await run("project", "set", id, "--every", "30m")
  await run("project", "remove", id, "--yes")
  const settings = await databaseSettings(folder.path)
  const config = readConfig({ GUICHET_DATA_DIR: folder.path, ...settings })
  await using app = await openApp(config)
  const workspaceId = await defaultWorkspaceId(app.db)
  const { rows } = await listAuditLog(app.db, workspaceId, { atMost: 10, after: undefined })
  expect(rows.map(({ actor, action, subjectName }) => [actor.name, action, subjectName]).reverse()).toEqual([
    ["guichet project add", "project.added", "Mairie"],
    ["guichet project set", "project.changed", "Mairie"],
    ["guichet project set", "project.changed", "Mairie"],
    ["guichet project remove", "project.removed", "Mairie"],
  ])
})

test("project set says how sure an answer has to be", async () => {
  const added = await run("project", "add", "--name", "a", "--site", "https://a.fr", "--json")
  const { id } = JSON.parse(added.stdout)
  const shown = async () => JSON.parse((await run("project", "show", id, "--json")).stdout).answer_threshold
  expect(await shown()).toBe("prudent")
  await run("project", "set", id, "--answer-threshold", "talkative")
  expect(await shown()).toBe("talkative")
  await run("project", "set", id, "--name", "b")
  expect(await shown()).toBe("talkative")
  expect((await run("project", "set", id, "--answer-threshold", "loud")).exitCode).toBe(2)
})

test("project set offers a project to programs, lists its team's page, and takes it back", async () => {
  const { id } = JSON.parse(
    (await run("project", "add", "--name", "a", "--site", "https://a.fr", "--mcp", "on", "--json")).stdout,
  )
  const shown = async () => JSON.parse((await run("project", "show", id, "--json")).stdout)
  expect(await shown()).toMatchObject({ mcp_enabled: true, llms_enabled: false, team_page_listed: false })
  await run("project", "set", id, "--mcp", "off", "--llms", "on", "--team-page-listed", "on")
  expect(await shown()).toMatchObject({ mcp_enabled: false, llms_enabled: true, team_page_listed: true })
  await run("project", "set", id, "--name", "b")
  expect(await shown()).toMatchObject({ name: "b", llms_enabled: true, team_page_listed: true })
  expect((await run("project", "set", id, "--mcp", "yes")).exitCode).toBe(2)
})

test("versions of the documentation are declared in order, and taken away by an empty one", async () => {
  const { id } = JSON.parse(
    (await run("project", "add", "--name", "a", "--site", "https://a.fr", "--json")).stdout,
  )
  const set = async (...argv: string[]) =>
    JSON.parse((await run("project", "set", id, ...argv, "--json")).stdout)
  const two = ["--edition", "v2 /v2 Version 2", "--edition", "en en.a.fr"]
  expect(await set(...two, "--edition-fallback", "on")).toMatchObject({
    editions: [
      { name: "v2", label: "Version 2", rule: "/v2/" },
      { name: "en", label: "en", rule: "en.a.fr" },
    ],
    edition_fallback: true,
  })
  expect((await run("project", "show", id)).stdout).toContain("editions: v2 /v2/ Version 2, en en.a.fr en")
  expect(await set("--per-day", "7")).toMatchObject({ editions: [{ name: "v2" }, { name: "en" }] })
  expect(await set("--edition", "")).toMatchObject({ editions: [], edition_fallback: true })
  const refused = await run("project", "set", id, "--edition", "v2 /v*/ Version 2")
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("beginning of a path") })
})
