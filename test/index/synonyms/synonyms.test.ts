import { afterAll, beforeAll, expect, test } from "bun:test"
import { readQuestion } from "../../../src/answering/retrieval/question.ts"
import { type Retrieval, retrieve } from "../../../src/answering/retrieval/retrieve.ts"
import { commandCaller } from "../../../src/cli/kit/open.ts"
import { addSynonyms, removeSynonyms } from "../../../src/index/synonyms/operations.ts"
import { analyseSynonyms } from "../../../src/index/synonyms/synonyms.ts"
import { perform } from "../../../src/operations/perform.ts"
import type { Site } from "../../support/ask.ts"
import { timesPlainWork } from "../../support/processor.ts"
import { aService } from "../../support/service-builder.ts"

// Issue I, part 5: an owner's own synonyms, for the questions of one project.

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

const caller = () => commandCaller("synonym", site.project.workspaceId)
const add = async (...words: string[]) =>
  (await perform(addSynonyms, site.service.app, caller(), { project: site.project.id }, { words })).id
const remove = (synonym: string) =>
  perform(removeSynonyms, site.service.app, caller(), { project: site.project.id, synonym })

async function retrieved(question: string): Promise<Retrieval> {
  const live = await site.service.app.indexes.liveIndex(site.project.id)
  if (!live) throw new Error("not indexed")
  return retrieve(live.index, { question, previous: [], page: undefined })
}

test("a word that the documentation never uses finds what its synonym finds, answered as surely", async () => {
  const question = "Comment vérifier le paraphe d’un webhook ?"
  const without = await retrieved(question)
  expect(without.signals.unknownShare).toBeGreaterThan(0)
  const id = await add("paraphe", "signature")
  const own = await retrieved(question)
  const usual = await retrieved("Comment vérifier la signature d’un webhook ?")
  expect(own.ranked.map(({ passage }) => passage.key)).toEqual(usual.ranked.map(({ passage }) => passage.key))
  expect(own.ranked[0]?.score).toBeCloseTo(usual.ranked[0]?.score as number, 3)
  // Scores are 32-bit floats, so that scaling leaves a rounding error.
  const { relativeScore } = usual.signals
  expect(own.signals).toEqual({ ...usual.signals, relativeScore: expect.closeTo(relativeScore, 5) })
  expect(own.decision.confidence).toBeGreaterThan(without.decision.confidence)
  await remove(id)
  expect((await retrieved(question)).signals).toEqual(without.signals)
})

test("a phrase may stand for a word, and a word for a phrase", async () => {
  const usual = await retrieved("changer le mot de passe")
  const id = await add("sésame", "mot de passe")
  const own = await retrieved("changer le sésame")
  expect(own.ranked[0]?.passage.key).toBe(usual.ranked[0]?.passage.key as string)
  expect(own.signals.unknownShare).toBe(0)
  await remove(id)
})

test("a synonym counts once, however many words of its group a question or a passage holds", async () => {
  const id = await add("webhook", "livraison", "endpoint")
  const once = await retrieved("signature du webhook")
  const thrice = await retrieved("signature du webhook, de la livraison, de l’endpoint")
  expect(thrice.signals).toEqual(once.signals)
  expect(thrice.ranked[0]?.score).toBeCloseTo(once.ranked[0]?.score as number, 5)
  expect(once.signals.windowCoverage).toBeLessThanOrEqual(1)
  await remove(id)
})

test("the quotation is chosen by the synonym too", async () => {
  const usual = await site.ask({ question: "Comment vérifier la signature d’un webhook ?" })
  const id = await add("paraphe", "signature")
  const own = await site.ask({ question: "Comment vérifier le paraphe d’un webhook ?" })
  expect(own.body.status).toBe("answered")
  expect(own.body.answer).toBe(usual.body.answer)
  await remove(id)
})

test("a cached answer does not survive a change of the synonyms", async () => {
  const question = "Qu’est-ce que le paraphe du bordereau ?"
  const before = await site.ask({ question })
  expect(before.body.status).toBe("no_answer")
  const ids = [await add("paraphe", "signature"), await add("bordereau", "webhook")]
  const after = await site.ask({ question })
  expect(after.body.status).toBe("answered")
  for (const id of ids) await remove(id)
  expect((await site.ask({ question })).body.status).toBe("no_answer")
})

test("a group of hundreds of words of the same spelling costs no more than its bound", async () => {
  const groups = Array.from({ length: 200 }, (_, group) => ({
    words: Array.from({ length: 10 }, (_, word) => `commun mot${group}x${word}`),
  }))
  const synonyms = analyseSynonyms([...groups, { words: ["commun", "autre"] }], "fr", "1")
  const vocabulary = { language: "fr" as const, passages: 1000, frequency: () => 5 }
  const question = "commun ".repeat(140)
  const read = () => readQuestion({ question, previous: [] }, "fr", vocabulary, synonyms)
  expect(read().wordAlternatives).toHaveLength(1)
  expect(await timesPlainWork(read, 60)).toBeLessThan(60)
})
