import { afterAll, beforeAll, expect, test } from "bun:test"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { type Api, apiOf } from "../support/api.ts"
import { type Authority, openAuthority } from "../support/authority.ts"
import { guichet } from "../support/cli.ts"
import { indexFeeds } from "../support/documentation.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import { type Service, temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { page, type Site, sitemap, startSite } from "../support/site.ts"

/* A site that shows its pages to those alone who bring its cookie, which nobody else is shown or sent. */

const cookie = "session=c2VjcmV0LWNvb2tpZQ"
let authority: Authority
let inside: Site
let outside: Site
let service: Service
let api: Api
let client: ConsoleClient

const leading = (to: string) => new Response(null, { status: 302, headers: { location: to } })

beforeAll(async () => {
  authority = openAuthority()
  const certified = authority.certify(["127.0.0.1"])
  outside = startSite(({ pathname }) => {
    if (pathname === "/robots.txt") return undefined
    return pathname === "/renvoi" ? leading(`${inside.url}/secrets`) : page(`Ailleurs${pathname}`)
  }, certified)
  inside = startSite(({ origin, pathname }) => {
    const pages: Record<string, Response | string> = {
      "/sitemap.xml": sitemap(
        ...["/guide", "/sortie", "/retour"].map((path) => `${origin}${path}`),
        `${outside.url}/voisine`,
      ),
      "/guide": page("Guide interne"),
      "/secrets": page("Secrets"),
      "/sortie": leading(`${outside.url}/arrivee`),
      "/retour": leading(`${outside.url}/renvoi`),
    }
    return (request) => {
      if (request.headers.get("cookie") !== cookie) return new Response("Connectez-vous.", { status: 403 })
      const found = pages[pathname] ?? new Response("", { status: 404 })
      return typeof found === "string"
        ? new Response(found, { headers: { "content-type": "text/html; charset=utf-8" } })
        : found
    }
  }, certified)
  service = await aService()
    .withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true", NODE_EXTRA_CA_CERTS: authority.caFile })
    .started()
  api = await apiOf(service)
  client = await signedIn(service)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await inside[Symbol.asyncDispose]()
  await outside[Symbol.asyncDispose]()
  authority[Symbol.dispose]()
})

async function newProject(): Promise<string> {
  const { body } = await api.post("/api/v1/projects", {
    name: "Interne",
    site: inside.url,
    origins: [outside.url],
  })
  return body.id
}

async function read(projectId: string) {
  const { app } = service
  const project = (await findProject(app.db, projectId)) as Project
  return indexFeeds(app, project, await listFeeds(app.db, projectId))
}

const feedsOf = (project: string) => `/api/v1/projects/${project}/feeds`
const feed = () => ({ kind: "sitemap", address: `${inside.url}/sitemap.xml` })
const withCookie = () => ({ ...feed(), headers: [{ name: "Cookie", value: cookie }] })

test("the pages of a site that asks for a cookie are read, and the cookie goes to that site alone", async () => {
  const project = await newProject()
  const made = await api.post(feedsOf(project), withCookie())
  expect([made.status, made.body.headers]).toEqual([201, [{ name: "Cookie" }]])
  const { documents, skipped } = await read(project)
  const { body } = await api.get(`/api/v1/projects/${project}/documents`)
  expect([documents, body.items.map(({ title }: { title: string }) => title).sort()]).toEqual([
    3,
    ["Ailleurs/arrivee", "Ailleurs/voisine", "Guide interne"],
  ])
  // Where another site sends back, it is that site that chose the address: the cookie stays away, and so the page.
  expect(skipped.map(({ page }) => page)).toEqual([`${inside.url}/retour`])
  const cookies = (site: Site, at: string) =>
    site.log.flatMap((line, place) => (line === `GET ${at}` ? [site.headers[place]?.get("cookie")] : []))
  expect([cookies(inside, "/guide"), cookies(inside, "/secrets")]).toEqual([[cookie], [null]])
  expect(outside.log.toSorted()).toEqual(["GET /arrivee", "GET /renvoi", "GET /robots.txt", "GET /voisine"])
  expect(outside.headers.map((headers) => headers.get("cookie"))).toEqual([null, null, null, null])
})

test("its value is sealed, and shown by neither face; a list without it keeps it, an empty one removes it", async () => {
  const project = await newProject()
  const made = await api.post(feedsOf(project), withCookie())
  const path = `${feedsOf(project)}/${made.body.id}`
  const rows = await service.app.db.selectFrom("feed").selectAll().execute()
  const shown = await api.get(path)
  const text = (await client.get(`/console/projects/${project}/indexing`)).text
  const own = (await client.get(`/console/projects/${project}/indexing/feeds/${made.body.id}`)).text
  expect(JSON.stringify([rows, shown.body, made.body]) + text + own).not.toContain("c2VjcmV0")
  expect(text).toContain("En-têtes définis\u00a0: Cookie")
  expect(own).toContain("n’importe quel visiteur")

  const again = await api.post(feedsOf(project), { ...feed(), exclude: ["/retour"] })
  expect([again.body.id, again.body.headers]).toEqual([made.body.id, [{ name: "Cookie" }]])
  const headers = [{ name: "cookie" }, { name: "x-tenant", value: "7" }]
  const changed = await api.patch(path, { headers })
  expect([changed.status, changed.body.headers]).toEqual([200, [{ name: "cookie" }, { name: "x-tenant" }]])
  expect((await read(project)).documents).toBe(3)
  expect((await api.patch(path, { headers: [] })).body.headers).toEqual([])
  await expect(read(project)).rejects.toMatchObject({ code: "unavailable" })
})

test("what no request can hold is refused, and so is an address that everybody on the way can read", async () => {
  const project = await newProject()
  const wrong: [object, string][] = [
    [{ headers: [{ name: "Cookie", value: "a\r\nhost: b" }] }, "headers.0.value"],
    [{ headers: [{ name: "Host", value: "a" }] }, "headers.0.name"],
    [{ headers: [{ name: "content-length", value: "1" }] }, "headers.0.name"],
    [{ headers: [{ name: "Cookie" }] }, "headers.0.value"],
  ]
  for (const [body, field] of wrong) {
    const reply = await api.post(feedsOf(project), { ...feed(), ...body })
    expect([reply.status, Object.keys(reply.body.error.fields)]).toEqual([400, [field]])
  }
  const open = inside.url.replace("https:", "http:")
  await api.patch(`/api/v1/projects/${project}`, { origins: [open] })
  const plain = await api.post(feedsOf(project), { ...withCookie(), address: `${open}/sitemap.xml` })
  expect([plain.status, plain.body.error.fields.headers]).toEqual([400, expect.stringContaining("https")])
  expect((await api.get(feedsOf(project))).body.items).toEqual([])
})

test("in the console they are lines of a text, on the page of the feed", async () => {
  const project = await newProject()
  const list = `/console/projects/${project}/indexing`
  const added = await client.post(`${list}/feeds`, { ...feed(), headers: `Cookie: ${cookie}` })
  expect(added.location).toBe(`${list}?done=feedAdded`)
  const [{ id, headers }] = (await api.get(feedsOf(project))).body.items
  expect(headers).toEqual([{ name: "Cookie" }])
  const wrong = await client.post(`${list}/feeds/${id}`, { headers: "Cookie:\nTE: trailers" })
  expect([wrong.status, wrong.text.includes("ne peut pas être personnalisé")]).toEqual([400, true])
  const changed = await client.post(`${list}/feeds/${id}`, { headers: "Cookie:\nX-Tenant: 7" })
  expect(changed.location).toBe(`${list}?done=feedChanged`)
  expect((await api.get(`${feedsOf(project)}/${id}`)).body.headers).toEqual([
    { name: "Cookie" },
    { name: "X-Tenant" },
  ])
})

test("on the command line they come from a file; a workspace's file leaves them out and says so", async () => {
  using folder = temporaryFolder()
  using files = temporaryFolder()
  const environment = {
    GUICHET_DATA_DIR: folder.path,
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    NODE_EXTRA_CA_CERTS: authority.caFile,
  }
  const run = async (...words: string[]) => guichet(words, environment)
  const added = await run("project", "add", "--name", "Interne", "--site", inside.url, "--json")
  const { id } = JSON.parse(added.stdout)
  const index = ["index", id, "--words", "--json"]
  const sitemapOf = ["--sitemap", `${inside.url}/sitemap.xml`]
  const file = `${files.path}/headers`
  await Bun.write(file, `Cookie: ${cookie}\n`)
  expect((await run(...index, "--headers", file)).exitCode).toBe(2)
  expect((await run(...index, ...sitemapOf)).exitCode).toBe(1)
  const read = await run(...index, ...sitemapOf, "--headers", file)
  expect([read.exitCode, JSON.parse(read.stdout).documents]).toEqual([0, 1])
  expect((await run("index", id, "--words", "--json")).exitCode).toBe(0)
  const feeds = JSON.parse((await run("feed", "list", id, "--json")).stdout).items
  expect(feeds[0].headers).toEqual([{ name: "Cookie" }])

  const [{ id: workspace }] = JSON.parse((await run("workspace", "list", "--json")).stdout).items
  const written = await run("workspace", "export", workspace, `${file}.jsonl`)
  expect(written.stderr + written.stdout).toContain(`left out: the headers of its owner's that ${inside.url}`)
  const line = (await Bun.file(`${file}.jsonl`).text()).split("\n").find((each) => each.includes('"feed"'))
  expect(line).not.toContain("headers")
})
