/** @jsxImportSource preact */

import type { Invitation } from "../../accounts/invitation.ts"
import { listPeople, type Person } from "../../accounts/member.ts"
import { changeOperator, inviteOperator, removeOperator } from "../../accounts/members/operations.ts"
import { roles } from "../../accounts/operator.ts"
import { More, pageOfList } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { formatTime } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { SettingsHead } from "./settings-head.tsx"
import { words } from "./words.fr.ts"

const shownPeople = 30

/** The operators of the workspace and the pending invitations. */
export function operatorsPages(pages: Pages, { db, config }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const people = await listPeople(db, context.workspaceId, context.nowMs)
    const { items, cursor } = pageOfList(people, context.query["cursor"], shownPeople)
    const flash = {
      role: words.roleSaved,
      out: words.takenOut,
      back: words.takenBack,
      joined: words.joined,
    }
    return page(
      context,
      { title: words.operators, current: "settings", flash },
      <>
        <SettingsHead current="operators" />
        {!context.may("owner") && <p class="hint">{words.ownersOnly}</p>}
        <Problem />
        <section aria-label={words.operators}>
          <ul class="rows people">
            {items.map((person) => (
              <Item
                key={person.id}
                person={person}
                date={(at) => formatTime(at, config.timezone, context.nowMs)}
              />
            ))}
          </ul>
          <More address="/console/settings/operators" cursor={cursor} />
        </section>
        {context.may("owner") && (
          <Form action="/console/settings/operators" only="email" singleSubmit send={words.inviteButton}>
            <h2>{words.inviteTo(context.session.workspace.name)}</h2>
            <p class="hint">{words.inviteHint}</p>
            <Field name="email" type="email" label={words.email} />
            <Field
              name="role"
              label={words.role}
              value="editor"
              choices={roles.map((role) => [role, words.roles[role]])}
            />
          </Form>
        )}
      </>,
    )
  }

  const address = "/console/settings/operators"
  pages
    .at(address)
    .page("", showPage)
    .performs("", inviteOperator, {
      show: showPage,
      input: (values) => ({ email: values.get("email") ?? "", role: values.get("role") }),
      leadsTo: ({ invitation, link }, context) => showInvitationLink(context, invitation, link),
    })
    .performs("/:operator", changeOperator, {
      show: showPage,
      input: (values) => ({ role: values.get("role") }),
      leadsTo: () => `${address}?done=role`,
    })
    .performs("/:operator/removal", removeOperator, {
      show: showPage,
      leadsTo: ({ state }) => `${address}?done=${state === "active" ? "out" : "back"}`,
    })
}

function showInvitationLink(context: PageContext, { email }: Invitation, link: string): Response {
  return shownOnce(context, {
    heading: words.invite,
    current: "settings",
    flash: words.invited(email),
    notice: words.invitationOnce,
    label: words.invitationLink,
    text: link,
    next: "/console/settings/operators",
  })
}

interface ItemProps {
  person: Person
  date(at: number): string
}

function Item({ person, date }: ItemProps) {
  const context = usePage()
  const { id, email, role, state, createdAt, expiresAt } = person
  const address = `/console/settings/operators/${id}`
  const isInvited = state === "invited"
  return (
    <li>
      <div class="person">
        <strong>{email}</strong>
        <span class={isInvited ? "hint" : "hint wide"}>
          {!context.may("owner") && `${commonWords.roles[role]}, `}
          {isInvited ? words.invitedUntil(date(expiresAt as number)) : words.memberSince(date(createdAt))}
        </span>
      </div>
      {context.may("owner") && (
        <div class="actions">
          <Form action={address} send={words.changeRole} look="quiet">
            <select name="role" aria-label={words.roleOf(email)}>
              {roles.map((each) => (
                <option key={each} value={each} selected={each === role}>
                  {commonWords.roles[each]}
                </option>
              ))}
            </select>
          </Form>
          <Form
            action={`${address}/removal`}
            confirm={isInvited ? words.takeBackConfirm : words.takeOutConfirm}
          >
            <button
              type="submit"
              class="quiet"
              aria-label={isInvited ? words.takeBackOf(email) : words.takeOutOf(email)}
            >
              {isInvited ? words.takeBack : words.takeOut}
            </button>
          </Form>
        </div>
      )}
    </li>
  )
}
