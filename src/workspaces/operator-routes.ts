import { Elysia } from "elysia"
import { type Clock, isoTime } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import type { Role } from "../db/tables/operators.ts"
import { Refusal } from "../errors.ts"
import { bearer } from "../http/bearer.ts"
import { clientReader } from "../http/client.ts"
import { bodyOf } from "../http/fields.ts"
import { listed, pageOf } from "../http/list.ts"
import { operation, pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import type { Vault } from "../vault.ts"
import { changeRole, findMember, inviteMember, removeMember } from "./member.ts"
import { listMembers, type Member, mayAct } from "./operator.ts"
import { changeOwnPassword } from "./own-password.ts"
import {
  madeOperator,
  newOperator,
  type OperatorAnswer,
  operatorAnswer,
  operatorChange,
  ownPassword,
} from "./schemas.ts"
import { covers, scopesOf } from "./scope.ts"
import { sentences } from "./sentences.ts"
import { closeSessionsIn } from "./session.ts"
import type { Token } from "./token.ts"

const maxBodyBytes = 4 * 1024

interface Parts {
  db: Db
  clock: Clock
  vault: Vault
  config: { trustedProxies: readonly string[] }
}

/** `/api/v1/operators`: the people who sign in to the token's workspace. */
export function operatorRoutes({ db, clock, vault, config }: Parts) {
  const clientOf = clientReader(config.trustedProxies)

  async function found(id: string, workspaceId: string): Promise<Member> {
    const member = await findMember(db, workspaceId, id)
    if (!member) throw new Refusal("not_found", sentences.unknownOperator)
    return member
  }

  /** Whoever holds a token could otherwise make an owner, sign in as that one, and do what the token may not. */
  function requireRights({ scopes }: Token, role: Role): void {
    if (covers(scopes, scopesOf(role))) return
    throw new Refusal("forbidden", sentences.roleBeyond, { fields: { role: sentences.roleBeyond } })
  }

  return new Elysia({ name: "operators", prefix: "/api/v1/operators" })
    .use(bearer({ db, clock }, "workspace"))
    .get(
      "",
      async ({ query, workspaceId }) => {
        const page = pageOf(query)
        const newest = (await listMembers(db, workspaceId)).toReversed()
        const rows = newest.filter((member) => page.after === undefined || placeOf(member) < page.after)
        return listed(rows, page, placeOf, described)
      },
      operation({
        summary: "Lists the operators of the workspace",
        query: pageQuery,
        answers: { 200: listOf(operatorAnswer) },
      }),
    )
    .post(
      "",
      async ({ request, workspaceId, token, set }) => {
        const { email, role } = await bodyOf(request, maxBodyBytes, newOperator)
        requireRights(token, role)
        const { member, password } = await inviteMember(db, { workspaceId, email, role }, clock.now())
        set.status = 201
        return { ...described(member), password }
      },
      operation({
        summary: "Makes an operator a member; a new one's first password is shown this once",
        body: newOperator,
        answers: { 201: madeOperator },
        journal: "operator.added",
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => described(await found(params.id, workspaceId)),
      operation({ summary: "Shows an operator", answers: { 200: operatorAnswer } }),
    )
    .patch(
      "/:id",
      async ({ request, params, workspaceId, token }) => {
        // Read first: whoever sends it slowly would be judged by the role of before.
        const { role } = await bodyOf(request, maxBodyBytes, operatorChange)
        const member = await found(params.id, workspaceId)
        if (role === undefined) return described(member)
        if (!mayAct(member.role, role)) requireRights(token, role)
        return described(await changeRole(db, { workspaceId, operatorId: member.id, role }))
      },
      operation({
        summary: "Changes the role of an operator",
        body: operatorChange,
        answers: { 200: operatorAnswer },
        journal: "operator.changed",
      }),
    )
    .delete(
      "/:id",
      async ({ params, workspaceId, set }) => {
        await removeMember(db, workspaceId, params.id)
        set.status = 204
      },
      operation({
        summary: "Takes an operator out of the workspace",
        answers: { 204: null },
        journal: "operator.removed",
      }),
    )
    .put(
      "/:id/password",
      async ({ request, params, workspaceId, set }) => {
        const member = await found(params.id, workspaceId)
        const { present_password: present, password } = await bodyOf(request, maxBodyBytes, ownPassword)
        const change = { present, password, address: clientOf(request) }
        await changeOwnPassword({ db, vault }, member, change, clock.now())
        set.status = 204
      },
      // An account may belong to other workspaces, too: a token alone must not take it over.
      operation({
        summary: "Changes an operator's password for whoever knows the present one, and signs out everywhere",
        body: ownPassword,
        answers: { 204: null },
        journal: "password.changed",
      }),
    )
    .delete(
      "/:id/sessions",
      async ({ params, workspaceId, set }) => {
        await closeSessionsIn(db, (await found(params.id, workspaceId)).id, workspaceId)
        set.status = 204
      },
      operation({
        summary: "Signs an operator out of the workspace, in every browser",
        answers: { 204: null },
        journal: "operator.signed_out",
      }),
    )
}

/** An account may be older than its membership, and ids sort by the account. */
function placeOf({ createdAt, id }: Member): string {
  return `${createdAt}.${id}`
}

function described({ id, email, role, createdAt }: Member): OperatorAnswer {
  return { id, email, role, created_at: isoTime(createdAt) }
}
