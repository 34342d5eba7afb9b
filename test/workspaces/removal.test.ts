import { expect, test } from "bun:test"
import { apiOf, strangerOf } from "../support/api.ts"
import { startService } from "../support/service.ts"

test("the default workspace stays, with all that is in it, and no other takes its place", async () => {
  await using service = await startService()
  const api = await apiOf(service)
  const stranger = await strangerOf(service)
  for (const one of [api, stranger])
    await one.post("/api/v1/projects", { name: "Acme", site: "https://www.acme.fr" })
  const removed = await Promise.all(
    [api, stranger].map((one) => one.delete(`/api/v1/workspaces/${one.workspaceId}`)),
  )
  expect(removed.map(({ status }) => status)).toEqual([409, 204])
  expect(removed[0]?.body.error.message).toContain("espace par défaut")
  expect((await api.get("/api/v1/projects")).body.items).toHaveLength(1)
})
