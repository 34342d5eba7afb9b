import { listPeople } from "../accounts/member.ts"
import { addAccount, removeOperator, setPassword } from "../accounts/members/operations.ts"
import { findOperator, normaliseEmail, roles } from "../accounts/operator.ts"
import { removeSecondFactors } from "../accounts/second-factor/lost-factors.ts"
import { listOperatorWorkspaces } from "../accounts/session.ts"
import { newSetupLink, setupLinkMinutes } from "../accounts/setup-link.ts"
import { operatorShown } from "../api/operators.ts"
import { detail, Refusal, required, UsageError } from "../base/errors.ts"
import { defineDataCommand } from "./kit/open.ts"
import { readSecret } from "./kit/read-file.ts"
import { existing, refuseExisting, requireWorkspace } from "./workspace.ts"

const aboutPassword = "The password comes from a prompt, or from the first line of stdin."

export const operatorCreate = defineDataCommand({
  about: "makes an account for the console, or makes its holder a member",
  details: `${aboutPassword} An address that has an account is refused without --existing: whoever accepted an invitation to the address chose its password. With --existing, the account keeps it.`,
  args: { email: "e-mail address that the operator signs in with" },
  options: {
    role: { choices: roles, about: "rights of the operator; owner without it" },
    workspace: { value: "ID", about: "workspace that the operator joins; the default one without it" },
    existing,
  },
  async run({ app, args, options, perform }) {
    const email = requireAddress(args.email)
    const workspaceId = await requireWorkspace(app, options.workspace)
    const operator = await findOperator(app.db, email)
    if (operator && !options.existing) await refuseExisting(app, operator)
    const password = operator ? {} : { password: await readSecret("password") }
    const fields = { email, role: options.role ?? "owner", ...password }
    const { id } = await perform(addAccount, workspaceId, {}, fields)
    const notes = operator ? [`${operator.email} has an account already and keeps its password`] : []
    return { json: { id }, text: id, notes }
  },
})

export const operatorPassword = defineDataCommand({
  about: "gives an account another password and signs it out everywhere",
  details: aboutPassword,
  args: { email: "e-mail address that the operator signs in with" },
  options: {
    "without-second-factor": {
      about: "also removes the authenticator app, the passkeys and the recovery codes of the account",
    },
  },
  async run({ app, args, options, perform }) {
    const email = requireAddress(args.email)
    const operator = await findOperator(app.db, email)
    if (!operator) throw new Refusal("not_found", "", { reason: `no operator has the address ${email}` })
    const [workspace] = await listOperatorWorkspaces(app.db, operator.id, { atMost: 1 })
    const workspaceId = workspace?.id ?? (await requireWorkspace(app, undefined))
    await perform(setPassword, workspaceId, {}, { email, password: await readSecret("password") })
    if (options["without-second-factor"]) await perform(removeSecondFactors, workspaceId, {}, { email })
    const { passwordSignIn, publicUrl } = app.config
    const notes = passwordSignIn
      ? []
      : [`password sign-in is off: this one signs in for an hour at ${publicUrl}/console/sign-in?password`]
    return { json: { id: operator.id }, notes }
  },
})

const workspace = { value: "ID", about: "workspace of the operators; the default one without it" } as const

export const operatorList = defineDataCommand({
  about: "lists the operators of a workspace, and who is invited to it",
  options: { workspace },
  async run({ app, options }) {
    const workspaceId = await requireWorkspace(app, options.workspace)
    const items = (await listPeople(app.db, workspaceId, app.clock.now())).map(operatorShown.json)
    const lines = items.map(({ id, email, role, state }) => `${id}  ${role}  ${state}  ${email}`)
    return { json: { items }, text: lines }
  },
})

export const operatorRemove = defineDataCommand({
  about: "takes an operator out of a workspace, or an invitation back",
  details: "The account goes with its last workspace. The last owner of a workspace cannot be taken out.",
  args: { email: "e-mail address that the operator signs in with" },
  options: { workspace },
  async run({ app, args, options, perform }) {
    const email = normaliseEmail(requireAddress(args.email))
    const workspaceId = await requireWorkspace(app, options.workspace)
    const people = await listPeople(app.db, workspaceId, app.clock.now())
    const person = people.find((each) => each.email === email)
    const { id } = required(person, detail("accounts.unknownOperator", { id: email }))
    await perform(removeOperator, workspaceId, { operator: id })
    return { json: { id } }
  },
})

export function requireAddress(email: string): string {
  if (!email.includes("@")) throw new UsageError(`${email} is no e-mail address`)
  return email
}

export const setupLink = defineDataCommand({
  about: "prints a link under which the first operator makes their account",
  details: `The link works once, for ${setupLinkMinutes} minutes.`,
  async run({ app }) {
    const link = await newSetupLink({ db: app.db, publicUrl: app.config.publicUrl }, app.clock.now())
    if (link === undefined)
      throw new Refusal("conflict", "", {
        reason: "there is an owner already: guichet operator create adds another operator",
      })
    return {
      json: { link, valid_minutes: setupLinkMinutes },
      text: link,
      notes: [`good once, for ${setupLinkMinutes} minutes`],
    }
  },
})
