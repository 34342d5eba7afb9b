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
