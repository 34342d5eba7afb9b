import { expect, test } from "bun:test"
import { defaultWorkspaceId, listWorkspaces } from "../../src/accounts/workspace.ts"
import { dayMs } from "../../src/base/clock.ts"
import { newId } from "../../src/base/ids.ts"
import { type Api, apiOf, strangerOf } from "../support/api.ts"
import { movableClock } from "../support/clock.ts"
import { aService } from "../support/service-builder.ts"

test("the default workspace stays, with all that is in it, and no other takes its place", async () => {
  await using service = await aService().started()
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

test("the default workspace is the first, also among those made in the same millisecond", async () => {
  await using service = await aService().withClock(movableClock()).started()
  const first = await apiOf(service)
  const strangers: Api[] = []
  for (let number = 0; number < 12; number++) {
    // Interleaves ids of different times, as a busy service creates them.
    newId("ws", number)
    strangers.push(await strangerOf(service))
  }
  for (const one of strangers)
    expect((await one.delete(`/api/v1/workspaces/${one.workspaceId}`)).status).toBe(204)
  expect((await first.delete(`/api/v1/workspaces/${first.workspaceId}`)).status).toBe(409)
})

test("the default workspace is the first, also when the clock was ahead at the first start", async () => {
  const clock = movableClock()
  clock.move(365 * dayMs)
  await using service = await aService().withClock(clock).started()
  const first = await apiOf(service)
  clock.move(-365 * dayMs)
  await strangerOf(service)
  expect(await defaultWorkspaceId(service.app.db)).toBe(first.workspaceId)
  expect((await listWorkspaces(service.app.db))[0]?.id).toBe(first.workspaceId)
})
