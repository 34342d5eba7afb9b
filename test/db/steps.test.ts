import { afterAll, beforeAll, expect, test } from "bun:test"
import { deleteBelongings, deleteInSteps } from "../../src/db/delete-in-steps.ts"
import { belongingsOf, type TableName } from "../../src/db/schema.ts"
import { inSteps, inStepsOver } from "../../src/db/steps.ts"
import { aService } from "../support/service-builder.ts"
import type { World } from "../support/world.ts"

let world: World
beforeAll(async () => {
  world = await aService().withOneOfEach().started()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The numbers of rows that each step worked on. */
async function rowsByStep(sizes: number[]): Promise<number[]> {
  const { db } = world.service.app
  const counts = new Map<object, number>()
  let done = 0
  await inSteps(
    db,
    async () => sizes.slice(done).map((bytes) => ({ bytes })),
    async (transaction, rows) => {
      counts.set(transaction, (counts.get(transaction) ?? 0) + rows.length)
      done += rows.length
    },
  )
  return [...counts.values()]
}

test("the rows of a step shrink as their bytes grow, down to one", async () => {
  const most = async (bytes: number) => Math.max(...(await rowsByStep(Array(60).fill(bytes))))
  expect(await most(300_000)).toBeLessThanOrEqual(7)
  expect(await most(3_000_000)).toBe(1)
  expect((await rowsByStep([3_000_000, 3_000_000, 10, 10])).slice(0, 2)).toEqual([1, 1])
})

test("every row is worked on, and a step that fails undoes itself alone", async () => {
  const { db } = world.service.app
  const wanted = Array.from({ length: 1203 }, (_, number) => number)
  const done: number[] = []
  let steps = 0
  await inStepsOver(
    db,
    wanted,
    20_000,
    async (_, items) => void done.push(...items),
    () => steps++,
  )
  expect(done).toEqual(wanted)
  expect(steps).toBeGreaterThan(10)
  await db.deleteFrom("script").execute()
  const failing = inStepsOver(db, wanted.slice(0, 4), 3_000_000, async (transaction, [number]) => {
    const name = `${number}`
    await transaction.insertInto("script").values({ name, hash: name, text: "", created_at: 0 }).execute()
    if (number === 2) throw new Error("full")
  })
  await expect(failing).rejects.toThrow("full")
  const stored = await db.selectFrom("script").select("name").orderBy("name").execute()
  expect(stored.map(({ name }) => name)).toEqual(["0", "1"])
})

test("two works over the same rows from both ends come to their end: neither waits for the other in a circle", async () => {
  const { db } = world.service.app
  await db.deleteFrom("script").execute()
  const names = Array.from({ length: 40 }, (_, number) => `${number}`)
  const row = { hash: "h", text: "", created_at: 0 }
  await db
    .insertInto("script")
    .values(names.map((name) => ({ name, ...row })))
    .execute()
  const count = (order: string[]) =>
    inStepsOver(db, order, 10_000, async (transaction, items) => {
      await transaction
        .updateTable("script")
        .set(({ eb }) => ({ created_at: eb("created_at", "+", 1) }))
        .where("name", "in", items)
        .execute()
      // The other one begins meanwhile.
      await Bun.sleep(2)
    })
  const times = 5
  for (let time = 0; time < times; time++) await Promise.all([count(names), count(names.toReversed())])
  const counted = await db.selectFrom("script").select("created_at").execute()
  expect(counted.map(({ created_at }) => created_at)).toEqual(names.map(() => 2 * times))
})

test("what a condition leaves out stays, in a table whose key has several columns too", async () => {
  const { db } = world.service.app
  await db.deleteFrom("script").execute()
  const scripts = Array.from({ length: 60 }, (_, number) => ({
    name: `n${number % 3}`,
    hash: `h${number}`,
    text: "x".repeat(number * 1000),
    created_at: number,
  }))
  await db.insertInto("script").values(scripts).execute()
  expect(await deleteInSteps(db, "script", (script) => script("created_at", "<", 50))).toBe(50)
  expect(await db.selectFrom("script").select("created_at").execute()).toHaveLength(10)
})

test("whatever would go with a project or a workspace goes before it, from the furthest on, and nobody else's", async () => {
  const { db } = world.service.app
  const others = await countAll()
  const created = await world.api.post("/api/v1/projects", {
    name: "Autre",
    site: "https://autre.exemple.fr",
  })
  const projectId = created.body.id as string
  await db
    .insertInto("evaluation_question")
    .values(
      Array.from({ length: 450 }, (_, number) => ({
        id: `eq_${number}`,
        project_id: projectId,
        question: "x".repeat(2000),
        page: null,
        text: null,
        created_at: 0,
      })),
    )
    .execute()
  const chosen = { project_id: projectId, answer: "a", sources: "[]", created_at: 0, changed_at: 0 }
  for (const id of ["c1", "c2"]) {
    await db
      .insertInto("chosen_answer")
      .values({ id, ...chosen, missing: 0 } as never)
      .execute()
    await db
      .insertInto("chosen_question")
      .values([0, 1, 2].map((place) => ({ chosen_id: id, place, question: "q", model: null, vector: null })))
      .execute()
  }
  await deleteBelongings(db, "project", [projectId])
  const left = await countAll()
  expect({ ...left, project: left["project"], audit_log: 0 }).toEqual({
    ...others,
    project: (others["project"] ?? 0) + 1,
    audit_log: 0,
  })
  expect((await world.api.delete(`/api/v1/projects/${projectId}`)).status).toBe(204)
})

/** Rows of every table that belongs to a workspace, however far. */
async function countAll(): Promise<Record<string, number>> {
  const { db } = world.service.app
  return db.transaction().execute(async (transaction) => {
    const counts: Record<string, number> = {}
    const waiting: TableName[] = ["workspace"]
    for (let table = waiting.pop(); table; table = waiting.pop()) {
      for (const { table: child } of belongingsOf(table)) {
        if (child in counts) continue
        const rows = await transaction
          .selectFrom(child as "answer")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow()
        counts[child] = Number(rows.count)
        waiting.push(child)
      }
    }
    expect(Object.keys(counts)).toContain("attempt")
    return counts
  })
}
