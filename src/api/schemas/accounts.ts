import { Type } from "@sinclair/typebox"
import { oneOf, time } from "../../http/schemas.ts"

/** Bodies of replies about accounts, which nothing but `openapi.json` publishes. */

export const usageAnswer = Type.Object(
  {
    month: Type.String({ description: "`2026-11`, in the owner's time zone" }),
    questions: Type.Integer({
      description:
        "of this month: of all workspaces for a token of the first one, else those of its own that are kept, without greetings",
    }),
    quota: Type.Union([Type.Integer(), Type.Null()], {
      description: "monthly quota that all workspaces share; null for a token of another than the first one",
    }),
    workspace: Type.Object({
      questions: Type.Integer({ description: "of the workspace this month, as its quota counts them" }),
      share: Type.Integer({ description: "kept for the workspace, whatever the others ask" }),
      left: Type.Integer({ description: "questions that it can still ask, if the others ask none" }),
    }),
    projects: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        questions_today: Type.Integer(),
        per_day: Type.Integer(),
      }),
    ),
  },
  { $id: "Usage" },
)

export const auditEntryAnswer = Type.Object(
  {
    id: Type.String(),
    at: time,
    actor: Type.Object({
      kind: oneOf(["operator", "token", "service"]),
      id: Type.String(),
      name: Type.String(),
    }),
    action: Type.String(),
    subject: Type.Union([Type.String(), Type.Null()]),
    subject_name: Type.Union([Type.String(), Type.Null()]),
  },
  { $id: "JournalEntry" },
)
