/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { type Invitation, invite } from "../../accounts/invitation.ts"
import { changeRole, checkedRole, listPeople, type Person, removePerson } from "../../accounts/member.ts"
import { roles } from "../../accounts/operator.ts"
import { dateWriter } from "../kit/dates.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Choice, Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, ofForm, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { messages } from "../messages/settings.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { SettingsHead } from "./settings-head.tsx"

/** The people who sign in to the workspace, and who is invited to. */
export function operatorsPages(door: Door, { db, clock, config }: ConsoleParts) {
  const date = dateWriter(config.timezone)

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const people = await listPeople(db, visit.workspaceId, visit.nowMs)
    const invitation = ofForm(filled, "email")
    const done = doneOf(visit.query, {
      role: messages.roleSaved,
      out: messages.takenOut,
      back: messages.takenBack,
      joined: messages.joined,
    })
    return page(
      visit,
      { title: messages.operators, current: "settings", status, done },
      <>
        <SettingsHead current="operators" />
        {!visit.may("owner") && <p class="hint">{messages.ownersOnly}</p>}
        <Problem filled={filled} />
        <ul class="things">
          {people.map((person) => (
            <Item key={person.id} visit={visit} person={person} date={date} />
          ))}
        </ul>
        {visit.may("owner") && (
          <Form visit={visit} action="/console/settings/operators" once>
            <h2>{messages.invite}</h2>
            <p class="hint">{messages.inviteHint}</p>
            <Field filled={invitation} name="email" type="email" label={messages.email} />
            <Choice
              filled={invitation}
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

  const targetOf = ({ params, workspaceId, held }: Visit) => ({
    workspaceId,
    id: params["operator"] ?? "",
    held,
  })

  return new Elysia({ name: "console-operators", prefix: "/console/settings/operators" })
    .get(
      "",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "",
      door.action(
        "owner",
        async (sent) => {
          const { values, workspaceId, held } = sent
          const role = checkedRole(values.get("role") ?? "")
          const wanted = { workspaceId, email: values.get("email") ?? "", role, held }
          const { invitation, link } = await invite({ db, publicUrl: config.publicUrl }, wanted, clock.now())
          sent.about(invitation.id, invitation.email)
          return invited(sent, invitation, link)
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/:operator",
      door.action(
        "owner",
        async (sent) => {
          const role = checkedRole(sent.values.get("role") ?? "")
          const { id, email } = await changeRole(db, { ...targetOf(sent), role }, clock.now())
          sent.about(id, email)
          return seeOther("/console/settings/operators?done=role")
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/:operator/removal",
      door.action(
        "owner",
        async (sent) => {
          const { id, email, state } = await removePerson(db, targetOf(sent), clock.now())
          sent.about(id, email)
          return seeOther(`/console/settings/operators?done=${state === "active" ? "out" : "back"}`)
        },
        shown,
      ),
      { parse: "none" },
    )
}

function invited(visit: Visit, { email }: Invitation, link: string): Response {
  return shownOnce(visit, {
    heading: messages.invite,
    current: "settings",
    done: messages.invited(email),
    notice: messages.invitationOnce,
    label: messages.invitationLink,
    text: link,
    next: "/console/settings/operators",
  })
}

interface ItemProps {
  visit: Visit
  person: Person
  date(at: number): string
}

function Item({ visit, person, date }: ItemProps) {
  const { id, email, role, state, createdAt, expiresAt } = person
  const address = `/console/settings/operators/${id}`
  const isInvited = state === "invited"
  return (
    <li>
      <h2>{email}</h2>
      <p class="hint">
        {shellMessages.roles[role]},{" "}
        {isInvited ? messages.invitedUntil(date(expiresAt as number)) : messages.memberSince(date(createdAt))}
      </p>
      {visit.may("owner") && (
        <div class="actions">
          <Form visit={visit} action={address}>
            <span class="actions">
              <select name="role" aria-label={messages.roleOf(email)} class="short">
                {roles.map((each) => (
                  <option key={each} value={each} selected={each === role}>
                    {shellMessages.roles[each]}
                  </option>
                ))}
              </select>
              <button type="submit" class="quiet">
                {messages.changeRole}
              </button>
            </span>
          </Form>
          <Form
            visit={visit}
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
