/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { changeRole, inviteMember, removeMember } from "../workspaces/member.ts"
import { listMembers, type Member, roles } from "../workspaces/operator.ts"
import { dateWriter } from "./dates.ts"
import { doneOf } from "./done.ts"
import type { ConsoleParts, Door, Visit } from "./door.ts"
import { Choice, Field, Form, Problem } from "./fields.tsx"
import { type Filled, ofForm, untouched } from "./form.ts"
import { seeOther } from "./reply.ts"
import { sentences } from "./sentences/settings.ts"
import { sentences as shell } from "./sentences/shell.ts"
import { SettingsHead } from "./settings-head.tsx"
import { page } from "./shell.tsx"
import { shownOnce } from "./shown-once.tsx"

/** The people who sign in to the workspace. */
export function operatorsPages(door: Door, { db, clock, config }: ConsoleParts) {
  const date = dateWriter(config.timezone)

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const members = await listMembers(db, visit.workspaceId)
    const invitation = ofForm(filled, "email")
    const done = doneOf(visit.query, {
      role: sentences.roleSaved,
      out: sentences.takenOut,
      joined: sentences.hadAccount,
    })
    return page(
      visit,
      { title: sentences.operators, current: "settings", status, done },
      <>
        <SettingsHead current="operators" />
        {!visit.may("owner") && <p class="hint">{sentences.ownersOnly}</p>}
        <Problem filled={filled} />
        <ul class="things">
          {members.map((member) => (
            <Item key={member.id} visit={visit} member={member} since={date(member.createdAt)} />
          ))}
        </ul>
        {visit.may("owner") && (
          <Form visit={visit} action="/console/settings/operators">
            <h2>{sentences.invite}</h2>
            <Field filled={invitation} name="email" type="email" label={sentences.email} />
            <Choice
              filled={invitation}
              name="role"
              label={sentences.role}
              value="editor"
              choices={roles.map((role) => [role, sentences.roles[role]])}
            />
            <button type="submit">{sentences.inviteButton}</button>
          </Form>
        )}
      </>,
    )
  }

  const operatorIn = ({ params, workspaceId }: Visit) => ({
    workspaceId,
    operatorId: params["operator"] ?? "",
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
          const { values, workspaceId } = sent
          const wanted = { workspaceId, email: values.get("email") ?? "", role: values.get("role") ?? "" }
          const { member, password } = await inviteMember(db, wanted, clock.now())
          sent.about(member.id, member.email)
          return invited(sent, member, password)
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
          const { id, email } = await changeRole(db, {
            ...operatorIn(sent),
            role: sent.values.get("role") ?? "",
          })
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
          const { workspaceId, operatorId } = operatorIn(sent)
          const { id, email } = await removeMember(db, workspaceId, operatorId)
          sent.about(id, email)
          return seeOther("/console/settings/operators?done=out")
        },
        shown,
      ),
      { parse: "none" },
    )
}

/** Who had an account already keeps its password. */
function invited(visit: Visit, { email }: Member, password: string | null): Response {
  if (password === null) return seeOther("/console/settings/operators?done=joined")
  return shownOnce(visit, {
    heading: sentences.invite,
    current: "settings",
    done: sentences.invited(email),
    notice: sentences.firstPasswordOnce,
    label: sentences.firstPassword,
    text: password,
    next: "/console/settings/operators",
  })
}

function Item({ visit, member, since }: { visit: Visit; member: Member; since: string }) {
  const { id, email, role } = member
  const address = `/console/settings/operators/${id}`
  return (
    <li>
      <h2>{email}</h2>
      <p class="hint">
        {shell.roles[role]}, {sentences.memberSince(since)}
      </p>
      {visit.may("owner") && (
        <div class="actions">
          <Form visit={visit} action={address}>
            <span class="actions">
              <select name="role" aria-label={sentences.roleOf(email)} class="short">
                {roles.map((each) => (
                  <option key={each} value={each} selected={each === role}>
                    {shell.roles[each]}
                  </option>
                ))}
              </select>
              <button type="submit" class="quiet">
                {sentences.changeRole}
              </button>
            </span>
          </Form>
          <Form visit={visit} action={`${address}/removal`} confirm={sentences.takeOutConfirm}>
            <button type="submit" class="quiet" aria-label={sentences.takeOutOf(email)}>
              {sentences.takeOut}
            </button>
          </Form>
        </div>
      )}
    </li>
  )
}
