import type { Db } from "../../db/connection.ts"
import { foldedQuestion } from "../ask/keep.ts"

const batchRows = 500

/** Gives the text that is searched to answers of a version before there was one. Nothing to do once all have it. */
export async function foldQuestions(db: Db): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom("answer")
      .select(["id", "question"])
      .where("folded", "is", null)
      .orderBy("id", "desc")
      .limit(batchRows)
      .execute()
    if (rows.length === 0) return
    await db.transaction().execute(async (transaction) => {
      for (const { id, question } of rows)
        await transaction
          .updateTable("answer")
          .set({ folded: foldedQuestion(question) })
          .where("id", "=", id)
          .execute()
    })
  }
}
