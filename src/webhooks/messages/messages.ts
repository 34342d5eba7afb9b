import type { Clock } from "../../base/clock.ts"
import type { Db } from "../../db/sqlite/connection.ts"
import type { Dispatcher } from "../delivery/dispatcher.ts"
import { erasePayloads } from "./erase.ts"
import { enqueuer, fits } from "./message.ts"

/** What forms ask of this part; they get it from `app.ts`, and say there what each does. */
export function openMessages(db: Db, clock: Clock, dispatcher: () => Dispatcher | undefined) {
  return {
    fits,
    enqueue: enqueuer(db),
    forget: (transaction: Db, responseIds: readonly string[]) =>
      erasePayloads(transaction, responseIds, clock.now()),
    wake: () => dispatcher()?.wake(),
    reconsider: () => dispatcher()?.invalidateClaims(),
  }
}
