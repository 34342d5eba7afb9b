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
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

export const operatorShown = shown(operatorRecord)

/** `/api/v1/operators`: the operators of the token's workspace, and the people who are invited to it. */
export function operatorHandlers(deps: ApiDeps) {
  const { db, clock } = deps
  const { performs, shows, lists } = handlers(deps)

  return {
    list: lists(
      operatorShown,
      async ({ workspaceId }, { after }) => {
        const newest = (await listPeople(db, workspaceId, clock.now())).toSorted(newestFirst)
        return newest.filter((person) => after === undefined || personCursor(person) < after)
      },
      { keyOf: personCursor },
    ),
    invite: performs(inviteOperator, {
      status: 201,
      schema: invitedOperator,
      json: ({ invitation, link, mailed }) => ({
        ...operatorShown.json({ ...invitation, state: "invited", secondFactor: false }),
        link,
        mailed,
      }),
      refuses: [409],
    }),
    show: shows(operatorShown, ({ workspaceId, ids }) =>
      requirePerson(db, { workspaceId, id: idOf({ ids }, "operator") }, clock.now()),
    ),
    change: performs(changeOperator, { status: 200, ...operatorShown, refuses: [409] }),
    remove: performs(removeOperator, { refuses: [409] }),
    changePassword: performs(changeOwnPassword, { refuses: [429] }),
    addPasswordLink: performs(addPasswordLink, {
      status: 201,
      schema: passwordLink,
      json: ({ link }) => ({ link }),
    }),
    signOut: performs(signOutOperator),
  }
}

/** The cursor of a list by `createdAt`: ids sort by the account, which may be older than its membership. */
function personCursor({ createdAt, id }: Pick<Person, "createdAt" | "id">): string {
  return `${createdAt}.${id}`
}

function newestFirst(one: Person, other: Person): number {
  return personCursor(one) < personCursor(other) ? 1 : -1
}
