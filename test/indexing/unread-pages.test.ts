import { afterAll, beforeAll, expect, test } from "bun:test"
import { findProject, type Project } from "../../src/accounts/project.ts"
import { changeRows } from "../../src/db/store.ts"
import type { Progress } from "../../src/indexing/indexing-run.ts"
import { listFeeds } from "../../src/reading/feed.ts"
import { type Api, apiOf } from "../support/api.ts"
import { indexFeeds } from "../support/documentation.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { type Answer, page, type Site, sitemap, startSite } from "../support/site.ts"

/* A reading that went through without all its pages, and how far one is. */

let service: Service
let api: Api
let client: ConsoleClient
let site: Site
const pages: Record<string, Answer> = {}

beforeAll(async () => {
  service = await aService().withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true" }).started()
  api = await apiOf(service)
  client = await signedIn(service)
  site = startSite(pages)
  pages["/sitemap.xml"] = sitemap(...["/a", "/b", "/c", "/d"].map((path) => site.url + path))
  for (const path of ["/a", "/b", "/c", "/d"]) pages[path] = page(`Page ${path}`)
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

test("pages that could not be read are a warning that says how many; a known list says how far a reading is", async () => {
  const { db } = service.app
  const { body: made } = await api.post("/api/v1/projects", { name: "Guide", site: site.url })
  // Stored as it is: the service reads by itself what was added through it.
  const source = { project_id: made.id, kind: "sitemap", address: `${site.url}/sitemap.xml`, settings: "{}" }
  const unread = { headers: null, created_at: 0, last_read_at: null, generator_found: null }
  await db
    .insertInto("feed")
    .values({ id: "feed_unread", ...source, ...unread })
    .execute()
  const project = (await findProject(db, made.id)) as Project
  const told: Progress[] = []
  const read = async () =>
    indexFeeds(service.app, project, await listFeeds(db, made.id), { onProgress: (each) => told.push(each) })
  const path = `/console/projects/${made.id}/indexing`

  await read()
  const reading = told.filter(({ phase }) => phase === "reading")
  expect(reading.map(({ done, total }) => `${done} sur ${total}`)).toEqual(
    [0, 1, 2, 3, 4].map((done) => `${done} sur 4`),
  )
  expect((await client.get(path)).text).not.toContain("non lue")

  for (const path of ["/c", "/d"]) pages[path] = new Response("fermé", { status: 403 })
  await read()
  expect((await client.get(path)).text).toContain(
    "2\u00a0pages sur 4 non lues\u00a0: relisez la documentation.",
  )
  expect((await client.get("/console")).text).toContain("2\u00a0pages sur 4 non lues")
  const { items } = (await api.get(`/api/v1/projects/${made.id}/index-runs`)).body
  expect(items[0]).toMatchObject({ state: "ended", outcome: { documents: 4, failed: 2, pages: 4 } })

  const going = { ended_at: null, outcome: null, phase: "reading", done: 150, total: 300 } as const
  await changeRows(
    db,
    "indexing_run",
    { project_id: made.id },
    { ...going, beat_at: service.app.clock.now() },
  )
  expect((await client.get(path)).text).toContain("Lecture des pages\u00a0: 150 sur 300.")
})
