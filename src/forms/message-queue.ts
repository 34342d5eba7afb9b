import type { Db } from "../db/connection.ts"
import type { Form } from "./definition/form.ts"
import type { ResponseData } from "./responses/form-response.ts"

/** The queue of messages that forms write to. Forms never import webhooks: `app.ts` hands the queue over. */
export interface MessageQueue {
  /** False when the message body would exceed the specification's 256 KB. */
  fits(data: ResponseData, nowMs: number): boolean
  /** Stores the message and its deliveries, in the transaction that stores the form response. */
  enqueue(transaction: Db, event: NewMessage): Promise<void>
  /**
   * Has the endpoints that choose among the messages of a form go by its new fields, in the transaction that stores
   * these. Resolves to the fields whose change would silently keep messages from an endpoint; unless there
   * are some, `store` has to be called.
   */
  followFields(
    transaction: Db,
    form: Pick<Form, "id" | "workspaceId" | "fields">,
    fields: Form["fields"],
  ): Promise<{ lost: { field: string; endpoint: string }[]; store(): Promise<void> }>
  /** Erases the payload of every message about these form responses, and cancels their pending deliveries. */
  forget(transaction: Db, responseIds: string[]): Promise<void>
  /**
   * Erases what the delivery log says of the attempts about these form responses, in steps. Called before `forget`,
   * which is then left with what came meanwhile: nothing else bounds how often a delivery was tried.
   */
  forgetAttempts(responseIds: string[]): Promise<void>
  /** Those of these form responses that are still to be sent somewhere. */
  pendingAmong(responseIds: readonly string[]): Promise<Set<string>>
  /** Wakes the dispatcher. To be called once the transaction that enqueued is committed. */
  wake(): void
  /** Makes the dispatcher re-read its claims. To be called once the transaction that forgot is committed. */
  invalidateClaims(): void
}

export interface NewMessage {
  workspaceId: string
  projectId: string
  formId: string
  responseId: string
  data: ResponseData
  now: number
}
