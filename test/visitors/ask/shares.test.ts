import { expect, test } from "bun:test"
import { removeProject } from "../../../src/accounts/project.ts"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import { apiOf } from "../../support/api.ts"
import { addIndexedProject, type Site } from "../../support/ask.ts"
import { documentation } from "../../support/documentation.ts"
import { signedIn } from "../../support/operator.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// Half of the organisation's month is common, the other half is kept in equal shares for the workspaces that have
// an indexed project. Specification, part 7 A: 429 `quota_exceeded`.

const month = (quota: number) => ({ GUICHET_ASK_PER_ORGANISATION_MONTH: String(quota) })

/** A project of another workspace of the organisation. */
async function addNeighbour(site: Site) {
  const workspaceId = await insertWorkspace(site.service.app.db, "Client", site.clock.now())
  using docs = documentation({ "a.md": "Une seule page." })
  return await addIndexedProject({ ...site, project: { ...site.project, workspaceId } }, docs.path)
}

/** How many questions in a row a project gets answered, `most` at most. */
async function answered(site: Site, project: string, most: number): Promise<number> {
  for (let count = 0; count < most; count++) {
    const { status, body } = await site.ask({ project })
    if (status === 200) continue
    expect({ status, code: body.error.code }).toEqual({ status: 429, code: "quota_exceeded" })
    return count
  }
  return most
}

/** All at once, of several projects in turn: how many of each are answered. */
async function answeredAtOnce(sites: readonly Site[], projects: readonly string[], each: number) {
  const asked = Array.from({ length: each }, (_, number) =>
    projects.map(async (project) => {
      const site = sites[number % sites.length] as Site
      const { status } = await site.ask({ project, question: `Comment installer ${number} fois ?` })
      return { project, status }
    }),
  ).flat()
  const replies = await Promise.all(asked)
  return projects.map(
    (project) => replies.filter((reply) => reply.project === project && reply.status === 200).length,
  )
}

test("a workspace alone has the whole month, also an odd one", async () => {
  for (const quota of [1, 2, 7]) {
    await using site = await aService().withSettings(month(quota)).withIndexedProject().started()
    // A workspace without an index keeps nothing.
    await insertWorkspace(site.service.app.db, "Vide", site.clock.now())
    expect(await answered(site, site.project.id, 20), `of ${quota}`).toBe(quota)
  }
})

test("a greedy workspace stops at the common half and its own share; the others keep theirs", async () => {
  await using site = await aService().withSettings(month(13)).withIndexedProject().started()
  const others = [await addNeighbour(site), await addNeighbour(site)]
  // Kept: 6 in shares of 2. Common: the other 7.
  expect(await answered(site, site.project.id, 20)).toBe(7 + 2)
  for (const { id } of others) expect(await answered(site, id, 20)).toBe(2)
  expect(await answered(site, site.project.id, 1)).toBe(0)
})

test("two projects of one workspace have one share", async () => {
  await using site = await aService().withSettings(month(8)).withIndexedProject().started()
  const own = await addIndexedProject(site)
  const other = await addNeighbour(site)
  expect((await answered(site, site.project.id, 3)) + (await answered(site, own.id, 20))).toBe(4 + 2)
  expect(await answered(site, other.id, 20)).toBe(2)
})

test("what a small workspace leaves of the common half is there for the others", async () => {
  await using site = await aService().withSettings(month(12)).withIndexedProject().started()
  const other = await addNeighbour(site)
  expect(await answered(site, other.id, 5)).toBe(5)
  expect(await answered(site, site.project.id, 20)).toBe(7)
  expect(await answered(site, other.id, 1)).toBe(0)
})

test("a workspace that lost its index leaves its share to the others, never more than the month", async () => {
  await using site = await aService().withSettings(month(12)).withIndexedProject().started()
  const other = await addNeighbour(site)
  expect(await answered(site, other.id, 2)).toBe(2)
  await removeProject(site.service.app.db, other.id)
  expect(await answered(site, site.project.id, 20)).toBe(10)
})

test("a workspace that is indexed late gets of its share what the month still holds", async () => {
  await using site = await aService().withSettings(month(8)).withIndexedProject().started()
  expect(await answered(site, site.project.id, 7)).toBe(7)
  const late = await addNeighbour(site)
  expect(await answered(site, site.project.id, 1)).toBe(0)
  expect(await answered(site, late.id, 20)).toBe(1)
})

test("questions counted before the counts knew workspaces are common", async () => {
  await using site = await aService().withSettings(month(12)).withIndexedProject().started()
  const other = await addNeighbour(site)
  expect(await answered(site, site.project.id, 5)).toBe(5)
  await site.service.app.db.deleteFrom("limit_count").where("subject", "like", "workspace:%").execute()
  // Five of the common six are gone, both shares of three are whole.
  expect(await answered(site, site.project.id, 20)).toBe(3 + 1)
  expect(await answered(site, other.id, 20)).toBe(3)
})

test("shares begin anew with the month", async () => {
  await using site = await aService().withSettings(month(4)).withIndexedProject().started()
  await addNeighbour(site)
  expect(await answered(site, site.project.id, 20)).toBe(3)
  site.clock.move(31 * 86_400_000)
  expect(await answered(site, site.project.id, 20)).toBe(3)
})

test("questions asked at once, of two services on one database, stop exactly at the border", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: folder.path, ...month(14) }
  await using one = await aService().withSettings(environment).withIndexedProject().started()
  await using two = await aService().withSettings(environment).withIndexedProject({}, one.project).started()
  const other = await addNeighbour(one)
  // Kept: 7 in shares of 3. Common: 8.
  expect(await answeredAtOnce([one, two], [one.project.id], 20)).toEqual([8 + 3])
  expect(await answeredAtOnce([one, two], [one.project.id, other.id], 10)).toEqual([0, 3])
})

test("questions of two workspaces at once share the common half, and leave each its share", async () => {
  await using site = await aService().withSettings(month(12)).withIndexedProject().started()
  const other = await addNeighbour(site)
  const [mine, theirs] = await answeredAtOnce([site], [site.project.id, other.id], 15)
  expect((mine as number) + (theirs as number)).toBe(12)
  expect(Math.min(mine as number, theirs as number)).toBeGreaterThanOrEqual(3)
})

test("the console and the API tell a workspace its share and what is left, and warn at 80 %", async () => {
  await using site = await aService().withSettings(month(12)).withIndexedProject().started()
  await addNeighbour(site)
  const warned = "Au moins 80\u202f%"
  const owner = await signedIn(site.service)
  const told = async () => (await (await apiOf(site.service)).get("/api/v1/usage")).body.workspace
  expect(await answered(site, site.project.id, 7)).toBe(7)
  expect(await told()).toEqual({ questions: 7, share: 3, left: 2 })
  expect((await owner.get("/console/settings")).text).not.toContain(warned)
  expect(await answered(site, site.project.id, 1)).toBe(1)
  expect(await told()).toEqual({ questions: 8, share: 3, left: 1 })
  expect((await owner.get("/console/settings")).text).toContain(warned)
})
