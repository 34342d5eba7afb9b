import { Type } from "@sinclair/typebox"
import { told } from "../../http/record/rule.ts"
import { email, filledLine, orNull, time } from "../../http/record/schemas.ts"
import { maxNameLength } from "../workspace.ts"

/** A workspace, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

const workspaceName = told(filledLine({ maxLength: maxNameLength }), "accounts.workspaceName")

export const newWorkspace = Type.Object({ name: workspaceName }, { $id: "NewWorkspace" })
/** `owners`: ids of operators. `is_unfinished`: it is removed again unless it is said to be whole. */
export const ownedWorkspace = Type.Object({
  name: workspaceName,
  owners: Type.Array(Type.String()),
  is_unfinished: Type.Optional(Type.Boolean()),
})
export const workspaceChange = Type.Partial(
  Type.Object({ name: workspaceName, requires_second_factor: Type.Boolean() }),
  { $id: "NewWorkspaceChange" },
)

export const workspaceRecord = Type.Object(
  { id: Type.String(), name: Type.String(), created_at: time, requires_second_factor: Type.Boolean() },
  { $id: "Workspace" },
)

export const madeWorkspace = Type.Composite([workspaceRecord, Type.Object({ token: Type.String({}) })], {
  $id: "MadeWorkspace",
})

export const newMailTest = Type.Object({ to: email() }, { $id: "NewMailTest" })

export const usageRecord = Type.Object(
  {
    month: Type.String(),
    questions: Type.Integer(),
    quota: orNull(Type.Integer()),
    workspace: Type.Object({
      questions: Type.Integer(),
      share: Type.Integer(),
      left: Type.Integer(),
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
