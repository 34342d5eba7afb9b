import { expect, test } from "bun:test"
import { insertProject } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { liveGeneration } from "../../src/indexing/generation.ts"
import { saveFeed } from "../../src/reading/feed.ts"
import { apiOf, strangerOf } from "../support/api.ts"
import { guichet } from "../support/cli.ts"
import { indexFeeds } from "../support/documentation.ts"
import { signedIn } from "../support/operator.ts"
import { onSqlite } from "../support/postgres.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { type Site, sitemap, startSite } from "../support/site.ts"

const topics = ["Accueil", "Horaires", "Adresse", "Tarifs", "Papiers", "Contacts"]
const own = (topic: string) => `${topic} : tout ce qu’il faut savoir, expliqué en une phrase.`

/** A site whose pages say the same around their own sentence, in mark-up without a role. */
function townSite(change: (pages: Record<string, string>) => void = () => {}): Site {
  const pages = Object.fromEntries(
    topics.map((topic, at) => [
      at === 0 ? "/" : `/${topic.toLowerCase()}`,
      `<!doctype html><title>Mairie</title><body><div class="t"><h1>Mairie</h1></div><h2>${topic}</h2><p>${own(topic)}</p>
       <div class="newsletter"><p>Recevez la lettre de la commune, chaque premier lundi du mois, dans votre boîte.</p></div>
       <div class="b"><h3>Nous joindre</h3><p>Appelez le 01 23 45 67 89 du lundi au vendredi.</p></div></body>`,
    ]),
  )
  change(pages)
  const site: Site = startSite(({ pathname }) =>
    pathname === "/sitemap.xml"
      ? sitemap(...Object.keys(pages).map((path) => `${site.url}${path}`))
      : pages[pathname],
  )
  return site
}

async function readSite(site: Site, settings: Record<string, string> = {}) {
  const service = await aService()
    .withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true", GUICHET_EMBEDDING: "none", ...settings })
    .started()
  const { app } = service
  const workspace = await defaultWorkspaceId(app.db)
  const project = await insertProject(app.db, workspace, { name: "Mairie", site: site.url }, app.clock.now())
  const source = { kind: "sitemap", address: `${site.url}/sitemap.xml` } as const
  const { feed } = await saveFeed(app.db, project.id, source, app.clock.now())
  const api = await apiOf(service)
  return {
    service,
    project,
    read: () => indexFeeds(app, project, [feed]),
    shown: async (page: string, language?: string) =>
      (await api.get(`/api/v1/projects/${project.id}/pages/${encodeURIComponent(page)}`, language)).body,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

const textOf = ({ text }: { text: { markdown: string }[] }) => text.map(({ markdown }) => markdown).join(" ")

test("what the pages of a site repeat is read on its home page alone, and a page is not called after the site", async () => {
  await using site = townSite()
  await using town = await readSite(site)
  expect(await town.read()).toMatchObject({ documents: 6 })
  const shown = await town.shown("/horaires")
  expect(shown).toMatchObject({ title: "Horaires", reason: null, truncated: false })
  expect(textOf(shown)).toBe(own("Horaires"))
  expect(shown.left_out).toEqual([
    {
      reason: "repeated",
      why: "La plupart des pages du site la répètent.",
      text: "Recevez la lettre de la commune, chaque premier lundi du mois, dans votre boîte.",
    },
    {
      reason: "repeated",
      why: "La plupart des pages du site la répètent.",
      text: "Appelez le 01 23 45 67 89 du lundi au vendredi.",
    },
  ])
  const [repeated] = (await town.shown("/horaires", "en")).left_out
  expect(repeated.why).toBe("Most pages of the site say it.")
  expect(textOf(await town.shown(`${site.url}/`))).toContain("01 23 45 67 89")
})

test("an unchanged site costs no new index, and a text that is no longer repeated comes back", async () => {
  let pages: Record<string, string> = {}
  await using site = townSite((made) => {
    pages = made
  })
  await using town = await readSite(site)
  await town.read()
  const generation = await liveGeneration(town.service.app.db, town.project.id)
  expect(await town.read()).toMatchObject({ documents: 6, unchanged: 6, removed: 0 })
  expect(await liveGeneration(town.service.app.db, town.project.id)).toEqual(generation)
  for (const path of Object.keys(pages).slice(2))
    pages[path] = (pages[path] as string).replace("01 23 45 67 89", `01 23 45 67 0${path.length}`)
  await town.read()
  expect(textOf(await town.shown("/horaires"))).toContain("01 23 45 67 89")
})

test("a page tells why it was left out, a stranger's project and an unknown page are not found", async () => {
  await using site = townSite((pages) => {
    pages["/vide"] = "<main>Chargement…</main><script></script>"
    pages["/ancienne"] = `<meta http-equiv="refresh" content="0; url=/horaires">`
    pages["/vieille"] = `<meta http-equiv="refresh" content="0; url=/non-listee">`
    pages["/ailleurs"] = `<meta http-equiv="refresh" content="0; url=https://autre.example/">`
  })
  await using town = await readSite(site)
  await town.read()
  expect(await town.shown("/vide")).toMatchObject({
    id: null,
    reason: "empty",
    detail: "Elle ne contient pas de texte tant que ses scripts n’ont pas été exécutés.",
    text: [],
  })
  expect((await town.shown("/vide", "en")).detail).toBe("No text before its scripts run.")
  expect(await town.shown("/ancienne")).toMatchObject({ reason: "duplicate" })
  expect(await town.shown("/vieille")).toMatchObject({ reason: "not_found" })
  expect(await town.shown("/ailleurs")).toMatchObject({ reason: "foreign_host" })
  expect(await town.shown("/inconnue")).toMatchObject({ error: { code: "not_found" } })
  const stranger = await strangerOf(town.service)
  expect((await stranger.get(`/api/v1/projects/${town.project.id}/pages/horaires`)).status).toBe(404)
})

test("the console shows what was read of a page and what was left out of it", async () => {
  await using site = townSite((pages) => {
    pages["/horaires"] =
      `<main><h1>Horaires</h1><p>Ouvert &lt;b&gt; le lundi.</p><aside>Météo : soleil</aside></main>`
  })
  await using town = await readSite(site)
  await town.read()
  const client = await signedIn(town.service)
  const list = (await client.get(`/console/projects/${town.project.id}/indexing`)).text
  const { id } = await town.shown("/horaires")
  const address = `/console/projects/${town.project.id}/indexing/pages/${id}`
  expect(list).toContain(`href="${address}"`)
  const { text } = await client.get(address)
  expect(text).toContain("<h1>Ce qui a été lu</h1>")
  expect(text).toContain("Ouvert \\&lt;b> le lundi.")
  expect(text).toContain("Météo : soleil")
  expect(text).toContain("C’est un encart à côté du texte.")
  expect((await client.get(`${address}x`)).status).toBe(404)
})

onSqlite("the command line shows what was read of a page, in English, and reads nothing", async () => {
  await using site = townSite()
  using folder = temporaryFolder()
  const data = { GUICHET_DATA_DIR: folder.path }
  await using town = await readSite(site, data)
  await town.read()
  const asked = site.log.length
  const show = (page: string, ...more: string[]) =>
    guichet(["index", town.project.id, "--show", page, ...more], data)
  expect(await show("horaires")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("- most pages of the site say it: Appelez le 01 23 45 67 89"),
  })
  const { stdout } = await show(`${site.url}/horaires`, "--json")
  expect(JSON.parse(stdout)).toMatchObject({ title: "Horaires", text: [{ markdown: own("Horaires") }] })
  expect(await show("inconnue")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("no such page: inconnue"),
  })
  expect(await show("horaires", "--stored")).toMatchObject({ exitCode: 2 })
  expect(site.log.slice(asked)).toEqual([])
})
