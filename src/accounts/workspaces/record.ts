import { Type } from "@sinclair/typebox"
import { changeOf, email, filledLine, time } from "../../http/schemas.ts"
import { maxNameLength } from "../workspace.ts"

/** A workspace, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

const workspaceName = filledLine({ maxLength: maxNameLength })

export const newWorkspace = Type.Object({ name: workspaceName }, { $id: "NewWorkspace" })
export const workspaceChange = changeOf(newWorkspace)

export const workspaceRecord = Type.Object(
  { id: Type.String(), name: Type.String(), created_at: time },
  { $id: "Workspace" },
)

export const madeWorkspace = Type.Composite(
  [
    workspaceRecord,
    Type.Object({ token: Type.String({ description: "opens the new workspace; shown this once" }) }),
  ],
  { $id: "MadeWorkspace" },
)

export const newMailTest = Type.Object({ to: email() }, { $id: "NewMailTest" })
