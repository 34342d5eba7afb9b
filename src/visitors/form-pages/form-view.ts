import type { Project } from "../../accounts/project.ts"
import { findWidgetSettings, usualSettings } from "../../accounts/widget/settings.ts"
import { pageStyle } from "../../accounts/widget/style.ts"
import type { Form } from "../../forms/definition/form.ts"
import type { FormDeps } from "../../forms/deps.ts"

/** A form, its project with the look of its widget, and the address of the service. */
export interface FormView {
  form: Form
  project: Project
  /** Rules of the look and colour (`pageStyle`). */
  style: string
  logo: string | null
  service: string
  /** The owner's. */
  timezone: string
}

export async function formView(
  { db, log, config }: Pick<FormDeps, "db" | "log" | "config">,
  { form, project }: Pick<FormView, "form" | "project">,
): Promise<FormView> {
  // When reading the look fails, nothing that the visitor typed is lost.
  const widget = await findWidgetSettings(db, project.id).catch((error) => {
    log.warn("the look of a form's page cannot be read", { project: project.id, error })
    return undefined
  })
  const { logo, ...look } = widget?.settings ?? usualSettings
  const { publicUrl: service, timezone } = config
  // Its address may have been declared before, and be so no more.
  const isOfSite = logo !== null && project.origins.includes(new URL(logo).origin)
  return { form, project, style: pageStyle(look), logo: isOfSite ? logo : null, service, timezone }
}
