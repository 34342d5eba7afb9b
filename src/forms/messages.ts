import type { Db } from "../db/sqlite/connection.ts"
import type { ResponseData } from "./responses/form-response.ts"

/** What forms ask of webhooks, which they never import: `app.ts` hands it over. */
export interface Messages {
  /** False when the message body would exceed the specification's 256 KB. */
  fits(data: ResponseData, nowMs: number): boolean
  /** Stores the message and its deliveries; to be called in the transaction that stores the form response. */
  enqueue(transaction: Db, event: NewMessage): Promise<void>
  /** Erases the payloads of every message about these form responses, and cancels what is pending of them. */
  forget(transaction: Db, responseIds: string[]): Promise<void>
  /** To be called once the transaction that enqueued is committed. */
  wake(): void
  /** To be called once the transaction that forgot is committed. */
  reconsider(): void
}

export interface NewMessage {
  workspaceId: string
  projectId: string
  formId: string
  responseId: string
  data: ResponseData
  now: number
}
