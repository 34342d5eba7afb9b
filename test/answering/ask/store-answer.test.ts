import { expect, test } from "bun:test"
import { maxAnswerCharacters } from "../../../src/answering/ask/citations.ts"
import { loadConversation } from "../../../src/answering/ask/earlier-answers.ts"
import { purgeAnswers } from "../../../src/answering/ask/store-answer.ts"
import { dayMs } from "../../../src/base/clock.ts"
import { findAskedQuestion, listAskedQuestions } from "../../../src/owners/gaps/asked-questions.ts"
import { aService } from "../../support/service-builder.ts"

test("answers are kept for the configured days, then purged", async () => {
  await using site = await aService().withIndexedProject().started()
  const { db } = site.service.app
  const { body: old } = await site.ask()
  site.clock.move(10 * dayMs - 1)
  expect(await purgeAnswers(db, 10, site.clock.now())).toBe(0)
  const { body: recent } = await site.ask()
  site.clock.move(1)
  expect(await purgeAnswers(db, 10, site.clock.now())).toBe(1)
  const kept = await db.selectFrom("answer").select("id").execute()
  expect(kept).toEqual([{ id: recent.id }])
  expect(old.id).not.toBe(recent.id)
})

test("more answers than one batch are purged", async () => {
  await using site = await aService().withIndexedProject().started()
  const { db } = site.service.app
  const { body } = await site.ask()
  const row = await db.selectFrom("answer").selectAll().where("id", "=", body.id).executeTakeFirstOrThrow()
  await db.transaction().execute(async (transaction) => {
    for (let number = 0; number < 1203; number++)
      await transaction
        .insertInto("answer")
        .values({ ...row, id: `ans_${number}` })
        .execute()
  })
  expect(await purgeAnswers(db, 1, site.clock.now() + dayMs)).toBe(1204)
  expect(await db.selectFrom("answer").select("id").execute()).toEqual([])
})

test("an answer of megabytes, stored before answers had a bound, is truncated when read", async () => {
  await using site = await aService().withIndexedProject().started()
  const { db, clock } = site.service.app
  const { body } = await site.ask()
  await db
    .updateTable("answer")
    .set({ answer: "zorglub ".repeat(400_000) })
    .execute()
  const [turn] = await loadConversation(db, site.project.id, [body.id], clock.now())
  expect(turn?.answer.length).toBeWithin(1, maxAnswerCharacters)
  const part = { after: undefined, atMost: 10 }
  const { asked } = await listAskedQuestions(db, site.project.id, { sinceMs: 0 }, part)
  expect(asked[0]?.answer).toHaveLength(maxAnswerCharacters)
  expect((await findAskedQuestion(db, site.project.id, body.id))?.answer).toHaveLength(maxAnswerCharacters)
})
