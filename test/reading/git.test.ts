import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { removeUnusedRepositories } from "../../src/reading/kinds/git.ts"
import { type Api, apiOf } from "../support/api.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { guichet } from "../support/cli.ts"
import { indexFeeds } from "../support/documentation.ts"
import { type GitServer, startGitServer } from "../support/git-server.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import { type Service, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { type Site, startSite } from "../support/site.ts"

/* A documentation that stands in a Git repository, read from Git's own server over https. */

let authority: Authority
let server: GitServer
let service: Service
let api: Api
let client: ConsoleClient
let token: string | undefined

beforeAll(async () => {
  authority = openAuthority()
  server = startGitServer(authority.certify(["127.0.0.1"]), () => token)
  service = await aService()
    .withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true", NODE_EXTRA_CA_CERTS: authority.caFile })
    .started()
  api = await apiOf(service)
  client = await signedIn(service)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  authority[Symbol.dispose]()
})

beforeEach(() => {
  token = undefined
})

const text = (title: string, rest = "") => `# ${title}\n\nVoici ce que dit la page ${title}. ${rest}\n`

async function newProject(): Promise<string> {
  return (await api.post("/api/v1/projects", { name: "Dépôt", site: "https://docs.acme.fr" })).body.id
}

async function read(projectId: string) {
  const { app } = service
  const project = (await findProject(app.db, projectId)) as Project
  return indexFeeds(app, project, await listFeeds(app.db, projectId))
}

const feedsOf = (project: string) => `/api/v1/projects/${project}/feeds`
const urlsOf = async (project: string): Promise<string[]> =>
  (await api.get(`/api/v1/projects/${project}/documents`)).body.items
    .map(({ url }: { url: string }) => url)
    .sort()
const fetches = () => server.site.log.filter((line) => line.startsWith("POST")).length

test("its pages are read as their generator makes them, under the site; an unchanged commit is not fetched again", async () => {
  const files = {
    "docs/.vitepress/config.ts": "export default { title: 'Acme' }",
    "docs/index.md": text("Accueil"),
    "docs/guide/installer.md": text("Installer"),
    "README.md": text("Lisez-moi"),
    "src/main.c": "int main() { return 0; }",
    "logo.png": "\u0000\u0001",
  }
  server.commit("vite", files)
  const project = await newProject()
  const made = await api.post(feedsOf(project), {
    kind: "git",
    address: `${server.url}/vite.git#main:docs`,
    base_url: "https://docs.acme.fr/",
  })
  expect([made.status, made.body.kind, made.body.base_url]).toEqual([201, "git", "https://docs.acme.fr"])
  expect((await read(project)).documents).toBe(2)
  expect(await urlsOf(project)).toEqual([
    "https://docs.acme.fr/",
    "https://docs.acme.fr/guide/installer.html",
  ])

  const before = fetches()
  const again = await read(project)
  // The branch is asked for, and nothing else.
  expect([again.unchanged, fetches() - before]).toEqual([2, 1])
  server.commit("vite", { ...files, "docs/guide/installer.md": text("Installer", "Autrement.") })
  const changed = await read(project)
  expect([changed.documents, changed.unchanged, fetches() - before]).toEqual([2, 1, 3])
})

test("without a branch the server's own is read, a tag can be named, and neither is an option of a program", async () => {
  server.commit("branches", { "un.md": text("Un") })
  server.git("branches", "tag", "-a", "v1", "-m", "Version 1")
  server.git("branches", "tag", "-a", "v1-signed", "-m", "Version 1, signed", "v1")
  server.git("branches", "push", "-q", "../branches.git", "v1", "v1-signed")
  server.commit("branches", { "un.md": text("Un"), "deux.md": text("Deux") })
  const reading = async (fragment: string) => {
    const project = await newProject()
    const added = await api.post(feedsOf(project), {
      kind: "git",
      address: `${server.url}/branches.git${fragment}`,
    })
    if (added.status !== 201) return added.body.error.fields.address
    return read(project).then(
      ({ documents }) => documents,
      (refusal) => refusal.reason?.params?.why?.code ?? refusal.reason?.code,
    )
  }
  expect(await reading("")).toBe(2)
  expect(await reading("#v1")).toBe(1)
  expect(await reading("#v1-signed")).toBe(1)
  expect(await reading("#--upload-pack=touch")).toBe("reading.gitNoBranch")
  expect(await reading("#main:nulle/part")).toBe("reading.gitNoFolder")
  for (const wrong of ["#a b", "#a%0awant", "#main:../..", "#main:.git/hooks", "#a:%00"])
    expect(await reading(wrong)).toContain("dépôt Git")
})

test("links, other repositories and hooks are not followed, and no name leads elsewhere", async () => {
  server.commit("liens", {
    "page.md": text("Page"),
    "mots.md": { link: "/etc/passwd" },
    dossier: { link: "/etc" },
    module: { repository: "0123456789012345678901234567890123456789" },
    "a.md/b.md": text("Dans un dossier"),
    ".gitmodules": '[submodule "module"]\n\tpath = module\n\turl = https://127.0.0.1:1/x.git\n',
    "grand.md": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n",
  })
  const project = await newProject()
  const { body } = await api.post(feedsOf(project), { kind: "git", address: `${server.url}/liens.git` })
  await read(project)
  const root = join(service.app.config.dataDir, "repositories", body.id)
  const kept = readdirSync(root, { recursive: true, withFileTypes: true })
  expect(kept.filter((entry) => entry.isSymbolicLink())).toEqual([])
  expect(kept.map(({ name }) => name)).not.toContain("module")
  expect(await urlsOf(project)).toContain("https://docs.acme.fr/page")
})

test("a token is sealed, sent to that server alone, and shown to nobody; without it, or with another, it is said", async () => {
  token = "ghp_secret0123"
  server.commit("prive", { "un.md": text("Un") })
  const project = await newProject()
  const feed = { kind: "git", address: `${server.url}/prive.git` }
  const made = await api.post(feedsOf(project), { ...feed, token })
  expect((await read(project)).documents).toBe(1)
  const rows = await service.app.db.selectFrom("feed").selectAll().execute()
  const own = (await client.get(`/console/projects/${project}/indexing/feeds/${made.body.id}`)).text
  const list = (await client.get(`/console/projects/${project}/indexing`)).text
  const shown = JSON.stringify([rows, made.body, (await api.get(`${feedsOf(project)}/${made.body.id}`)).body])
  expect(shown + own + list).not.toMatch(/ghp_secret|Z2l0OmdocF/)
  expect(own).toContain("Un jeton est enregistré")

  const wrong = await api.patch(`${feedsOf(project)}/${made.body.id}`, { token: "autre" })
  expect(wrong.status).toBe(200)
  const refusal = await read(project).catch((error) => error)
  expect(JSON.stringify(refusal.reason)).toContain("reading.gitNotFound")
  for (const broken of ["deux mots", "é", "a\nb", "x".repeat(501)]) {
    const reply = await api.patch(`${feedsOf(project)}/${made.body.id}`, { token: broken })
    expect([reply.status, Object.keys(reply.body.error.fields)]).toEqual([400, ["token"]])
  }
  const elsewhere = await api.post(feedsOf(project), { kind: "site", address: "https://docs.acme.fr", token })
  expect([elsewhere.status, Object.keys(elsewhere.body.error.fields)]).toEqual([400, ["token"]])
})

test("what is no repository over https is refused, a redirect is not followed, and what is none is said to be", async () => {
  const project = await newProject()
  for (const address of [
    "http://git.acme.fr/docs.git",
    "ssh://git@git.acme.fr/docs.git",
    "https://moi:secret@git.acme.fr/docs.git",
    "https://git.acme.fr/docs.git?x=1",
  ]) {
    const reply = await api.post(feedsOf(project), { kind: "git", address })
    expect([reply.status, Object.keys(reply.body.error.fields)]).toEqual([400, ["address"]])
  }
  const foreign = await api.post(feedsOf(project), {
    kind: "git",
    address: `${server.url}/vite.git`,
    base_url: "https://ailleurs.fr",
  })
  expect([foreign.status, Object.keys(foreign.body.error.fields)]).toEqual([400, ["base_url"]])

  await using elsewhere: Site = startSite(
    (url) => {
      if (url.pathname.startsWith("/moved"))
        return new Response(null, {
          status: 301,
          headers: { location: `${server.url}/vite.git${url.pathname}` },
        })
      return "<!doctype html><p>Bonjour</p>"
    },
    authority.certify(["127.0.0.1"]),
  )
  for (const [path, code] of [
    ["/moved.git", "reading.gitMoved"],
    ["/page", "reading.gitNone"],
  ] as const) {
    const other = await newProject()
    await api.post(feedsOf(other), { kind: "git", address: `${elsewhere.url}${path}`, token: "abc" })
    const before = server.site.log.length
    const refusal = await read(other).catch((error) => error)
    expect(JSON.stringify(refusal.reason)).toContain(code)
    expect(server.site.log.length).toBe(before)
  }
})

test("an address on a private network is not asked", async () => {
  await using guarded = await aService().withSettings({ NODE_EXTRA_CA_CERTS: authority.caFile }).started()
  const own = await apiOf(guarded)
  const { body } = await own.post("/api/v1/projects", { name: "Privé", site: "https://docs.acme.fr" })
  await own.post(feedsOf(body.id), { kind: "git", address: `${server.url}/vite.git` })
  const before = server.site.log.length
  const project = (await findProject(guarded.app.db, body.id)) as Project
  const refusal = await indexFeeds(guarded.app, project, await listFeeds(guarded.app.db, body.id)).catch(
    (error) => error,
  )
  expect(JSON.stringify(refusal.reason)).toContain("reading.privateAddress")
  expect(server.site.log.length).toBe(before)
})

test("what a reading left that was killed goes at the next one, and all files with the feed", async () => {
  server.commit("reste", { "un.md": text("Un") })
  const project = await newProject()
  const { body } = await api.post(feedsOf(project), { kind: "git", address: `${server.url}/reste.git` })
  const root = join(service.app.config.dataDir, "repositories")
  mkdirSync(join(root, body.id, "coming"), { recursive: true })
  writeFileSync(join(root, body.id, "coming", "moitie.md"), "")
  await read(project)
  const [kept = "", ...others] = readdirSync(join(root, body.id))
  expect([others, readFileSync(join(root, body.id, kept, "un.md"), "utf8")]).toEqual([[], text("Un")])
  const many = join(root, body.id, kept, "beaucoup")
  mkdirSync(many)
  for (let number = 0; number < 3000; number++) writeFileSync(join(many, `${number}.md`), "")
  await service.app.db.deleteFrom("feed").where("id", "=", body.id).execute()
  // The disk is worked on beside the event loop, which turns meanwhile.
  let turns = 0
  const turning = setInterval(() => turns++)
  await removeUnusedRepositories(service.app.db, service.app.config.dataDir)
  clearInterval(turning)
  expect([existsSync(join(root, body.id)), turns > 3]).toEqual([false, true])
})

test("the command line reads one too, with a token from a file", async () => {
  token = "jeton-du-shell"
  server.commit("shell", { "docs/un.md": text("Un"), "docs/deux.md": text("Deux") })
  using folder = temporaryFolder()
  using files = temporaryFolder()
  const environment = {
    GUICHET_DATA_DIR: folder.path,
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    NODE_EXTRA_CA_CERTS: authority.caFile,
  }
  const run = async (...words: string[]) => guichet(words, environment)
  const added = await run("project", "add", "--name", "Dépôt", "--site", "https://docs.acme.fr", "--json")
  const { id } = JSON.parse(added.stdout)
  const file = join(files.path, "token")
  const index = ["index", id, "--words", "--json", "--git", `${server.url}/shell.git#main:docs`]
  expect((await run(...index)).exitCode).toBe(1)
  writeFileSync(file, `${token}\n`)
  const ran = await run(...index, "--token", file)
  expect([ran.exitCode, JSON.parse(ran.stdout).documents]).toEqual([0, 2])
  expect((await run("index", id, "--words", "--token", file)).exitCode).toBe(2)
  const shown = await run("index", id, "--show", "https://docs.acme.fr/deux")
  expect(shown.stdout).toContain("Voici ce que dit la page Deux")
})
