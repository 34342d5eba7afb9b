import { afterAll, beforeAll, expect, test } from "bun:test"
import { zipSync } from "fflate"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { createToken } from "../../src/accounts/token.ts"
import { hourMs } from "../../src/base/clock.ts"
import { csrfField } from "../../src/console/kit/session/csrf.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { type Api, apiOf } from "../support/api.ts"
import type { MovableClock } from "../support/clock.ts"
import { indexFeeds } from "../support/documentation.ts"
import { type Attached, filledIn } from "../support/files.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

/* Documentation that an owner uploads, file by file or as a ZIP. */

const site = "https://docs.exemple.fr"
let service: Service & { clock: MovableClock }
let api: Api
let client: ConsoleClient

beforeAll(async () => {
  service = await aService().withSettings({ GUICHET_FILES_PER_WORKSPACE: "100 MB" }).withClock().started()
  api = await apiOf(service)
  client = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

interface UploadFeed {
  project: string
  path: string
  console: string
  send(files: Record<string, string | Uint8Array>): ReturnType<Api["post"]>
  /** By title, the address that sources link to. */
  read(): Promise<Record<string, string>>
}

async function newFeed(body: object = {}): Promise<UploadFeed> {
  const { body: project } = await api.post("/api/v1/projects", { name: "Guide", site })
  const made = await api.post(`/api/v1/projects/${project.id}/feeds`, { kind: "upload", ...body })
  expect(made.status).toBe(201)
  const path = `/api/v1/projects/${project.id}/feeds/${made.body.id}`
  return {
    project: project.id,
    path,
    console: `/console/projects/${project.id}/indexing/feeds/${made.body.id}`,
    send: (files) =>
      api.post(`${path}/uploads`, {
        files: Object.entries(files).map(([name, content]) => ({
          name,
          content: Buffer.from(content as string).toString("base64"),
        })),
      }),
    async read() {
      const { db } = service.app
      const found = (await findProject(db, project.id)) as Project
      await indexFeeds(service.app, found, await listFeeds(db, project.id))
      const { items } = (await api.get(`/api/v1/projects/${project.id}/documents`)).body
      return Object.fromEntries(items.map(({ title, url }: Record<string, string>) => [title, url]))
    },
  }
}

const names = ({ body }: { body: { items: { name: string }[] } }) => body.items.map(({ name }) => name).sort()

test("files are kept, read, replaced by their names, and removed one by one or with their feed", async () => {
  const feed = await newFeed({ address: `${site}/fichiers/` })
  const first = await feed.send({ "guide/tarifs été.md": "# Tarifs\n\nUn euro.", "plan.txt": "Le plan." })
  expect([first.status, names(first), first.body.others]).toEqual([
    201,
    ["guide/tarifs été.md", "plan.txt"],
    0,
  ])
  const kept = first.body.items.find(({ name }: { name: string }) => name.startsWith("guide"))
  expect(kept).toMatchObject({
    url: `${site}/fichiers/guide/tarifs%20%C3%A9t%C3%A9.md`,
    media_type: "text/markdown",
    bytes: 18,
  })
  expect((await feed.read())["Tarifs"]).toBe(kept.url)

  const again = await feed.send({ "guide/tarifs été.md": "# Nouveaux tarifs\n\nDeux euros." })
  expect(again.body.items[0].id).toBe(kept.id)
  expect(names(await api.get(`${feed.path}/uploads`))).toEqual(["guide/tarifs été.md", "plan.txt"])
  expect(Object.keys(await feed.read())).toContain("Nouveaux tarifs")
  expect(await files()).toBe(2)

  expect((await api.delete(`${feed.path}/uploads/${kept.id}`)).status).toBe(204)
  expect((await api.delete(`${feed.path}/uploads/${kept.id}`)).status).toBe(404)
  // Whoever takes a file away means it, however many there were.
  await api.delete(`${feed.path}/uploads/${(await api.get(`${feed.path}/uploads`)).body.items[0].id}`)
  expect(await feed.read()).toEqual({})
  expect(await files()).toBe(0)

  await feed.send({ "plan.txt": "Le plan." })
  await api.delete(`/api/v1/projects/${feed.project}`)
  service.clock.move(2 * hourMs)
  await service.app.files.purge(AbortSignal.timeout(10_000))
  expect(await files()).toBe(0)
})

/** Files that are kept at all. */
async function files(): Promise<number> {
  return (await service.app.db.selectFrom("stored_file").select("id").execute()).length
}

test("where they stand nowhere else Guichet serves them, as attachments that no page can be made of", async () => {
  const feed = await newFeed()
  const page =
    "<!doctype html><title>Aide</title><main><h1>Aide</h1><p>Du texte.</p><script>alert(1)</script></main>"
  const sent = await feed.send({ "dossier/aide à tous.html": page })
  const [{ id, url }] = sent.body.items
  expect(url).toBe(`${service.app.config.publicUrl}/uploads/${id}/aide%20%C3%A0%20tous.html`)
  expect((await feed.read())["Aide"]).toBe(url)

  const address = `${service.url}${new URL(url).pathname}`
  const reply = await fetch(address)
  expect([reply.status, await reply.text()]).toEqual([200, page])
  const headers = Object.fromEntries(reply.headers)
  expect(headers).toMatchObject({
    "content-type": "text/html",
    "content-disposition": expect.stringMatching(
      /^attachment; .*filename\*=UTF-8''aide%20%C3%A0%20tous\.html$/,
    ),
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
  })
  expect((await fetch(address.replace(id, `upl_${"0".repeat(32)}`))).status).toBe(404)
  await api.delete(`${feed.path}/uploads/${id}`)
  expect((await fetch(address)).status).toBe(404)

  const elsewhere = await newFeed({ address: `${site}/pdf` })
  const there = (await elsewhere.send({ "a.txt": "Du texte." })).body.items[0]
  expect((await fetch(`${service.url}/uploads/${there.id}/a.txt`)).status).toBe(404)
})

test("in the console files and ZIPs are sent by a form, and removed from the list", async () => {
  const feed = await newFeed()
  const zip = zipSync({
    "guide/installer.md": Buffer.from("# Installer\n\nLancez le programme."),
    "guide/image.png": Buffer.from("x"),
    "__MACOSX/._installer.md": Buffer.from("x"),
    "guide/": new Uint8Array(),
  })
  const post = async (...attached: [string, string, Uint8Array][]) => {
    const { text } = await client.get(feed.console)
    const token = new RegExp(`name="${csrfField}" value="([^"]+)"`).exec(text)?.[1] ?? ""
    return fetch(`${service.url}${feed.console}/uploads`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: service.url, cookie: `${client.cookie}; ${client.browserCookie}` },
      body: filledIn({ [csrfField]: token }, ...attached),
    })
  }
  const sent = await post(["files", "site.zip", zip], ["files", "plan.txt", Buffer.from("Le plan.")])
  expect(sent.headers.get("location")).toBe(`${feed.console}?done=filesSent`)
  expect(names(await api.get(`${feed.path}/uploads`))).toEqual(["guide/installer.md", "plan.txt"])
  const { text } = await client.get(feed.console)
  expect(text).toContain("toute personne qui en a l’URL peut les télécharger")
  expect(text).toContain("guide/installer.md")

  const wrong = await post(["files", "tarifs.xlsx", zip])
  expect(wrong.status).toBe(400)
  expect(await wrong.text()).toMatch(/n’est pas un document que Guichet lit.*tableur.*s’enregistre en PDF/)
  expect((await post()).status).toBe(400)
  const stranger = await fetch(`${service.url}${feed.console}/uploads`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: service.url },
    body: filledIn({}, ["files", "a.txt", Buffer.from("a")]),
  })
  expect(stranger.headers.get("location")).toContain("/console/sign-in")

  const { items } = (await api.get(`${feed.path}/uploads`)).body
  await client.get(feed.console)
  const removed = await client.post(`${feed.console}/uploads/${items[0].id}/removal`)
  expect(removed.location).toBe(`${feed.console}?done=fileRemoved`)
  expect(names(await api.get(`${feed.path}/uploads`))).toHaveLength(1)
})

test("a ZIP within a ZIP is read as if its files stood there, as an export of Notion has it", async () => {
  const feed = await newFeed()
  const note = (title: string) => Buffer.from(`# ${title}\n\nDu texte.`)
  const first = zipSync({ "Espace/Accueil.md": note("Accueil"), "Espace/logo.png": note("x") })
  const second = zipSync({ "Espace/Accueil.md": note("Autre accueil"), "Espace/Congés.md": note("Congés") })
  const outer = zipSync({ "export/Part-1.zip": first, "export/Part-2.zip": second })
  const sent = await feed.send({ "notion.zip": outer })
  expect([sent.status, names(sent)]).toEqual([
    201,
    ["export/Espace/Accueil.md", "export/Espace/Congés.md", "export/Part-2/Espace/Accueil.md"],
  ])
  expect(sent.body).toMatchObject({
    others: 1,
    left_out: [{ name: "notion.zip/export/Part-1.zip/Espace/logo.png" }],
  })
  expect(Object.keys(await feed.read()).sort()).toEqual(["Accueil", "Autre accueil", "Congés"])
})

test("what a ZIP lacks stays told, at every reading, until it or the file comes again", async () => {
  const feed = await newFeed()
  const leftOut = async () => {
    const { items } = (await api.get(`/api/v1/projects/${feed.project}/left-out-pages`)).body
    return items.map(({ page }: { page: string }) => page)
  }
  const text = Buffer.from("# Titre\n\nDu texte.")
  await feed.send({
    "site.zip": zipSync({ "bon.md": text, "FAQ : quoi ?.md": text, "prix.xlsx": text, "image.png": text }),
    "autre.zip": zipSync({ "a.md": text, "notice.pdf": text }),
  })
  const all = ["autre.zip/notice.pdf", "site.zip/FAQ : quoi ?.md", "site.zip/prix.xlsx"]
  expect(await leftOut()).toEqual(all)
  await feed.read()
  expect(await leftOut()).toEqual(all)
  const pages = await client.get(`/console/projects/${feed.project}/indexing?show=left_out`)
  expect(pages.text).toContain("site.zip/FAQ : quoi ?.md")
  const shown = await client.get(feed.console)
  expect(shown.text).toContain("Fichiers des ZIP qui n’ont pas été gardés")
  expect(shown.text).toContain("ne convient pas")

  const other = zipSync({ "lisez-moi.md": text, "docs/lisez-moi.pdf": text })
  await feed.send({ "lot.zip": other })
  await feed.send({ "encore.zip": zipSync({ "lisez-moi.pdf": Buffer.from("%PDF-1.4\n") }) })
  expect(await leftOut()).toContain("lot.zip/docs/lisez-moi.pdf")
  await feed.send({ "lisez-moi.pdf": "%PDF-1.4\n" })
  expect(await leftOut()).toEqual(all)

  await feed.send({ "site.zip": zipSync({ "bon.md": text, "FAQ.md": text }) })
  expect(await leftOut()).toEqual(["autre.zip/notice.pdf"])
  await feed.send({ "notice.pdf": "%PDF-1.4\n" })
  expect(await leftOut()).toEqual([])
})

test("a description of an interface is read with the files that it refers to, whatever was sent with it", async () => {
  const feed = await newFeed()
  const schemas = "Relais: {type: object, properties: {nom: {type: string, maxLength: 80}}}"
  const operation = {
    summary: "Suivre un colis",
    responses: {
      "200": { content: { "application/json": { schema: { $ref: "../schemas.yaml#/Relais" } } } },
      "404": { $ref: "absent.yaml" },
    },
  }
  const description = {
    openapi: "3.0.3",
    info: { title: "Colis", description: "Pour suivre les colis de la commune." },
    paths: { "/colis": { $ref: "chemins/colis.json" } },
  }
  const sent = await feed.send({
    "api.zip": zipSync({
      "api/openapi.json": Buffer.from(JSON.stringify(description)),
      "api/chemins/colis.json": Buffer.from(JSON.stringify({ get: operation })),
      "api/schemas.yaml": Buffer.from(schemas),
    }),
  })
  expect(sent.status).toBe(201)
  expect(Object.keys(await feed.read())).toEqual(["Colis"])
  const { items } = (await api.get(`/api/v1/projects/${feed.project}/documents`)).body
  const { body } = await api.get(`/api/v1/projects/${feed.project}/pages/${items[0].id}`)
  const text = body.text.map(({ markdown }: { markdown: string }) => markdown).join("\n")
  expect(body.text.at(-1).headings).toEqual(["Suivre un colis (GET /colis)"])
  expect(text).toContain("`nom` (string, au plus 80 caractères)")
  expect(body.left_out).toEqual([
    { reason: "reference", why: expect.stringContaining("référence"), text: "api/chemins/absent.yaml" },
  ])
})

test("the API takes a form with files, too", async () => {
  const feed = await newFeed()
  const { app } = service
  const { text: token } = await createToken(app.db, api.workspaceId, "envoi", app.clock.now())
  const reply = await fetch(`${service.url}${feed.path}/uploads`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "idempotency-key": "premier" },
    body: filledIn({}, ["file", "a.md", Buffer.from("# A\n\nDu texte.")]),
  })
  expect(reply.status).toBe(201)
  expect(names(await api.get(`${feed.path}/uploads`))).toEqual(["a.md"])
  const many = Array.from(
    { length: 101 },
    (_, number): Attached => ["file", `${number}.md`, Buffer.from("# A")],
  )
  const tooMany = await fetch(`${service.url}${feed.path}/uploads`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: filledIn({}, ...many),
  })
  expect(tooMany.status).toBe(400)
})

const refused: [string, Record<string, string | Uint8Array>][] = [
  ["a name that leads out", { "../a.md": "a" }],
  ["an absolute one", { "/a.md": "a" }],
  ["one of a drive", { "C:\\a.md": "a" }],
  ["one that turns the writing around", { "a\u202efdp.md": "a" }],
  ["one that is too deep", { [`${"a/".repeat(11)}a.md`]: "a" }],
  ["one that is too long", { [`${"a".repeat(250)}.md`]: "a" }],
  ["no document", { "a.exe": "MZ" }],
  ["content that is of another kind than the name says", { "a.pdf": "# Du texte" }],
  ["bytes that are no text", { "a.md": new Uint8Array([1, 0, 2]) }],
]

test.each(refused)("%s is refused, and nothing of the request is kept", async (_, files) => {
  const feed = await newFeed()
  const reply = await feed.send({ "bon.md": "# Bon", ...files })
  expect([reply.status, Object.keys(reply.body.error.fields)]).toEqual([
    400,
    [expect.stringMatching(/^files/)],
  ])
  expect((await api.get(`${feed.path}/uploads`)).body.items).toEqual([])
})

test("they count in the room of their workspace, and a feed of another kind takes none", async () => {
  const feed = await newFeed()
  const big = `# Long\n\n${"mot ".repeat(1_000_000)}`
  const before = await service.app.db.selectFrom("file_space").select("bytes").execute()
  await feed.send({ "long.md": big })
  const after = await service.app.db.selectFrom("file_space").select("bytes").execute()
  expect((after[0]?.bytes ?? 0) - (before[0]?.bytes ?? 0)).toBe(Buffer.byteLength(big))
  const { body } = await api.post(`/api/v1/projects/${feed.project}/feeds`, {
    kind: "sitemap",
    address: `${site}/sitemap.xml`,
  })
  const other = await api.post(`/api/v1/projects/${feed.project}/feeds/${body.id}/uploads`, {
    files: [{ name: "a.md", content: "YQ==" }],
  })
  expect(other.status).toBe(404)
})
