import { expect, test } from "bun:test"
import { apiOf, strangerOf } from "../support/api.ts"
import { startService } from "../support/service.ts"

test("of the last two workspaces, removed at the same moment, one stays with all that is in it", async () => {
  await using service = await startService()
  const both = [await apiOf(service), await strangerOf(service)]
  for (const api of both) await api.post("/api/v1/projects", { name: "Acme", site: "https://www.acme.fr" })
  const removed = await Promise.all(both.map((api) => api.delete(`/api/v1/workspaces/${api.workspaceId}`)))
  const statuses = removed.map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([204, 409])
  const kept = both[statuses.indexOf(409)]
  expect((await kept?.get("/api/v1/projects"))?.body.items).toHaveLength(1)
})
