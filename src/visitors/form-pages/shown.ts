import type { Project } from "../../accounts/project.ts"
import { findWidgetSettings } from "../../accounts/widget/settings.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import type { Form } from "../../forms/definition/form.ts"

/** A form, its project with the colour of its widget, and the address of the service. */
export interface Shown {
  form: Form
  project: Project
  color: string | null
  /** Address of an image of the site. */
  logo: string | null
  service: string
  /** The owner's. */
  timezone: string
}

interface ShownDeps {
  db: Db
  log: Log
  config: { publicUrl: string; timezone: string }
}

/** The look of a page about a form. */
export async function shownBy(
  { db, log, config }: ShownDeps,
  { form, project }: Pick<Shown, "form" | "project">,
): Promise<Shown> {
  // When reading the look fails, nothing that the visitor typed is lost.
  const found = await findWidgetSettings(db, project.id).catch((error) => {
    log.warn("the colour of a form's page cannot be read", { project: project.id, error })
    return undefined
  })
  const { color = null, logo = null } = found?.settings ?? {}
  const { publicUrl: service, timezone } = config
  // Its address may have been declared before, and be so no more.
  const isOfSite = logo !== null && project.origins.includes(new URL(logo).origin)
  return { form, project, color, logo: isOfSite ? logo : null, service, timezone }
}
