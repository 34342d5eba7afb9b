import { afterEach, beforeEach, expect, test } from "bun:test"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { removeUnfinishedImports } from "../../src/handover/unfinished-imports.ts"
import { apiOf } from "../support/api.ts"
import { guichet, startGuichet } from "../support/cli.ts"
import { contents, filledIn } from "../support/files.ts"
import { eventually } from "../support/processes.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { workspaceFile } from "../support/workspace-file.ts"

// An agency hands a client over: a workspace goes to another installation as a file, whole, without secrets.

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const at = (data: string, ...argv: string[]) =>
  guichet(argv, {
    GUICHET_DATA_DIR: data,
    GUICHET_LOG_LEVEL: "error",
    GUICHET_EMBEDDING: "none",
    GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1",
  })

/** Lines without ids and addresses that are new elsewhere. */
function contentOf(file: string) {
  const ids = new Map<string, string>()
  const named = (value: unknown): unknown => {
    if (typeof value === "string" && ids.has(value)) return ids.get(value)
    if (Array.isArray(value)) return value.map(named)
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, named(each)]))
    return value
  }
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line, at) => {
      const [[kind, content]] = Object.entries(JSON.parse(line)) as [[string, Record<string, unknown>]]
      if (typeof content["id"] === "string") ids.set(content["id"], `${kind} ${at}`)
      const { exported_at: _, active: __, ...same } = named(content) as Record<string, unknown>
      return { [kind]: same }
    })
}

/** Several lines of a file, and no whole number of them. */
const attached = Buffer.concat([contents.pdf, Buffer.alloc(600_000)])

async function workspaceWithEverything() {
  const settings = {
    GUICHET_DATA_DIR: join(folder.path, "from"),
    GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1",
  }
  await using service = await aService().withSettings(settings).started()
  const api = await apiOf(service)
  const added = {
    name: "Mairie",
    site: "https://mairie.fr",
    kind_word: "site",
    per_day: 500,
    origins: ["https://b.fr"],
  }
  const { id: project } = (await api.post("/api/v1/projects", added)).body
  await api.post(`/api/v1/projects/${project}/feeds`, {
    kind: "sitemap",
    address: "https://mairie.fr/plan.xml",
  })
  const { id: uploads } = (await api.post(`/api/v1/projects/${project}/feeds`, { kind: "upload" })).body
  const files = { "guide/plan.md": "# Plan\n\nTout droit.", "long.txt": "mot ".repeat(700_000) }
  await api.post(`/api/v1/projects/${project}/feeds/${uploads}/uploads`, {
    files: Object.entries(files).map(([name, text]) => ({
      name,
      content: Buffer.from(text).toString("base64"),
    })),
  })
  await api.post(`/api/v1/projects/${project}/synonyms`, { words: ["mairie", "hôtel de ville"] })
  const answer = { questions: ["Quand ouvre la mairie ?"], answer: "Le **matin**." }
  await api.post(`/api/v1/projects/${project}/chosen-answers`, answer)
  await api.post(`/api/v1/projects/${project}/evaluation-questions`, {
    question: "Où est la mairie ?",
    page: "/acces",
  })
  const fields = [
    { name: "email", label: "Votre adresse", type: "email", required: true },
    { name: "piece", label: "Pièce", type: "file", accept: ["pdf", "text"] },
    { name: "sujet", label: "Sujet", type: "select", options: [{ value: "a", label: "A" }] },
  ]
  const consent = { text: "J’accepte." }
  const form = (
    await api.post("/api/v1/forms", { project, name: "Contact", fields, consent, retention_days: 90 })
  ).body
  await api.patch(`/api/v1/projects/${project}/widget-settings`, { title: "Bonjour", color: "#aa0044" })
  const endpoint = {
    url: "https://hooks.acme.fr/in?cle=1",
    description: "Outil",
    projects: [project],
    conditions: [{ form: form.id, field: "sujet", values: ["a"] }],
    headers: [{ name: "x-key", value: "tres-secret" }],
    in_order: true,
    rate: { messages: 5, per: "second" },
    events: ["form.response.created", "questions.unanswered"],
  }
  const made = (await api.post("/api/v1/endpoints", endpoint)).body
  for (const email of ["lea@exemple.fr", "zoe@exemple.fr"])
    await fetch(`${service.url}/f/${form.public_id}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://mairie.fr" },
      body: JSON.stringify({ email, sujet: "a", guichet_consent: "on" }),
    })
  await fetch(`${service.url}/f/${form.public_id}`, {
    method: "POST",
    headers: { origin: "https://mairie.fr" },
    body: filledIn({ email: "max@exemple.fr" }, ["piece", "plan.pdf", attached]),
  })
  return {
    data: settings.GUICHET_DATA_DIR,
    workspace: api.workspaceId,
    secret: made.secret as string,
    project,
  }
}

test("what is read in elsewhere is exported there as it was here, without secrets and with endpoints off", async () => {
  const { data, workspace, secret, project } = await workspaceWithEverything()
  const [file, again] = ["client.jsonl", "again.jsonl"].map((name) => join(folder.path, name)) as [
    string,
    string,
  ]
  const exported = await at(data, "workspace", "export", workspace, file)
  const leftOut = "left out: the headers of its owner's that https://hooks.acme.fr/in?cle=1 is sent\n"
  expect(exported).toMatchObject({ exitCode: 0, stderr: leftOut })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, "utf8")
  expect(text).not.toContain(secret)
  expect(text).not.toContain("x-key")
  expect(text).toContain("lea@exemple.fr")
  const twice = await at(data, "workspace", "export", workspace, file)
  expect([twice.exitCode, twice.stderr.includes("is there already")]).toEqual([2, true])

  const fresh = join(folder.path, "fresh")
  await aService()
    .withSettings({ GUICHET_DATA_DIR: fresh })
    .started()
    .then((service) => service[Symbol.asyncDispose]())
  const { stdout, stderr, exitCode } = await at(fresh, "workspace", "import", file, "--json")
  expect([exitCode, stderr]).toEqual([0, ""])
  const imported = JSON.parse(stdout)
  expect(imported.counts).toMatchObject({
    project: 1,
    form: 1,
    response: 3,
    file: 1,
    chosen_answer: 1,
    endpoint: 1,
  })
  expect(imported.endpoints[0].secret).toMatch(/^whsec_/)
  expect(imported.endpoints[0].secret).not.toBe(secret)
  expect((await at(fresh, "workspace", "export", imported.id, again)).exitCode).toBe(0)
  expect(contentOf(again)).toEqual(contentOf(file))
  expect(JSON.parse(readFileSync(again, "utf8").trim().split("\n").at(-2) as string).endpoint.active).toBe(
    false,
  )
  expect(readFileSync(again, "utf8")).not.toContain(project)
  // A person is found there by the address that was typed.
  const { stdout: person } = await at(fresh, "export", "lea@exemple.fr")
  expect(JSON.parse(person).items).toHaveLength(1)
  const { stdout: sender } = await at(fresh, "export", "max@exemple.fr")
  expect(JSON.parse(sender).items[0].files).toMatchObject([
    { name: "plan.pdf", media_type: "application/pdf", content: attached.toString("base64") },
  ])
})

test("a file of the first version, which has no last line, is read in as before", async () => {
  const { data, workspace } = await workspaceWithEverything()
  const file = join(folder.path, "client.jsonl")
  await at(data, "workspace", "export", workspace, file)
  const lines = readFileSync(file, "utf8").trim().split("\n")
  const head = lines[0]?.replace('"version":2', '"version":1')
  expect(lines.at(-1)).toBe('{"end":{}}')
  writeFileSync(file, [head, ...lines.slice(1, -1)].join("\n"))
  expect((await at(data, "workspace", "import", file)).exitCode).toBe(0)
})

test("a file that is none, or that was changed, is refused with its line, and nothing of it stays", async () => {
  const { data, workspace } = await workspaceWithEverything()
  const file = join(folder.path, "client.jsonl")
  await at(data, "workspace", "export", workspace, file)
  const lines = readFileSync(file, "utf8").trim().split("\n")
  const changed = (at: number, line: string) =>
    lines.map((each, place) => (place === at ? line : each)).join("\n")
  const formAt = lines.findIndex((line) => line.startsWith('{"form"'))
  const fileAt = lines.findLastIndex((line) => line.startsWith('{"file"'))
  const cases: [string, string][] = [
    ["", "line 1"],
    ["nothing", "line 1"],
    [changed(0, '{"workspace":{"version":99,"name":"x"}}'), "line 1"],
    [changed(1, '{"token":{"scopes":"all"}}'), "line 2"],
    [changed(1, '{"constructor":{}}'), "line 2"],
    [changed(1, '{"project":null}'), "line 2"],
    [changed(1, '{"feed":{"project":"unknown"}}'), "line 2"],
    ...[
      '{"endpoint":{"url":"https://hooks.acme.fr/","projects":"x"}}',
      '{"endpoint":{"url":{"toString":1},"conditions":[null]}}',
    ].map((line): [string, string] => [changed(lines.length - 2, line), `line ${lines.length - 1}`]),
    [lines.slice(0, formAt).join("\r\n"), `line ${formAt} cannot be read (the file breaks off`],
    [`\uFEFF\n\n${changed(2, '{"feed":{"project":{"toString":1}}}')}`, "line 5"],
    [changed(1, "x".repeat(5_000_000)), "line 2"],
    [changed(1, lines[1]?.replace("https://mairie.fr", "javascript:alert(1)") as string), "line 2"],
    [changed(formAt, lines[formAt]?.replace('"email"', '"guichet_trap"') as string), `line ${formAt + 1}`],
    [
      changed(formAt + 1, lines[formAt + 1]?.replace(/"form":"[^"]+"/, '"form":"form_x"') as string),
      `line ${formAt + 2}`,
    ],
    [changed(fileAt, '{"synonyms":{}}'), `line ${fileAt + 1}`],
    [changed(fileAt, lines[fileAt]?.replace(/"bytes":\d+/, '"bytes":1') as string), `line ${fileAt + 1}`],
    [changed(formAt + 1, lines[fileAt] as string), `line ${formAt + 2}`],
    [changed(formAt + 1, '{"response":"x"}'), `line ${formAt + 2}`],
    [`{"workspace":{"version":1,"name":"${"x".repeat(5_000_000)}`, "line 1 cannot be read (it is too long)"],
  ]
  const before = (await at(data, "workspace", "list", "--json")).stdout
  for (const [text, told] of cases) {
    const broken = join(folder.path, "broken.jsonl")
    writeFileSync(broken, text)
    const { exitCode, stderr } = await at(data, "workspace", "import", broken)
    expect([exitCode > 0, stderr.includes(told) ? told : stderr]).toEqual([true, told])
  }
  expect((await at(data, "workspace", "list", "--json")).stdout).toBe(before)
  expect((await at(data, "project", "list", "--json")).stdout.match(/"id"/g)).toHaveLength(1)
})

test("one that is interrupted keeps nothing, and one that is killed nothing from the next start on", async () => {
  const data = join(folder.path, "data")
  const file = join(folder.path, "client.jsonl")
  writeFileSync(
    file,
    workspaceFile({ name: "email", type: "email" }, { value: "lea@exemple.fr", responses: 30_000 }),
  )
  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    await using service = await aService().withSettings({ GUICHET_DATA_DIR: data }).started()
    const child = await startGuichet(["workspace", "import", file], { GUICHET_DATA_DIR: data })
    const { db } = service.app
    const first = () => db.selectFrom("form_response").select("id").limit(1).executeTakeFirst()
    await eventually(async () => (await first()) !== undefined)
    // A start meanwhile leaves it alone, since whoever reads it in lives.
    if (signal === "SIGKILL") await removeUnfinishedImports(service.app)
    expect(await first()).toBeDefined()
    child.kill(signal)
    expect(await child.exited).not.toBe(0)
    if (signal === "SIGINT") expect(await first()).toBeUndefined()
  }
  await using service = await aService().withSettings({ GUICHET_DATA_DIR: data }).started()
  const { db } = service.app
  await eventually(async () => (await db.selectFrom("workspace").select("name").execute()).length === 1)
  for (const table of ["project", "form_response"] as const)
    expect(await db.selectFrom(table).select("id").execute()).toEqual([])
})
