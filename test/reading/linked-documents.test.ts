import { afterAll, beforeAll, expect, test } from "bun:test"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { type Api, apiOf } from "../support/api.ts"
import { indexFeeds } from "../support/documentation.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import { makePdf, paragraph } from "../support/pdf.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { page, type Site, sitemap, startSite } from "../support/site.ts"

// The documents that a site's pages link to, from the setting to the answer.

let site: Site
let service: Service
let api: Api
let client: ConsoleClient
let project: string

beforeAll(async () => {
  const tariffs = makePdf([
    [{ text: "Guide de la cantine", y: 60, size: 20 }, ...paragraph(["Les repas sont servis à midi."], 100)],
    [
      { text: "Tarifs", y: 60, size: 15 },
      ...paragraph(["Le repas de la cantine coûte 2,80 euros par enfant."], 100),
    ],
  ])
  site = startSite(({ origin, pathname }) => {
    const pages: Record<string, Response | string> = {
      "/sitemap.xml": sitemap(`${origin}/ecole`),
      "/ecole": page("École").replace("</main>", '<p>Voir <a href="/cantine.pdf">les tarifs</a>.</p></main>'),
      "/cantine.pdf": new Response(tariffs, { headers: { "content-type": "application/pdf" } }),
    }
    return pages[pathname]
  })
  service = await aService().withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true" }).started()
  api = await apiOf(service)
  client = await signedIn(service)
  project = (await api.post("/api/v1/projects", { name: "Mairie", site: site.url })).body.id
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function read() {
  const { app } = service
  const found = (await findProject(app.db, project)) as Project
  return indexFeeds(app, found, await listFeeds(app.db, project))
}

const feeds = () => `/api/v1/projects/${project}/feeds`
const console = () => `/console/projects/${project}/indexing`

test("a feed reads no linked document until its owner asks for it", async () => {
  const made = await api.post(feeds(), { kind: "site", address: site.url })
  expect(made.body.documents).toBe(false)
  await read()
  expect(site.log.join()).not.toContain("cantine.pdf")
  expect((await client.get(`${console()}/feeds/${made.body.id}`)).text).toContain(
    "Lire aussi les documents liés",
  )
  const changed = await api.patch(`${feeds()}/${made.body.id}`, { documents: true })
  expect(changed.body).toMatchObject({ documents: true, headers: [] })
  expect((await api.patch(`${feeds()}/${made.body.id}`, { headers: [] })).body.documents).toBe(true)
})

test("then a question is answered from it, with the page of the PDF as its source", async () => {
  await read()
  const { body } = await api.post(`/api/v1/projects/${project}/trials`, {
    question: "Combien coûte le repas de la cantine ?",
  })
  expect(JSON.stringify(body)).toContain("2,80 euros")
  expect(JSON.stringify(body)).toContain(`${site.url}/cantine.pdf#page=2`)
  const { body: documents } = await api.get(`/api/v1/projects/${project}/documents`)
  expect(documents.items).toContainEqual(
    expect.objectContaining({ url: `${site.url}/cantine.pdf`, format: "pdf" }),
  )
})

test("the console shows its kind, and takes the setting back", async () => {
  const { text } = await client.get(console())
  expect(text).toContain('<div class="hint">PDF</div>')
  expect(text).toContain("avec les documents liés")
  const [feed] = (await api.get(feeds())).body.items
  expect((await client.post(`${console()}/feeds/${feed.id}`, {})).status).toBe(303)
  expect((await api.get(`${feeds()}/${feed.id}`)).body.documents).toBe(false)
})
