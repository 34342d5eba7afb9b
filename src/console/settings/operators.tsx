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
import { messages } from "../messages/settings.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { SettingsHead } from "./settings-head.tsx"

const shownPeople = 30

/** The operators of the workspace and the pending invitations. */
export function operatorsPages(pages: Pages, { db, config }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const people = await listPeople(db, context.workspaceId, context.nowMs)
    const { items, cursor } = pageOfList(people, context.query["cursor"], shownPeople)
    const flash = {
      role: messages.roleSaved,
      out: messages.takenOut,
      back: messages.takenBack,
      joined: messages.joined,
    }
    return page(
      context,
      { title: messages.operators, current: "settings", flash },
      <>
        <SettingsHead current="operators" />
        {!context.may("owner") && <p class="hint">{messages.ownersOnly}</p>}
        <Problem />
        <section aria-label={messages.operators}>
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
          <Form action="/console/settings/operators" only="email" singleSubmit>
            <h2>{messages.inviteTo(context.session.workspace.name)}</h2>
            <p class="hint">{messages.inviteHint}</p>
            <Field name="email" type="email" label={messages.email} />
            <Field
              name="role"
              label={messages.role}
              value="editor"
              choices={roles.map((role) => [role, messages.roles[role]])}
            />
            <button type="submit">{messages.inviteButton}</button>
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
    heading: messages.invite,
    current: "settings",
    flash: messages.invited(email),
    notice: messages.invitationOnce,
    label: messages.invitationLink,
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
          {!context.may("owner") && `${shellMessages.roles[role]}, `}
          {isInvited
            ? messages.invitedUntil(date(expiresAt as number))
            : messages.memberSince(date(createdAt))}
        </span>
      </div>
      {context.may("owner") && (
        <div class="actions">
          <Form action={address}>
            <select name="role" aria-label={messages.roleOf(email)}>
              {roles.map((each) => (
                <option key={each} value={each} selected={each === role}>
                  {shellMessages.roles[each]}
                </option>
              ))}
            </select>
            <button type="submit" class="quiet">
              {messages.changeRole}
            </button>
          </Form>
          <Form
            action={`${address}/removal`}
            confirm={isInvited ? messages.takeBackConfirm : messages.takeOutConfirm}
          >
            <button
              type="submit"
              class="quiet"
              aria-label={isInvited ? messages.takeBackOf(email) : messages.takeOutOf(email)}
            >
              {isInvited ? messages.takeBack : messages.takeOut}
            </button>
          </Form>
        </div>
      )}
    </li>
  )
}
