import type { Clock } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { followFields } from "../endpoints/conditions.ts"
import { openEnqueue } from "./enqueue.ts"
import { eraseAttempts, erasePayloads } from "./erase.ts"
import { fits } from "./message.ts"
import { pendingResponses } from "./of-responses.ts"

/** The dispatcher, which delivers what stands in the queue, as far as the queue tells it anything. */
interface Woken {
  wake(): void
  invalidateClaims(): void
}

/** Handed to forms by `app.ts`; `forms/message-queue.ts` says what each part does. */
export function openMessageQueue(db: Db, clock: Clock, dispatcher: () => Woken | undefined) {
  return {
    fits,
    enqueue: openEnqueue(db),
    followFields,
    forget: (transaction: Db, responseIds: readonly string[]) =>
      erasePayloads(transaction, responseIds, clock.now()),
    pendingAmong: (responseIds: readonly string[]) => pendingResponses(db, responseIds),
    forgetAttempts: (responseIds: readonly string[]) => eraseAttempts(db, responseIds),
    wake: () => dispatcher()?.wake(),
    invalidateClaims: () => dispatcher()?.invalidateClaims(),
  }
}
