import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import { contactCountsSince } from "../accounts/widget/contact-count.ts"
import { changeWidget, type WidgetDeps } from "../accounts/widget/operations.ts"
import { widgetRecord } from "../accounts/widget/record.ts"
import { findWidgetSettings } from "../accounts/widget/settings.ts"
import { type Clock, dayMs, isoTime } from "../base/clock.ts"
import { area } from "./kit/area.ts"

const countedDays = 30

interface WidgetSettingsDeps extends WidgetDeps {
  clock: Clock
  config: { timezone: string }
}

/** `/api/v1/projects/:id/widget-settings`: how a project's widget looks, and the form that it offers. */
export function widgetSettingsRoutes(deps: WidgetSettingsDeps) {
  const { db, clock, config } = deps
  const { bearer, operation, performs } = area(deps, "projects")

  async function recordOf(projectId: string): Promise<Static<typeof widgetRecord>> {
    const { settings, seenAt } = await findWidgetSettings(db, projectId)
    const sinceMs = clock.now() - (countedDays - 1) * dayMs
    const counts = await contactCountsSince(db, projectId, config.timezone, sinceMs)
    const { contact, ...look } = settings
    return {
      ...look,
      contact_form: contact?.formId ?? null,
      contact_field: contact?.field ?? null,
      seen_at: seenAt === null ? null : isoTime(seenAt),
      answers_offered: counts.offered,
      messages_spared: counts.solved,
    }
  }

  return new Elysia({ name: "widget-settings", prefix: "/api/v1/projects/:id/widget-settings" })
    .use(bearer)
    .get(
      "",
      async ({ params, workspaceId }) => recordOf((await requireProject(db, params.id, workspaceId)).id),
      operation({
        answers: { 200: widgetRecord },
      }),
    )
    .patch(
      "",
      ...performs(changeWidget, { status: 200, schema: widgetRecord, json: ({ id }) => recordOf(id) }),
    )
}
