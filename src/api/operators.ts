import { Elysia } from "elysia"
import { invite } from "../accounts/invitation.ts"
import {
  changeRole,
  listPeople,
  type Person,
  removePerson,
  requireMember,
  requirePerson,
  signOutMember,
} from "../accounts/member.ts"
import { changeOwnPassword } from "../accounts/own-password.ts"
import { type Clock, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import type { Part } from "../db/search.ts"
import type { Vault } from "../db/vault.ts"
import { clientReader } from "../http/client.ts"
import { bodyOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"
import {
  invitedOperator,
  newOperator,
  type OperatorAnswer,
  operatorAnswer,
  operatorChange,
  ownPassword,
} from "./schemas/accounts.ts"

const maxBodyBytes = 4 * 1024

interface OperatorDeps {
  db: Db
  clock: Clock
  vault: Vault
  config: { publicUrl: string; trustedProxies: readonly string[] }
}

/** `/api/v1/operators`: the operators of the token's workspace, and the people who are invited to it. */
export function operatorRoutes({ db, clock, vault, config }: OperatorDeps) {
  const clientOf = clientReader(config.trustedProxies)
  const { bearer, operation } = area({ db, clock }, "workspace")

  return new Elysia({ name: "operators", prefix: "/api/v1/operators" })
    .use(bearer)
    .get(
      "",
      async ({ query, workspaceId }) => {
        const newest = (await listPeople(db, workspaceId, clock.now())).toSorted(newestFirst)
        const read = async ({ after }: Part) =>
          newest.filter((person) => after === undefined || cursorOf(person) < after)
        return listPage(query, read, toJson, cursorOf)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(operatorAnswer) },
      }),
    )
    .post(
      "",
      async ({ request, workspaceId, token, set }) => {
        const { email, role } = await bodyOf(request, maxBodyBytes, newOperator)
        const wanted = { workspaceId, email, role, held: token.scopes }
        const { invitation, link } = await invite({ db, publicUrl: config.publicUrl }, wanted, clock.now())
        set.status = 201
        return { ...toJson({ ...invitation, state: "invited" }), link }
      },
      operation({
        body: newOperator,
        answers: { 201: invitedOperator },
        refuses: [409],
        audit: "operator.invited",
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) =>
        toJson(await requirePerson(db, { workspaceId, id: params.id }, clock.now())),
      operation({ answers: { 200: operatorAnswer } }),
    )
    .patch(
      "/:id",
      async ({ request, params, workspaceId, token }) => {
        // The body is read before the rights are checked: a sender that has lost its role meanwhile must not
        // be judged by it.
        const { role } = await bodyOf(request, maxBodyBytes, operatorChange)
        const target = { workspaceId, id: params.id, held: token.scopes }
        if (role === undefined) return toJson(await requirePerson(db, target, clock.now()))
        return toJson(await changeRole(db, { ...target, role }, clock.now()))
      },
      operation({
        body: operatorChange,
        answers: { 200: operatorAnswer },
        refuses: [409],
        audit: "operator.changed",
      }),
    )
    .delete(
      "/:id",
      async ({ params, workspaceId, token, set }) => {
        await removePerson(db, { workspaceId, id: params.id, held: token.scopes }, clock.now())
        set.status = 204
      },
      operation({
        answers: { 204: null },
        refuses: [409],
        audit: "operator.removed",
      }),
    )
    .put(
      "/:id/password",
      async ({ request, params, workspaceId, token, set }) => {
        const { present_password: present, password } = await bodyOf(request, maxBodyBytes, ownPassword)
        const target = { workspaceId, id: params.id, held: token.scopes }
        const member = await requireMember(db, target, clock.now())
        const change = { present, password, address: clientOf(request) }
        await changeOwnPassword({ db, vault }, member, change, clock.now())
        set.status = 204
      },
      // An account may belong to other workspaces too: a token alone must not be able to take it over.
      operation({
        body: ownPassword,
        answers: { 204: null },
        refuses: [429],
        audit: "password.changed",
      }),
    )
    .delete(
      "/:id/sessions",
      async ({ params, workspaceId, token, set }) => {
        await signOutMember(db, { workspaceId, id: params.id, held: token.scopes }, clock.now())
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "operator.signed_out",
      }),
    )
}

/** The cursor of a list by `createdAt`: ids sort by the account, which may be older than its membership. */
function cursorOf({ createdAt, id }: Pick<Person, "createdAt" | "id">): string {
  return `${createdAt}.${id}`
}

function newestFirst(one: Person, other: Person): number {
  return cursorOf(one) < cursorOf(other) ? 1 : -1
}

function toJson({ id, email, role, state, createdAt, expiresAt }: Person): OperatorAnswer {
  return {
    id,
    email,
    role,
    state,
    created_at: isoTime(createdAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt),
  }
}
