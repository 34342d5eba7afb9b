import { expect, test } from "bun:test"
import { listFeeds, saveFeed } from "../../../src/reading/feed.ts"
import { apiOf } from "../../support/api.ts"
import { aService } from "../../support/service-builder.ts"

const broken = {
  "a setting that the kind has not": { settings: '{"crawl":{"depth":1,"pages":1,"parameters":[]}}' },
  "a value of another type": { settings: '{"documents":"yes"}' },
  "a pattern that is too long": { settings: JSON.stringify({ include: ["a".repeat(201)] }) },
  "too many patterns": { settings: JSON.stringify({ exclude: Array(21).fill("a") }) },
  "a list": { settings: "[]" },
  "more text than all settings together have": { settings: `{"include":["${"a".repeat(500_000)}"]}` },
  "a kind that is not there": { kind: "gopher" },
}

test("a stored feed that its kind does not describe is an error that names it", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const { db } = service.app
  const site = "https://docs.exemple.fr"
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site })).body
  const source = { kind: "site", address: site, include: ["guide/**"], documents: true } as const
  const { feed } = await saveFeed(db, id, { ...source, include: [...source.include] }, 1)
  expect(await listFeeds(db, id)).toMatchObject([source])
  const before = await db.selectFrom("feed").select(["kind", "settings"]).executeTakeFirstOrThrow()
  for (const [what, columns] of Object.entries(broken)) {
    await db
      .updateTable("feed")
      .set({ ...before, ...columns })
      .execute()
    await expect(listFeeds(db, id), what).rejects.toThrow(`feed ${feed.id} `)
  }
})

const letters = "é".repeat(1500)
const written = [
  { kind: "crawl", settings: { crawl: { depth: 1, pages: 1, parameters: ["id,page"] } } },
  { kind: "pages", settings: { pages: [new URL(`https://docs.exemple.fr/${letters}`).href] } },
  {
    kind: "git",
    settings: { baseUrl: new URL(`https://docs.exemple.fr/${letters}`).href, urlStyle: "auto" },
  },
] as const

test("whatever earlier versions took is read as it was stored, and a wrong parameter is refused from now on", async () => {
  await using service = await aService().started()
  const api = await apiOf(service)
  const { db } = service.app
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.exemple.fr" })).body
  for (const { kind, settings } of written) {
    const address = `https://docs.exemple.fr/${kind}`
    await saveFeed(db, id, { kind: "site", address }, 1)
    await db
      .updateTable("feed")
      .set({ kind, settings: JSON.stringify(settings) })
      .where("address", "=", address)
      .execute()
  }
  expect(await listFeeds(db, id)).toMatchObject(
    written.map(({ kind, settings }) => ({ kind, ...structuredClone(settings) })),
  )
  const [{ settings: crawl }] = written
  const wrong = { kind: "crawl", address: "https://docs.exemple.fr/", ...structuredClone(crawl) } as const
  await expect(
    saveFeed(db, id, { ...wrong, crawl: { ...wrong.crawl, parameters: ["id,page"] } }, 1),
  ).rejects.toMatchObject({ fields: { "crawl.parameters": expect.anything() } })
})
