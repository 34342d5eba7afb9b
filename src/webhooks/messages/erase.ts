import type { ExpressionBuilder, SelectQueryBuilder } from "kysely"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { bytesOf } from "../../db/delete-in-steps.ts"
import type { Schema } from "../../db/schema.ts"
import { inSteps } from "../../db/steps.ts"
import { cancel, lockDeliveries } from "../endpoints/cancel.ts"

/**
 * Erases what endpoints answered to the messages about these form responses, in steps: an answer may repeat a
 * payload. A delivery may have been tried any number of times.
 */
export async function eraseAttempts(db: Db, responseIds: readonly string[]): Promise<void> {
  await inSteps(
    db,
    (transaction, atMost) =>
      transaction
        .selectFrom("message")
        .innerJoin("delivery", "delivery.message_id", "message.id")
        .innerJoin("attempt", "attempt.delivery_number", "delivery.number")
        .select(["delivery_number as delivery", "attempt.number"])
        .select(bytesOf("response_excerpt", "response_headers").as("bytes"))
        .where("response_id", "in", responseIds)
        .where(hasAnswer)
        .limit(atMost)
        .execute(),
    async (transaction, attempts) => {
      await transaction
        .updateTable("attempt")
        .set(noAnswer)
        .where(({ and, eb, or }) =>
          or(
            attempts.map(({ delivery, number }) =>
              and([eb("delivery_number", "=", delivery), eb("number", "=", number)]),
            ),
          ),
        )
        .execute()
    },
  )
}

const noAnswer = { response_excerpt: null, response_headers: null }

function hasAnswer({ or, eb }: ExpressionBuilder<Schema, "attempt">) {
  return or([eb("response_excerpt", "is not", null), eb("response_headers", "is not", null)])
}

/**
 * Erases the payloads about these form responses, in the transaction that erases the responses, with what the
 * log names of them. The endpoints' answers may repeat a payload, so their excerpts and headers are erased too.
 * The deliveries stay in the log; pending ones are cancelled. A few responses at a time, after `eraseAttempts`.
 */
export async function erasePayloads(transaction: Db, responseIds: readonly string[], nowMs: number) {
  const messages = transaction.selectFrom("message").select("id").where("response_id", "in", responseIds)
  await eraseMessages(transaction, messages, nowMs)
}

/** Does the same for the questions of visitors that were announced before a time: they are kept no longer elsewhere. */
export async function eraseQuestions(db: Db, beforeMs: number, nowMs: number): Promise<void> {
  await inSteps(
    db,
    (transaction, atMost) =>
      transaction
        .selectFrom("message")
        .select(["id", bytesOf("payload").as("bytes")])
        .where("project_id", "is not", null)
        .where("type", "=", "questions.unanswered")
        .where("created_at", "<", beforeMs)
        .where("payload", "is not", null)
        .limit(atMost)
        .execute(),
    async (transaction, messages) => {
      const ids = idsOf(messages)
      await eraseMessages(
        transaction,
        transaction.selectFrom("message").select("id").where("id", "in", ids),
        nowMs,
      )
    },
  )
}

async function eraseMessages(transaction: Db, messages: Messages, nowMs: number): Promise<void> {
  const deliveries = await transaction
    .selectFrom("delivery")
    .select("number")
    .where("message_id", "in", messages)
    .execute()
  const numbers = deliveries.map(({ number }) => number)
  // First, so that an attempt whose result is being stored is waited for, and its excerpt seen.
  await lockDeliveries(transaction, numbers)
  await transaction
    .updateTable("message")
    .set({ payload: null, person: null, search_text: null })
    .where("id", "in", messages)
    .execute()
  await transaction.deleteFrom("test_request").where("message_id", "in", messages).execute()
  await cancel(transaction, numbers, nowMs)
  await transaction
    .updateTable("attempt")
    .set(noAnswer)
    .where("delivery_number", "in", numbers)
    .where(hasAnswer)
    .execute()
}

type Messages = SelectQueryBuilder<Schema, "message", { id: string }>
