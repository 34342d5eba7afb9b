import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { insertProject } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { foldedQuestion } from "../../src/answering/ask/store-answer.ts"
import { newId } from "../../src/base/ids.ts"
import { inPortions } from "../../src/db/portions.ts"
import { apiOf } from "../support/api.ts"
import { type ConsoleClient, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

/** Every position of such a question is nearly the sought word. */
const question = "a".repeat(1000)
const sought = ["b", ...Array.from({ length: 7 }, (_, at) => "a".repeat(20 + at))].join(" ")
const kept = 3000

let service: Service
let client: ConsoleClient
let projectId: string

beforeAll(async () => {
  service = await aService().started()
  const { db, clock } = service.app
  const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
  projectId = (await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())).id
  for (let at = 0; at < kept; at += 100)
    await db
      .insertInto("answer")
      .values(
        Array.from({ length: 100 }, () => ({
          id: newId("ans", clock.now()),
          project_id: projectId,
          question,
          folded: foldedQuestion(question),
          page: "/p",
          status: "no_answer" as const,
          answer: "",
          sources: "[]",
          generation: 1,
          created_at: clock.now(),
        })),
      )
      .execute()
  client = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Turns of the event loop while `work` goes on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

describe("every search, list, count and export of questions lets others in between its portions", () => {
  const addresses = [
    ["the console's list", () => `/console/projects/${projectId}/questions?days=90`],
    [
      "the console's search",
      () => `/console/projects/${projectId}/questions?q=${encodeURIComponent(sought)}`,
    ],
    [
      "the console's export",
      () => `/console/projects/${projectId}/questions/questions.csv?q=${encodeURIComponent(sought)}`,
    ],
    ["a filter that finds nothing", () => `/console/projects/${projectId}/questions?show=useful`],
    ["what is missing", () => `/console/projects/${projectId}/questions/gaps`],
  ] as const
  test.each(addresses)("%s", async (_, address) => {
    const turns = await turnsDuring(async () => expect((await client.get(address())).status).toBe(200))
    expect(turns).toBeGreaterThan(3)
  })
})

test("a search that finds nothing says so", async () => {
  const { text } = await client.get(
    `/console/projects/${projectId}/questions?q=${encodeURIComponent(sought)}`,
  )
  expect(text).toContain("Aucune question ne correspond.")
})

test("a word is found to the letter, whatever its signs mean elsewhere", async () => {
  const { text } = await client.get(`/console/projects/${projectId}/questions?q=%25`)
  expect(text).toContain("Aucune question ne correspond.")
  const found = await client.get(`/console/projects/${projectId}/questions?q=AAA`)
  expect(found.text).not.toContain("Aucune question ne correspond.")
})

test("a sparse filter of the API reaches the end of its list", async () => {
  const api = await apiOf(service)
  const { status, body } = await api.get(`/api/v1/projects/${projectId}/answers?status=answered`)
  expect([status, body]).toEqual([200, { items: [], next_cursor: null }])
})

test("a reading stops after the rows that it is allowed, and says where", async () => {
  const keyAt = async (after = "0", offset: number) => {
    const key = Number(after) + offset + 1
    return key < 10_000 ? String(key) : undefined
  }
  const seen: (string | undefined)[] = []
  for await (const { last } of inPortions(service.app.db, keyAt, { mostRows: 700 })) seen.push(last)
  expect(seen.at(-1)).toBe("700")
  const all: (string | undefined)[] = []
  for await (const { last } of inPortions(service.app.db, keyAt)) all.push(last)
  expect(all.at(-1)).toBeUndefined()
})

test("readings of one database wait for each other, and a reader that leaves early lets the next one in", async () => {
  let inside = 0
  const keyAt = async () => "1"
  const read = async () => {
    for await (const _ of inPortions(service.app.db, keyAt, { mostRows: 2000 })) {
      expect(++inside).toBe(1)
      await Bun.sleep(0)
      inside--
      if (Math.random() < 0.2) break
    }
  }
  await Promise.all(Array.from({ length: 10 }, read))
})
