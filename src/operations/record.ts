import { Type } from "@sinclair/typebox"
import { oneOf, textOrNull, time } from "../http/record/schemas.ts"

export const auditEntryRecord = Type.Object(
  {
    id: Type.String(),
    at: time,
    actor: Type.Object({
      kind: oneOf(["operator", "token", "service"]),
      id: Type.String(),
      name: Type.String(),
    }),
    action: Type.String(),
    subject: textOrNull,
    subject_name: textOrNull,
    project: textOrNull,
  },
  { $id: "JournalEntry" },
)
