import { type Static, Type } from "@sinclair/typebox"
import { passwordLength } from "../../accounts/password.ts"
import { everyBounds, maxOrigins } from "../../accounts/project.ts"
import { maxNameLength } from "../../accounts/workspace.ts"
import { hourMs } from "../../base/clock.ts"
import {
  changeOf,
  email,
  filledLine,
  httpAddress,
  line,
  oneOf,
  text,
  time,
  timeOrNull,
  wholeOrNull,
} from "../../http/schemas.ts"
import { scopes } from "../../operations/scope.ts"

/** Request and response bodies of accounts: they check what is read, and `openapi.json` publishes them. */

const language = oneOf(["fr", "en"])
const answers = oneOf(["written", "extractive"], {
  description:
    "written by the service’s language model, where it has one; or extracted, and no model is told anything",
})

export const newProject = Type.Object(
  {
    name: filledLine({ maxLength: maxNameLength }),
    site: httpAddress({ query: false, description: "the site's address; its origin may always ask" }),
    origins: Type.Optional(
      Type.Array(httpAddress(), { maxItems: maxOrigins, description: "other declared addresses" }),
    ),
    language: Type.Optional(language),
    assistant_enabled: Type.Optional(Type.Boolean()),
    answers: Type.Optional(answers),
    per_minute: Type.Optional(wholeOrNull),
    per_visitor_day: Type.Optional(wholeOrNull),
    per_day: Type.Optional(wholeOrNull),
    every_hours: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: everyBounds.longestMs / hourMs }), Type.Null()]),
    ),
  },
  { $id: "NewProject" },
)
export const projectChange = changeOf(newProject)

export const projectAnswer = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z0-9]{8,64}$" }),
    name: Type.String(),
    site: Type.String(),
    origins: Type.Array(Type.String()),
    language,
    assistant_enabled: Type.Boolean(),
    answers,
    per_minute: wholeOrNull,
    per_visitor_day: wholeOrNull,
    per_day: wholeOrNull,
    every_hours: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    indexed_at: timeOrNull,
    created_at: time,
  },
  { $id: "Project" },
)
export type ProjectAnswer = Static<typeof projectAnswer>

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
