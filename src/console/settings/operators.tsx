import { listPeople, type Person } from "../../accounts/member.ts"
import {
  addPasswordLink,
  changeOperator,
  inviteOperator,
  removeOperator,
} from "../../accounts/members/operations.ts"
import { roles } from "../../accounts/operator.ts"
import { changeWorkspace } from "../../accounts/workspaces/operations.ts"
import { LinkButton, More, pageOfList, Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { useDate } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { SettingsHead } from "./settings-head.tsx"
import { words } from "./words.fr.ts"

const shownPeople = 30
const address = "/console/settings/operators"

export function operatorsPages({ db }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const people = await listPeople(db, context.workspaceId, context.nowMs)
    const { items, cursor } = pageOfList(people, context.query["cursor"], shownPeople)
    const { roleSaved: role, takenOut: out, takenBack: back, joined } = words
    const { factorSaved: factor, factorsTaken: factors } = words
    return page(
      context,
      {
        title: words.tabs.operators,
        current: "settings",
        flash: { role, out, back, joined, factor, factors },
      },
      <>
        <SettingsHead current="operators" />
        {!context.may("owner") && <p class="hint">{words.ownersOnly}</p>}
        <Problem />
        <section aria-label={words.tabs.operators}>
          <ul class="rows people">
            {items.map((person) => (
              <Item key={person.id} person={person} />
            ))}
          </ul>
          <More address={address} cursor={cursor} />
        </section>
        {context.may("owner") && (
          <Form action={address} only="email" singleSubmit send={words.inviteButton}>
            <h2>
              {context.workspaces.length > 1 ? words.inviteTo(context.session.workspace.name) : words.invite}
            </h2>
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
        <Requirement />
      </>,
    )
  }

  return {
    changeWorkspace: performs(changeWorkspace, {
      show: showPage,
      ids: ({ workspaceId }) => ({ workspace: workspaceId }),
      leadsTo: () => `${address}?done=factor`,
    }),
    page: showPage,
    inviteOperator: performs(inviteOperator, {
      show: showPage,
      leadsTo: ({ invitation, link, mailed }, context) =>
        shownOnce(context, {
          heading: words.invite,
          current: "settings",
          flash: mailed ? words.invitedByMail(invitation.email) : words.invited(invitation.email),
          notice: mailed ? words.invitationMailed : words.invitationOnce,
          label: words.invitationLink,
          text: link,
          next: address,
        }),
    }),
    changeOperator: performs(changeOperator, {
      show: showPage,
      // Without a role nothing would be changed, and said to be saved.
      input: (values) => ({ role: values.get("role") ?? "" }),
      leadsTo: () => `${address}?done=role`,
    }),
    addPasswordLink: performs(addPasswordLink, {
      show: showPage,
      leadsTo: ({ member, link }, context) =>
        shownOnce(context, {
          heading: words.passwordLink,
          current: "settings",
          flash: words.passwordLinkMade(member.email),
          notice: words.passwordLinkOnce,
          label: words.passwordLinkLabel,
          text: link,
          next: address,
        }),
    }),
    removeOperator: performs(removeOperator, {
      show: showPage,
      leadsTo: ({ state }) => `${address}?done=${state === "active" ? "out" : "back"}`,
    }),
  }
}

/** Whether members need a second factor, and the button that changes it. */
function Requirement() {
  const { session, may } = usePage()
  const { requiresSecondFactor: isRequired } = session.workspace
  return (
    <Section title={words.secondFactor}>
      <p>{isRequired ? words.secondFactorRequired : words.secondFactorOptional}</p>
      {may("owner") && (
        <Form
          action="/console/settings/second-factor"
          send={isRequired ? words.requireNoSecondFactor : words.requireSecondFactor}
          look="quiet"
        >
          <input type="hidden" name="requires_second_factor" value={isRequired ? "no" : "yes"} />
        </Form>
      )}
    </Section>
  )
}

function Item({ person }: { person: Person }) {
  const context = usePage()
  const date = useDate()
  const { id, email, role, state, createdAt, expiresAt, secondFactor } = person
  const isInvited = state === "invited"
  const removal = isInvited
    ? { send: words.takeBack, spoken: words.takeBackOf(email), confirm: words.takeBackConfirm }
    : { send: words.takeOut, spoken: words.takeOutOf(email), confirm: words.takeOutConfirm }
  return (
    <li>
      <div class="person">
        <strong>{email}</strong>
        <span class={isInvited ? "hint" : "hint wide"}>
          {!context.may("owner") && `${commonWords.roles[role]}, `}
          {isInvited ? words.invitedUntil(date(expiresAt as number)) : words.memberSince(date(createdAt))}
          {!isInvited && `, ${secondFactor ? words.withSecondFactor : words.withoutSecondFactor}`}
        </span>
      </div>
      {context.may("owner") && (
        <div class="actions">
          <Form action={`${address}/${id}`} send={words.changeRole} look="quiet">
            <select name="role" aria-label={words.roleOf(email)}>
              {roles.map((each) => (
                <option key={each} value={each} selected={each === role}>
                  {commonWords.roles[each]}
                </option>
              ))}
            </select>
          </Form>
          {!isInvited && id !== context.session.operator.id && (
            <Form
              action={`${address}/${id}/password-link`}
              send={words.passwordLink}
              spoken={words.passwordLinkOf(email)}
              look="quiet"
            />
          )}
          {secondFactor && id !== context.session.operator.id && (
            <LinkButton
              href={`${address}/${id}/second-factor-removal`}
              label={words.takeFactors}
              spoken={words.takeFactorsOf(email)}
            />
          )}
          <Form action={`${address}/${id}/removal`} look="quiet" {...removal} />
        </div>
      )}
    </li>
  )
}
