import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { listPeople, type Person, requirePerson } from "../accounts/member.ts"
import {
  changeOperator,
  changeOwnPassword,
  inviteOperator,
  type OperatorDeps,
  removeOperator,
  signOutOperator,
} from "../accounts/members/operations.ts"
import { invitedOperator, operatorRecord } from "../accounts/members/record.ts"
import { isoTime } from "../base/clock.ts"
import type { PageRequest } from "../db/search.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { area } from "./kit/area.ts"

/** `/api/v1/operators`: the operators of the token's workspace, and the people who are invited to it. */
export function operatorRoutes(deps: OperatorDeps) {
  const { db, clock } = deps
  const { bearer, operation, performs } = area(deps, "workspace")

  return new Elysia({ name: "operators", prefix: "/api/v1/operators" })
    .use(bearer)
    .get(
      "",
      async ({ query, workspaceId }) => {
        const newest = (await listPeople(db, workspaceId, clock.now())).toSorted(newestFirst)
        const read = async ({ after }: PageRequest) =>
          newest.filter((person) => after === undefined || cursorOf(person) < after)
        return listPage(query, read, toJson, cursorOf)
      },
      operation({
        query: pageQuery,
        answers: { 200: listOf(operatorRecord) },
      }),
    )
    .post(
      "",
      ...performs(inviteOperator, {
        status: 201,
        schema: invitedOperator,
        json: ({ invitation, link }) => ({ ...toJson({ ...invitation, state: "invited" }), link }),
        refuses: [409],
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) =>
        toJson(await requirePerson(db, { workspaceId, id: params.id }, clock.now())),
      operation({ answers: { 200: operatorRecord } }),
    )
    .patch(
      "/:id",
      ...performs(changeOperator, { status: 200, schema: operatorRecord, json: toJson, refuses: [409] }),
    )
    .delete("/:id", ...performs(removeOperator, { refuses: [409] }))
    .put("/:id/password", ...performs(changeOwnPassword, { refuses: [429] }))
    .delete("/:id/sessions", ...performs(signOutOperator))
}

/** The cursor of a list by `createdAt`: ids sort by the account, which may be older than its membership. */
function cursorOf({ createdAt, id }: Pick<Person, "createdAt" | "id">): string {
  return `${createdAt}.${id}`
}

function newestFirst(one: Person, other: Person): number {
  return cursorOf(one) < cursorOf(other) ? 1 : -1
}

function toJson({ id, email, role, state, createdAt, expiresAt }: Person): Static<typeof operatorRecord> {
  return {
    id,
    email,
    role,
    state,
    created_at: isoTime(createdAt),
    expires_at: expiresAt === null ? null : isoTime(expiresAt),
  }
}
