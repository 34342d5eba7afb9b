import { foldedQuestion } from "../../answering/ask/store-answer.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import { inSteps } from "../../db/steps.ts"
import { changeRows } from "../../db/store.ts"

/** Gives the text that is searched to answers of a version before there was one. Nothing to do once all have it. */
export async function foldQuestions(db: Db): Promise<void> {
  await inSteps(
    db,
    (transaction, atMost) =>
      transaction
        .selectFrom("answer")
        .select(["id", "question"])
        .select(bytesOf("question", "answer", "sources", "related").as("bytes"))
        .where("folded", "is", null)
        .orderBy("id", "desc")
        .limit(atMost)
        .execute(),
    async (transaction, rows) => {
      for (const { id, question } of rows)
        await changeRows(transaction, "answer", { id }, { folded: foldedQuestion(question) })
    },
  )
}
