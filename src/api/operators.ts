import { Elysia } from "elysia"
import type { AccountDeps } from "../accounts/deps.ts"
import { listPeople, type Person, requirePerson } from "../accounts/member.ts"
import {
  addPasswordLink,
  changeOperator,
  changeOwnPassword,
  inviteOperator,
  removeOperator,
  signOutOperator,
} from "../accounts/members/operations.ts"
import { invitedOperator, operatorRecord, passwordLink } from "../accounts/members/record.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { area } from "./kit/area.ts"

export const operatorShown = shown(operatorRecord)

/** `/api/v1/operators`: the operators of the token's workspace, and the people who are invited to it. */
export function operatorRoutes(deps: AccountDeps) {
  const { db, clock } = deps
  const { bearer, performs, shows, lists } = area(deps, "workspace")

  return new Elysia({ name: "operators", prefix: "/api/v1/operators" })
    .use(bearer)
    .get(
      "",
      ...lists(
        operatorShown,
        async ({ workspaceId }, { after }) => {
          const newest = (await listPeople(db, workspaceId, clock.now())).toSorted(newestFirst)
          return newest.filter((person) => after === undefined || personCursor(person) < after)
        },
        { keyOf: personCursor },
      ),
    )
    .post(
      "",
      ...performs(inviteOperator, {
        status: 201,
        schema: invitedOperator,
        json: ({ invitation, link, mailed }) => ({
          ...operatorShown.json({ ...invitation, state: "invited", secondFactor: false }),
          link,
          mailed,
        }),
        refuses: [409],
      }),
    )
    .get(
      "/:id",
      ...shows(operatorShown, ({ workspaceId, ids }) =>
        requirePerson(db, { workspaceId, id: idOf({ ids }, "operator") }, clock.now()),
      ),
    )
    .patch("/:id", ...performs(changeOperator, { status: 200, ...operatorShown, refuses: [409] }))
    .delete("/:id", ...performs(removeOperator, { refuses: [409] }))
    .put("/:id/password", ...performs(changeOwnPassword, { refuses: [429] }))
    .post(
      "/:id/password-links",
      ...performs(addPasswordLink, { status: 201, schema: passwordLink, json: ({ link }) => ({ link }) }),
    )
    .delete("/:id/sessions", ...performs(signOutOperator))
}

/** The cursor of a list by `createdAt`: ids sort by the account, which may be older than its membership. */
function personCursor({ createdAt, id }: Pick<Person, "createdAt" | "id">): string {
  return `${createdAt}.${id}`
}

function newestFirst(one: Person, other: Person): number {
  return personCursor(one) < personCursor(other) ? 1 : -1
}
