import { Type } from "@sinclair/typebox"
import { testAnswers } from "../../db/tables/webhooks.ts"
import { oneOf, time } from "../../http/record/schemas.ts"

/** A request that the receiver within Guichet took, as replies show it. */
export const receivedRequest = Type.Object(
  {
    id: Type.String(),
    message_id: Type.String(),
    at: time,
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    body: Type.String(),
    signature: oneOf(["right", "wrong", "late"]),
    answer: oneOf(testAnswers),
  },
  { $id: "TestRequest" },
)

export const receivedRequests = Type.Object({ items: Type.Array(receivedRequest) }, { $id: "TestRequests" })
