import { expect, test } from "bun:test"
import { answerable, foreign, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// The same question on the same page and index, without `previous`, is answered from a cache.

/** A site that counts how often an answer was really computed. */
async function startCountingSite(): Promise<Site & { worked(): number }> {
  const site = await aService().withIndexedProject().started()
  const { assistant } = site.service.app
  const { answerer } = assistant
  let worked = 0
  assistant.answerer = {
    ...answerer,
    answer(asked, signal) {
      worked++
      return answerer.answer(asked, signal)
    },
  }
  return { ...site, worked: () => worked }
}

test("the same question is answered alike, with an id and a date of its own", async () => {
  await using site = await startCountingSite()
  const { body: first } = await site.ask()
  site.clock.move(1000)
  const { body: second } = await site.ask()
  expect(site.worked()).toBe(1)
  expect({ ...second, id: first.id }).toEqual(first)
  expect(second.id).not.toBe(first.id)
  const rows = await site.service.app.db.selectFrom("answer").select("created_at").orderBy("id").execute()
  expect(rows.map((row) => row.created_at)).toEqual([site.clock.now() - 1000, site.clock.now()])
})

test("white space and the case of the first letter do not make another question; other words and capitals do", async () => {
  await using site = await startCountingSite()
  await site.ask()
  const lower = answerable.charAt(0).toLowerCase() + answerable.slice(1)
  expect(lower).not.toBe(answerable)
  await site.ask({ question: `  ${lower.replaceAll(" ", " \n ")} ` })
  await site.ask({ question: answerable.normalize("NFD") })
  expect(site.worked()).toBe(1)
  await site.ask({ question: answerable.replace("vérifier", "calculer") })
  expect(site.worked()).toBe(2)
  // A word in mixed case is a name, which is searched by its parts.
  await site.ask({ question: answerable.replace("vérifier", "VériFier") })
  expect(site.worked()).toBe(3)
})

test("an unanswered question is remembered too", async () => {
  await using site = await aService().withIndexedProject().started()
  const { body: first } = await site.ask({ question: foreign })
  const { liveIndex } = site.service.app.assistant
  const live = await liveIndex(site.project.id)
  // Nothing can be retrieved from this index: only the cache can answer.
  site.service.app.assistant.liveIndex = async () => ({
    generation: live?.generation ?? 0,
    index: {} as never,
  })
  const { status, body } = await site.ask({ question: foreign })
  expect({ status, ...body, id: first.id }).toEqual({ status: 200, ...first })
})

test("another page is another question, the same page written otherwise is not", async () => {
  await using site = await startCountingSite()
  await site.ask({ page: "/guide" })
  await site.ask({ page: "/guide/?x=1#y" })
  expect(site.worked()).toBe(1)
  await site.ask({ page: "/autre" })
  await site.ask()
  await site.ask({ page: "/" })
  expect(site.worked()).toBe(4)
})

test("a new index forgets what the old one answered", async () => {
  await using site = await startCountingSite()
  await site.ask()
  const { assistant } = site.service.app
  const live = await assistant.liveIndex(site.project.id)
  assistant.liveIndex = async () => live && { ...live, generation: live.generation + 1 }
  await site.ask()
  expect(site.worked()).toBe(2)
})

test("another answerer does not give what the last one answered", async () => {
  await using site = await startCountingSite()
  await site.ask()
  const { assistant } = site.service.app
  assistant.answerer = { ...assistant.answerer, version: "another" }
  await site.ask()
  expect(site.worked()).toBe(2)
})

test("a project of another language does not give what it answered in the last one", async () => {
  await using site = await startCountingSite()
  await site.ask()
  await site.service.app.db
    .updateTable("project")
    .set({ language: "en" })
    .where("id", "=", site.project.id)
    .execute()
  await site.ask()
  expect(site.worked()).toBe(2)
})

test("with a conversation, neither the cache is read nor the answer put into it", async () => {
  await using site = await startCountingSite()
  const { body: first } = await site.ask({ question: "Comment installer Guichet ?" })
  await site.ask({ previous: [first.id] })
  await site.ask({ previous: [first.id] })
  expect(site.worked()).toBe(3)
  await site.ask()
  expect(site.worked()).toBe(4)
})

test("a cached answer gives context like any other", async () => {
  await using site = await startCountingSite()
  await site.ask()
  const { body: cached } = await site.ask()
  let context: string[] = []
  const { assistant } = site.service.app
  const { answerer } = assistant
  assistant.answerer = {
    ...answerer,
    answer(asked, signal) {
      context = asked.previous.map(({ question }) => question)
      return answerer.answer(asked, signal)
    },
  }
  await site.ask({ question: "Comment vérifier la signature en Python ?", previous: [cached.id] })
  expect(context).toEqual([answerable])
})
