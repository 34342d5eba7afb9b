import { type Static, type TObject, Type } from "@sinclair/typebox"
import { time } from "../../../http/record/schemas.ts"
import type { askedEvents } from "../../endpoints/event-types.ts"
import { causeOrNull } from "../../endpoints/record.ts"

/** Questions of one digest; the console shows the others. */
export const maxQuestions = 50

const project = { project_id: Type.String(), project_name: Type.String() }

/** The `data` of the messages that an endpoint gets only if its owner asks for them, as `openapi.json` tells it. */
export const eventData = {
  "endpoint.failing": Type.Object(
    {
      endpoint_id: Type.String(),
      url: Type.String(),
      description: Type.String(),
      since: time,
      last_at: time,
      answer: Type.String(),
      cause: causeOrNull,
    },
    { $id: "EndpointFailing" },
  ),
  "project.index_failed": Type.Object(
    { ...project, failed_at: time, message: Type.String(), reason: Type.String() },
    { $id: "ProjectIndexFailed" },
  ),
  "questions.unanswered": Type.Object(
    {
      ...project,
      day: Type.String({ format: "date" }),
      questions: Type.Array(Type.Object({ id: Type.String(), question: Type.String(), asked_at: time }), {
        maxItems: maxQuestions,
      }),
      more: Type.Boolean(),
    },
    { $id: "QuestionsUnanswered" },
  ),
} satisfies Record<(typeof askedEvents)[number], TObject>

export type AskedEvent = keyof typeof eventData
export type EventData<Type extends AskedEvent> = Static<(typeof eventData)[Type]>
