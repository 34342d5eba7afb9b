import { afterEach, beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { databaseLocation, takeLock } from "../../src/db/open.ts"
import { guichet } from "../support/cli.ts"
import { startServe } from "../support/serve.ts"
import { configOf, type TemporaryFolder, temporaryFolder } from "../support/service.ts"

// Projects, forms and endpoints as a file declares them: what is missing is made, what differs is changed.

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const run = (argv: string[], stdin = "") =>
  guichet(
    argv,
    { GUICHET_DATA_DIR: folder.path, GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" },
    stdin,
  )
const parsed = async (argv: string[], stdin?: string) =>
  JSON.parse((await run([...argv, "--json"], stdin)).stdout)
const apply = (file: unknown, ...options: string[]) =>
  parsed(["apply", "-", ...options], typeof file === "string" ? file : JSON.stringify(file))
const refused = async (file: unknown) => {
  const { exitCode, stderr } = await run(["apply", "-", "--json"], JSON.stringify(file))
  expect(exitCode).not.toBe(0)
  return JSON.parse(stderr).error.message.split("\n")
}

const contact = {
  name: "Contact",
  fields: [
    { name: "nom", label: "Votre nom", type: "text" },
    { name: "sujet", label: "Sujet", type: "select", options: [{ value: "a", label: "A" }] },
  ],
  closes_at: "2030-01-01T00:00:00Z",
}
const town = {
  name: "Mairie",
  site: "https://mairie.fr/",
  kind_word: "ce site",
  feeds: [{ kind: "sitemap", address: "https://mairie.fr/plan.xml", exclude: ["/archives/*"] }],
  widget_settings: { title: "Une question ?", contact_form: "Contact" },
  forms: [contact],
}
const hook = {
  description: "Compta",
  url: "https://hooks.acme.fr/in",
  projects: ["Mairie"],
  forms: ["Mairie/Contact"],
  conditions: [{ form: "Mairie/Contact", field: "sujet", values: ["a"] }],
}
const file = { projects: [town], endpoints: [hook] }
const told = ({ changes }: { changes: { action: string; kind: string; name: string }[] }) =>
  changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`)

test("what a file declares is made, with ids and secrets told once; declared again, nothing changes", async () => {
  const made = await apply(file)
  expect(told(made)).toEqual([
    "added project Mairie",
    "added feed Mairie/https://mairie.fr/plan.xml",
    "added form Mairie/Contact",
    "changed widget Mairie",
    "added endpoint Compta",
  ])
  expect(made.changes[4]).toMatchObject({
    id: expect.stringMatching(/^ep_/),
    secret: expect.stringMatching(/^whsec_/),
  })
  const endpoint = (await parsed(["endpoint", "list"])).items[0]
  expect(endpoint).toMatchObject({
    projects: [made.changes[0].id],
    forms: [made.changes[2].id],
    limited: true,
  })
  expect(await apply(file)).toEqual({ dry_run: false, changes: [], unchanged: 5 })
})

test("only what the file says is changed, each member with what it was; the rest is left alone", async () => {
  await apply(file)
  await apply({ projects: [{ name: "Autre", site: "https://autre.fr" }] })
  const { changes, unchanged } = await apply({
    projects: [{ ...town, kind_word: "documentation", forms: [{ name: "Contact", button: "Envoyer" }] }],
    endpoints: [{ description: "Compta", active: false }],
  })
  expect(changes).toEqual([
    expect.objectContaining({ kind: "project", members: { kind_word: ["site", "documentation"] } }),
    expect.objectContaining({ kind: "form", members: { button: [null, "Envoyer"] } }),
    expect.objectContaining({ kind: "endpoint", members: { active: [true, false] } }),
  ])
  expect(unchanged).toBe(2)
  const names = (await parsed(["project", "list"])).items.map(({ name }: { name: string }) => name)
  expect(names.sort()).toEqual(["Autre", "Mairie"])
})

test("a dry run tells the same and does nothing", async () => {
  const trial = await apply(file, "--dry-run")
  expect([trial.dry_run, trial.changes.length]).toEqual([true, 5])
  expect((await parsed(["project", "list"])).items).toEqual([])
  await apply(file)
  await apply({ projects: [{ ...town, name: "Mairie", site: "https://ville.fr", feeds: [] }] }, "--dry-run")
  expect((await parsed(["project", "list"])).items[0].site).toBe("https://mairie.fr")
  const { stdout, stderr } = await run(
    ["apply", "-", "--dry-run"],
    JSON.stringify({ projects: [{ name: "Mairie", site: "https://ville.fr" }] }),
  )
  expect(stdout).toBe('~ project  Mairie\n    site: "https://mairie.fr" → "https://ville.fr"\n')
  expect(stderr).toContain("nothing was done")
})

test("every fault is told at once with its place, and then nothing is done", async () => {
  const faults = await refused({
    projects: [
      { ...town, sight: 1, forms: [contact, { name: "Vide", fields: [] }, { name: "Contact", fields: [] }] },
      { site: "https://sans-nom.fr" },
      "Mairie",
    ],
    endpoints: [{ ...hook, projects: ["Marie"], conditions: [] }, { description: "Sans URL" }],
    project: [],
  })
  expect(faults.map((fault: string) => fault.split(": ")[0])).toEqual([
    "project",
    "projects.2",
    "projects.1.name",
    "projects.0.sight",
    "projects.0.forms.2.name",
    "projects.0.forms.1.fields",
    "endpoints.0.projects.0",
    "endpoints.1.url",
  ])
  expect(faults.at(-2)).toEndWith("did you mean Mairie?")
  expect((await parsed(["project", "list"])).items).toEqual([])
})

test("an address that no webhook may go to is told before anything is done", async () => {
  expect(await refused({ ...file, endpoints: [{ ...hook, url: "https://nulle-part.acme.fr/in" }] })).toEqual([
    expect.stringMatching(/^endpoints\.0\.url: /),
  ])
  expect((await parsed(["project", "list"])).items).toEqual([])
})

test("two of one name are a fault, since nobody can tell which is meant", async () => {
  for (const site of ["https://a.fr", "https://b.fr"])
    await run(["project", "add", "--name", "Club", "--site", site])
  expect(await refused({ projects: [{ name: "Club", site: "https://a.fr" }] })).toEqual([
    "projects.0.name: 2 have this name: give them different ones first",
  ])
  expect(await refused({ projects: [town, town] })).toEqual([expect.stringContaining("projects.1.name")])
})

test("what is no JSON, no object or too large is refused with what to do", async () => {
  for (const [text, said] of [
    ['{"projects": [\n  {"name": "Mairie",}\n]}', "line 2 of the file is not JSON"],
    ["[]", "one object"],
    [`"${"a".repeat(9 * 1024 * 1024)}"`, "longer than 8388608 bytes"],
  ] as const) {
    const { exitCode, stderr } = await run(["apply", "-"], text)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)])
  }
  expect((await run(["apply", join(folder.path, "none.json")])).stderr).toContain("there is no such file")
})

test("whatever way an address, a list or a kind is written, what is declared again changes nothing", async () => {
  const written = {
    projects: [
      {
        name: "Club",
        site: "https://club.fr",
        origins: ["https://WWW.club.fr/"],
        feeds: [
          { kind: "site", address: "https://CLUB.fr", exclude: ["b/*", "a/*"] },
          { kind: "upload" },
          { kind: "crawl", address: "https://club.fr/docs", crawl: { depth: 3 } },
          { kind: "git", address: "https://git.fr/club.git", base_url: "https://club.fr/aide/" },
          { kind: "pages", address: "https://club.fr", pages: ["https://club.fr/a"] },
        ],
        forms: [contact],
      },
    ],
    endpoints: [
      {
        description: "Club",
        kind: "https",
        url: "https://HOOKS.acme.fr:443/club",
        events: ["questions.unanswered", "form.response.created"],
      },
      { description: "Essai", kind: "test" },
    ],
  }
  expect(told(await apply(written))).toContain("added feed Club/uploads")
  expect(await apply(written)).toEqual({ dry_run: false, changes: [], unchanged: 9 })
  expect(
    await refused({ endpoints: [{ description: "Essai", kind: "https", url: "https://hooks.acme.fr/" }] }),
  ).toEqual([expect.stringMatching(/^endpoints\.0\.kind: .* kind test$/)])
})

test("what an operation would refuse is told before anything is done", async () => {
  const elsewhere = { kind: "sitemap", address: "https://ailleurs.fr/plan.xml" }
  const faults = await refused({
    projects: [
      {
        ...town,
        feeds: [
          elsewhere,
          { kind: "site" },
          { kind: "git", address: "https://git.fr/x.git", token: "ab cd" },
          { kind: "site", address: "https://mairie.fr", include: ["a b"] },
        ],
        widget_settings: { look: "dsfr" },
      },
    ],
    endpoints: [
      { ...hook, conditions: [{ form: "Mairie/Contact", field: "suget", values: ["a"] }] },
      { description: "Sans valeur", url: "https://hooks.acme.fr/", headers: [{ name: "X-Key" }] },
    ],
  })
  expect(faults.map((fault: string) => fault.split(": ")[0])).toEqual([
    "projects.0.feeds.0.address",
    "projects.0.feeds.1.address",
    "projects.0.feeds.2.token",
    "projects.0.feeds.3.include",
    "projects.0.widget_settings.state_site",
    "endpoints.0.conditions.0.field",
    "endpoints.1.headers.0.value",
  ])
  expect((await parsed(["project", "list"])).items).toEqual([])
})

test("no value of a header or token is shown", async () => {
  await apply(file)
  const secret = "glpat-abcdefgh"
  const feeds = [{ kind: "git", address: "https://git.fr/x.git", token: secret }]
  const secrets = {
    projects: [{ name: "Mairie", feeds }],
    endpoints: [{ description: "Compta", headers: [{ name: "X-Key", value: secret }] }],
  }
  await apply(secrets)
  const again = await run(["apply", "-"], JSON.stringify(secrets))
  expect(again.stdout).toContain("token: ")
  expect(again.stdout + again.stderr).not.toContain(secret)
})

test("while one changes a workspace another one is refused, and told to wait; a dry run is not", async () => {
  const config = await configOf({ GUICHET_DATA_DIR: folder.path })
  const [workspace] = (await parsed(["workspace", "list"])).items
  {
    await using held = await takeLock(databaseLocation(config), `apply-${workspace.id}`)
    expect(held).toBeDefined()
    expect(await refused(file)).toEqual([
      "another guichet apply is changing this workspace: wait for its end, then run this one again",
    ])
    expect((await apply(file, "--dry-run")).changes).toHaveLength(5)
  }
  expect((await apply(file)).changes).toHaveLength(5)
})

test("several at one moment, beside a running service, make nothing twice", async () => {
  await run(["workspace", "list"])
  await using _service = await startServe({ GUICHET_DATA_DIR: folder.path })
  const ends = await Promise.all([1, 2, 3].map(() => run(["apply", "-", "--json"], JSON.stringify(file))))
  for (const { exitCode, stderr } of ends) if (exitCode !== 0) expect(stderr).toContain("run this one again")
  expect(ends.filter(({ exitCode }) => exitCode === 0)).not.toEqual([])
  expect(await apply(file)).toEqual({ dry_run: false, changes: [], unchanged: 5 })
  expect((await parsed(["endpoint", "list"])).items).toHaveLength(1)
})

test("a field that an endpoint goes by is not taken from its form, which is told before anything is done", async () => {
  await apply(file)
  const fields = [contact.fields[0], { name: "objet", label: "Objet", type: "text" }]
  const changed = { projects: [{ ...town, kind_word: "documentation", forms: [{ ...contact, fields }] }] }
  expect(await refused(changed)).toEqual([
    expect.stringMatching(/^projects\.0\.forms\.0\.fields: .*“Compta”.*“sujet”/),
  ])
  expect((await parsed(["project", "list"])).items[0]).toMatchObject({ kind_word: "site" })
  const value = { ...hook, conditions: [{ form: "Mairie/Contact", field: "sujet", values: ["b"] }] }
  expect(await refused({ endpoints: [value] })).toEqual([
    expect.stringMatching(/^endpoints\.0\.conditions\.0\.values: /),
  ])
})
