import { type Static, Type } from "@sinclair/typebox"
import { passwordLength } from "../../accounts/password.ts"
import { maxNameLength } from "../../accounts/workspace.ts"
import { changeOf, email, filledLine, line, oneOf, text, time, timeOrNull } from "../../http/schemas.ts"
import { scopes } from "../../operations/scope.ts"

/** Request and response bodies of accounts: they check what is read, and `openapi.json` publishes them. */

const tokenName = line({ maxLength: maxNameLength })

export const newToken = Type.Object(
  {
    name: Type.Optional(tokenName),
    scopes: Type.Optional(
      Type.Array(oneOf(scopes), {
        minItems: 1,
        description: "`all` when absent; to write an area is to read it, too",
      }),
    ),
  },
  { $id: "NewToken", additionalProperties: false },
)
export const tokenChange = Type.Object({ name: Type.Optional(tokenName) }, { $id: "TokenChange" })

export const tokenAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(oneOf(scopes)),
    created_at: time,
    last_used_at: timeOrNull,
  },
  { $id: "Token" },
)
export type TokenAnswer = Static<typeof tokenAnswer>

export const madeToken = Type.Composite(
  [tokenAnswer, Type.Object({ token: Type.String({ description: "shown this once" }) })],
  { $id: "MadeToken" },
)

const workspaceName = filledLine({ maxLength: maxNameLength })

export const newWorkspace = Type.Object({ name: workspaceName }, { $id: "NewWorkspace" })
export const workspaceChange = changeOf(newWorkspace)

export const workspaceAnswer = Type.Object(
  { id: Type.String(), name: Type.String(), created_at: time },
  { $id: "Workspace" },
)
export type WorkspaceAnswer = Static<typeof workspaceAnswer>

export const madeWorkspace = Type.Composite(
  [
    workspaceAnswer,
    Type.Object({ token: Type.String({ description: "opens the new workspace; shown this once" }) }),
  ],
  { $id: "MadeWorkspace" },
)

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

const role = oneOf(["viewer", "editor", "owner"])

export const newOperator = Type.Object(
  { email: email(), role },
  { $id: "NewOperator", additionalProperties: false },
)
export const operatorChange = Type.Object({ role: Type.Optional(role) }, { $id: "OperatorChange" })

export const ownPassword = Type.Object(
  {
    present_password: text({
      minLength: 1,
      maxLength: passwordLength.max,
      description: "what the operator signs in with now",
    }),
    password: text({
      minLength: passwordLength.min,
      maxLength: passwordLength.max,
      description: "a letter and its accent count as one",
    }),
  },
  { $id: "OwnPassword" },
)

export const operatorAnswer = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role,
    state: oneOf(["active", "invited"], {
      description:
        "invited: has not accepted yet; the id is the invitation’s, and another one once it is accepted",
    }),
    created_at: time,
    expires_at: Type.Union([time, Type.Null()], { description: "when an invitation ends" }),
  },
  { $id: "Operator" },
)
export type OperatorAnswer = Static<typeof operatorAnswer>

export const invitedOperator = Type.Composite(
  [
    operatorAnswer,
    Type.Object({
      link: Type.String({ description: "to be handed to the person; shown this once, good once for 7 days" }),
    }),
  ],
  { $id: "InvitedOperator" },
)
