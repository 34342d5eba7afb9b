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
  const { publicUrl: service, timezone } = config
  return { form, project, color: found?.settings.color ?? null, service, timezone }
}
