import type { Static } from "@sinclair/typebox"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import type { Project } from "../project.ts"
import { projectOperation } from "../projects/operations.ts"
import { widgetChange } from "./record.ts"
import { type Contact, changeWidgetSettings, findWidgetSettings, type WidgetSettings } from "./settings.ts"

export interface WidgetDeps {
  db: Db
  /** Throws Refusal `invalid_request` unless the project has the form, and the form the field. */
  requireContact(db: Db, projectId: string, contact: Contact): Promise<void>
}

/** Refuses as `changeWidgetSettings` and `requireContact` do. */
export const changeWidget = projectOperation({
  audit: "widget.changed",
  needs: ["projects:write"],
  isOneTransaction: true,
  input: widgetChange,
  async run({ db, requireContact }: WidgetDeps, { input }, project) {
    const { settings } = await findWidgetSettings(db, project.id)
    const change = widgetChangeIn(input, settings, project)
    if (change.contact) await requireContact(db, project.id, change.contact)
    await changeWidgetSettings(db, project.id, change)
    return project
  },
})

/** Throws Refusal `invalid_request` for an image of another site than the project's. */
function requireOwnLogo(logo: string, { origins }: Pick<Project, "origins">): void {
  if (origins.includes(new URL(logo).origin)) return
  const fields = { logo: detail("accounts.logoAddress") }
  throw new Refusal("invalid_request", detail("accounts.invalidWidget"), { fields })
}

/** Throws Refusal `invalid_request`: the look of the State is for its own sites, which the owner has to confirm. */
function requireStateSite({ look, stateSite }: WidgetSettings): void {
  if (look !== "dsfr" || stateSite) return
  const fields = { state_site: detail("accounts.stateSite") }
  throw new Refusal("invalid_request", detail("accounts.invalidWidget"), { fields })
}

/** The changed settings. Throws Refusal as `requireStateSite` and `requireOwnLogo` do. */
export function widgetChangeIn(
  input: Static<typeof widgetChange>,
  settings: WidgetSettings,
  project: Pick<Project, "origins">,
): Partial<WidgetSettings> {
  const change = changeIn(input, settings)
  requireStateSite({ ...settings, ...change })
  if (change.logo) requireOwnLogo(change.logo, project)
  return change
}

function changeIn(
  { contact_form: form, contact_field: field, state_site: stateSite, ...rest }: Static<typeof widgetChange>,
  { contact }: WidgetSettings,
): Partial<WidgetSettings> {
  const look = { ...rest, ...(stateSite !== undefined && { stateSite }) }
  if (form === undefined && field === undefined) return look
  const formId = form === undefined ? (contact?.formId ?? null) : form
  // The field of another form means nothing in this one.
  const formField = formId === contact?.formId ? contact.field : null
  return {
    ...look,
    contact: formId === null ? null : { formId, field: field === undefined ? formField : field },
  }
}
