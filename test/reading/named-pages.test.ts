import { expect, test } from "bun:test"
import { apiOf } from "../support/api.ts"
import { guichet } from "../support/cli.ts"
import { signedIn } from "../support/operator.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { page, startSite } from "../support/site.ts"

const site = "https://www.mairie-exemple.fr"

test("the API takes pages that are named one by one, on declared sites alone, and a list replaces the one before", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const { body: project } = await api.post("/api/v1/projects", { name: "Mairie", site })
  const feeds = `/api/v1/projects/${project.id}/feeds`
  const feed = { kind: "pages", address: `${site}/` }
  const made = await api.post(feeds, { ...feed, pages: [`${site}/horaires`, `${site}/contact`] })
  expect([made.status, made.body.kind, made.body.pages]).toEqual([
    201,
    "pages",
    [`${site}/horaires`, `${site}/contact`],
  ])
  const again = await api.post(feeds, { ...feed, pages: [`${site}/tarifs`] })
  expect([again.body.id, again.body.pages]).toEqual([made.body.id, [`${site}/tarifs`]])
  expect((await api.get(feeds)).body.items).toEqual([again.body])

  const wrong = [
    undefined,
    [],
    ["horaires"],
    ["https://ailleurs.exemple.fr/a"],
    Array(1001).fill(`${site}/a`),
    Array(50).fill(`${site}/${"a".repeat(1000)}`),
  ]
  for (const pages of wrong) {
    const { status, body } = await api.post(feeds, { ...feed, pages })
    expect([status, Object.keys(body.error.fields)]).toEqual([400, ["pages"]])
  }
})

test("the console takes them a line each, and shows what was typed where one is wrong", async () => {
  await using first = await aService().withOwner().started()
  const camille = await signedIn(first.service)
  const made = await camille.post("/console/projects", { name: "Docs", site: first.site.url })
  const path = (made.location ?? "").replace(/\?.*/, "")
  const typed = { kind: "pages", address: `${first.site.url}/` }
  const refused = await camille.post(`${path}/feeds`, { ...typed, pages: "horaires" })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain("Indiquez des URL complètes, une par ligne")
  expect(refused.text).toMatch(/<textarea[^>]*name="pages"[^>]*>\s*horaires/)
  const pages = `${first.site.url}/contact\n\n${first.site.url}/tarifs\n`
  expect((await camille.post(`${path}/feeds`, { ...typed, pages })).status).toBe(303)
  const { text } = await camille.get(path)
  expect(text).toContain("Pages désignées")
  expect(text).toContain("2\u00a0pages")
})

test("the command reads a site by itself, or the pages that a file lists", async () => {
  using data = temporaryFolder()
  await using served = startSite({ "/horaires": page("Horaires"), "/contact": page("Contact") })
  const environment = { GUICHET_DATA_DIR: data.path, GUICHET_FEED_ALLOW_PRIVATE: "true" }
  const added = await guichet(
    ["project", "add", "--name", "Mairie", "--site", served.url, "--json"],
    environment,
  )
  const index = ["index", JSON.parse(added.stdout).id, "--words", "--json"]
  const none = await guichet([...index, "--site", served.url], environment)
  expect(none.exitCode).toBe(1)
  expect(none.stderr).toContain("/wp-sitemap.xml")
  expect((await guichet([...index, "--urls", `${data.path}/none`], environment)).exitCode).toBe(2)
  await Bun.write(
    `${data.path}/urls`,
    `${served.url}/horaires\n\n${served.url}/contact\n${served.url}/partie\n`,
  )
  const read = await guichet([...index, "--urls", `${data.path}/urls`], environment)
  expect(JSON.parse(read.stdout)).toMatchObject({ documents: 2 })
})
