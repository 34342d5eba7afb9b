import { expect, test } from "bun:test"
import type { QuestionWithPassages } from "../../../src/answering/answerer.ts"
import { addIndexedProject, answerable, foreign, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// Specification, part 4 A: only answers with status `answered`, from the same project, dated less than two
// hours ago, are used as context for the ids in `previous`. An unknown or older id is ignored and causes no
// error.

const twoHoursMs = 2 * 3_600_000
const installation = "Comment installer Guichet sur un serveur ?"

/** A site that records the context of the last answer. */
async function startWatchedSite(): Promise<Site & { context(): string[] | undefined }> {
  let asked: QuestionWithPassages | undefined
  const site = await aService().withIndexedProject().started()
  const { assistant } = site.service.app
  const { answerer } = assistant
  assistant.answerer = {
    ...answerer,
    answer(question, signal) {
      asked = question
      return answerer.answer(question, signal)
    },
  }
  return {
    ...site,
    context() {
      const questions = asked?.previous.map(({ question }) => question)
      asked = undefined
      return questions
    },
  }
}

test("an answered question of the same project gives context", async () => {
  await using site = await startWatchedSite()
  const { body: first } = await site.ask({ question: installation })
  expect(site.context()).toEqual([])
  await site.ask({ previous: [first.id] })
  expect(site.context()).toEqual([installation])
})

test("context changes what is retrieved", async () => {
  await using site = await aService().withIndexedProject().started()
  const pageAfter = async (question: string) => {
    const { body: first } = await site.ask({ question })
    const { body } = await site.ask({ question: "Et pour la vérifier ?", previous: [first.id] })
    return body.sources[0]?.title
  }
  expect(await pageAfter("Comment sauvegarder la base ?")).toBe("Sauvegarder et restaurer")
  expect(await pageAfter("Comment créer un formulaire ?")).not.toBe("Sauvegarder et restaurer")
})

test("the conversation is given oldest first, in whatever order its ids come, each once", async () => {
  await using site = await startWatchedSite()
  const questions = [installation, "Comment sauvegarder ?", "Comment créer un formulaire ?"]
  const ids: string[] = []
  for (const question of questions) {
    ids.push((await site.ask({ question })).body.id)
    site.clock.move(1000)
  }
  const [one, two, three] = ids
  await site.ask({ previous: [three, one, two] })
  expect(site.context()).toEqual(questions)
  await site.ask({ previous: [one, one, one] })
  expect(site.context()).toEqual([installation])
})

test("earlier answers are given without their markers", async () => {
  await using site = await aService().withIndexedProject().started()
  const { body: first } = await site.ask()
  expect(first.answer).toContain("[^1]")
  let answer = ""
  const { assistant } = site.service.app
  assistant.answerer = {
    version: "test",
    // biome-ignore lint/correctness/useYield: only what it is asked matters
    async *answer({ previous }) {
      answer = previous[0]?.answer ?? ""
    },
  }
  await site.ask({ previous: [first.id] })
  expect(answer).not.toBe("")
  expect(answer).not.toMatch(/\[\^/)
})

test("an answer dated less than two hours ago is used, one of two hours is ignored", async () => {
  await using site = await startWatchedSite()
  const { body: first } = await site.ask({ question: installation })
  site.clock.move(twoHoursMs - 1)
  await site.ask({ previous: [first.id] })
  expect(site.context()).toEqual([installation])
  site.clock.move(1)
  expect((await site.ask({ previous: [first.id], question: "Et la signature d’un webhook ?" })).status).toBe(
    200,
  )
  expect(site.context()).toEqual([])
})

test("a question that was not answered gives no context", async () => {
  await using site = await startWatchedSite()
  const { body: first } = await site.ask({ question: foreign })
  expect(first.status).toBe("no_answer")
  expect((await site.ask({ previous: [first.id] })).status).toBe(200)
  expect(site.context()).toEqual([])
})

test("an answer of another project gives no context", async () => {
  await using site = await startWatchedSite()
  const other = await addIndexedProject(site)
  const { body: foreigner } = await site.ask({ project: other.id, question: installation })
  expect(foreigner.status).toBe("answered")
  expect((await site.ask({ previous: [foreigner.id] })).status).toBe(200)
  expect(site.context()).toEqual([])
})

test("unknown ids are ignored, and those beside them are used", async () => {
  await using site = await startWatchedSite()
  const { body: first } = await site.ask({ question: installation })
  const reply = await site.ask({ previous: ["ans_00000000000000000000000000000000", first.id, ""] })
  expect(reply).toMatchObject({ status: 200, body: { status: "answered" } })
  expect(site.context()).toEqual([installation])
})

test("the answer to a follow-up gives context in turn", async () => {
  await using site = await startWatchedSite()
  const { body: first } = await site.ask({ question: installation })
  const { body: second } = await site.ask({ question: answerable, previous: [first.id] })
  expect(site.context()).toEqual([installation])
  await site.ask({ question: "Comment vérifier la signature en Python ?", previous: [second.id] })
  expect(site.context()).toEqual([answerable])
})
