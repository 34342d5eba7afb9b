import { expect, test } from "bun:test"
import { apiOf } from "../../support/api.ts"
import { signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"
import { page, startSite } from "../../support/site.ts"

test("links are followed as far as the console says; later settings come by console and API alike", async () => {
  const leading = (title: string, to: string) =>
    page(title).replace("</main>", `<p>Vers <a href="${to}">la suite</a>.</p></main>`)
  await using site = startSite({
    "/": leading("Accueil", "/un"),
    "/un": leading("Un", "/deux"),
    "/deux": leading("Deux", "/trois"),
    "/trois": page("Trois"),
  })
  await using service = await aService().withSettings({ GUICHET_FEED_ALLOW_PRIVATE: "true" }).started()
  const api = await apiOf(service)
  const client = await signedIn(service)
  const { body: project } = await api.post("/api/v1/projects", { name: "Liens", site: site.url })
  const path = `/console/projects/${project.id}/indexing`
  const feeds = `/api/v1/projects/${project.id}/feeds`

  const settled = async (documents: number) => {
    for (;;) {
      const { body } = await api.get(`/api/v1/projects/${project.id}/documents`)
      if (body.items.length === documents && !(await client.get(path)).text.includes("data-refresh")) return
      await Bun.sleep(50)
    }
  }
  const typed = { kind: "crawl", address: `${site.url}/`, "crawl.depth": "1", "crawl.pages": "50" }
  expect((await client.post(`${path}/feeds`, typed)).status).toBe(303)
  await settled(2)
  const { id } = (await api.get(feeds)).body.items[0]
  const own = await client.get(`${path}/feeds/${id}`)
  expect(own.text).toMatch(/name="crawl\.depth"[^>]*value="1"/)

  const wrong = await client.post(`${path}/feeds/${id}`, { ...typed, "crawl.depth": "21" })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("nombre entier de 1 à 20")])
  const deeper = await client.post(`${path}/feeds/${id}`, {
    ...typed,
    "crawl.depth": "2",
    "crawl.parameters": "id",
  })
  expect(deeper.status).toBe(303)
  await settled(3)

  // What is not named stays.
  const changed = await api.patch(`${feeds}/${id}`, { crawl: { depth: 3 } })
  expect([changed.status, changed.body.crawl]).toEqual([200, { depth: 3, pages: 50, parameters: ["id"] }])
  await api.post(`/api/v1/projects/${project.id}/index-runs`, {})
  await settled(4)
  const odd = await api.patch(`${feeds}/${id}`, { crawl: { parameters: ["id", "a b"] } })
  expect([odd.status, JSON.stringify(odd.body.error.fields)]).toEqual([
    400,
    expect.stringContaining("crochets"),
  ])
  const other = await api.post(feeds, { kind: "sitemap", address: `${site.url}/sitemap.xml` })
  const refused = await api.patch(`${feeds}/${other.body.id}`, { crawl: { depth: 3 } })
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([400, ["crawl"]])
})
