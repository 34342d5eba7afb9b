import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { requireProject } from "../accounts/project.ts"
import { contactCountsSince } from "../accounts/widget/contact-count.ts"
import { changeWidgetSettings, findWidgetSettings, type WidgetSettings } from "../accounts/widget/settings.ts"
import { type Clock, dayMs, isoTime } from "../base/clock.ts"
import type { Db } from "../db/connection.ts"
import { requireContact } from "../forms/definition/contact.ts"
import { bodyOf } from "../http/fields.ts"
import { area } from "./kit/area.ts"
import { type WidgetAnswer, widgetAnswer, widgetChange } from "./schemas/widget.ts"

const maxBodyBytes = 32 * 1024
const countedDays = 30

interface WidgetSettingsDeps {
  db: Db
  clock: Clock
  config: { timezone: string }
}

/** `/api/v1/projects/:id/widget-settings`: how a project's widget looks, and the form that it offers. */
export function widgetSettingsRoutes({ db, clock, config }: WidgetSettingsDeps) {
  const { bearer, operation } = area({ db, clock }, "projects")

  async function answerOf(projectId: string): Promise<WidgetAnswer> {
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
      async ({ params, workspaceId }) => answerOf((await requireProject(db, params.id, workspaceId)).id),
      operation({
        answers: { 200: widgetAnswer },
      }),
    )
    .patch(
      "",
      async ({ request, params, workspaceId }) => {
        const { id } = await requireProject(db, params.id, workspaceId)
        const body = await bodyOf(request, maxBodyBytes, widgetChange)
        const { settings } = await findWidgetSettings(db, id)
        const change = changeIn(body, settings)
        if (change.contact) await requireContact(db, id, change.contact)
        await changeWidgetSettings(db, id, change)
        return answerOf(id)
      },
      operation({
        body: widgetChange,
        answers: { 200: widgetAnswer },
        audit: "widget.changed",
      }),
    )
}

function changeIn(
  { contact_form: form, contact_field: field, ...look }: Static<typeof widgetChange>,
  { contact }: WidgetSettings,
): Partial<WidgetSettings> {
  if (form === undefined && field === undefined) return look
  const formId = form === undefined ? (contact?.formId ?? null) : form
  // The field of another form means nothing in this one.
  const kept = formId === contact?.formId ? contact.field : null
  return { ...look, contact: formId === null ? null : { formId, field: field === undefined ? kept : field } }
}
