import { Type } from "@sinclair/typebox"
import { oneOf, textOrNull } from "../http/schemas.ts"

/**
 * Bodies and answers of the assistant's routes, as `openapi.json` tells them. The ask request is read by `parseAskRequest`,
 * whose order of rules and sentences the specification's tables decide.
 */

/** Specification, part 2 A1. */
export const askRequest = Type.Object(
  {
    project: Type.String({ pattern: "^[a-z0-9]{8,64}$" }),
    question: Type.String({ description: "2 to 1000 characters, white space around it not counted" }),
    page: Type.Optional(Type.String({ pattern: "^/", maxLength: 512 })),
    previous: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  },
  { $id: "AskRequest" },
)

const source = Type.Object({
  n: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  section: textOrNull,
  url: Type.String({ format: "uri" }),
})

/** Specification, part 2 A2. */
export const askReply = Type.Object(
  {
    id: Type.String(),
    status: oneOf(["answered", "no_answer"]),
    answer: Type.String({ description: "Markdown; `[^n]` refers to the source whose `n` is that number" }),
    sources: Type.Array(source),
  },
  { $id: "AskReply" },
)

export const feedback = Type.Object({ useful: Type.Boolean() }, { $id: "Feedback" })
