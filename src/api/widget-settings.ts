import type { Project } from "../accounts/project.ts"
import { projectOf } from "../accounts/projects/operations.ts"
import { contactCountsSince } from "../accounts/widget/contact-count.ts"
import { changeWidget } from "../accounts/widget/operations.ts"
import { widgetRecord } from "../accounts/widget/record.ts"
import { findWidgetSettings, type WidgetSettings } from "../accounts/widget/settings.ts"
import { dayMs } from "../base/clock.ts"
import { shown } from "../http/record/json.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers } from "./kit/handlers.ts"

const countedDays = 30

export const settingsShown = shown(
  widgetRecord,
  ({
    contact,
    counts,
  }: WidgetSettings & { seenAt: number | null; counts: { offered: number; solved: number } }) => ({
    contact_form: contact?.formId ?? null,
    contact_field: contact?.field ?? null,
    answers_offered: counts.offered,
    messages_spared: counts.solved,
  }),
)

/** `/api/v1/projects/:id/widget-settings`: how a project's widget looks, and the form that it offers. */
export function widgetSettingsHandlers(deps: ApiDeps) {
  const { db, clock, config } = deps
  const { performs, shows } = handlers(deps)
  const widget = {
    schema: widgetRecord,
    async json({ id }: Project) {
      const { settings, seenAt } = await findWidgetSettings(db, id)
      const sinceMs = clock.now() - (countedDays - 1) * dayMs
      const counts = await contactCountsSince(db, id, config.timezone, sinceMs)
      return settingsShown.json({ ...settings, seenAt, counts })
    },
  }

  return {
    show: shows(widget, (call) => projectOf(deps, call)),
    change: performs(changeWidget, { status: 200, ...widget }),
  }
}
