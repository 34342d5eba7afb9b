import { minuteMs } from "../../base/clock.ts"
import type { Db } from "../../db/connection.ts"
import { prepared } from "../../db/prepared.ts"
import type { Row } from "../../db/schema.ts"
import { withLock } from "../../db/with-lock.ts"
import type { Language } from "../project.ts"

/** How a project's widget looks, and the form that it offers where there is no answer. */
export interface WidgetSettings {
  title: string | null
  introduction: string | null
  suggestions: string[]
  /** `#0b5c8a`; null: the widget's own colour. */
  color: string | null
  position: "right" | "left"
  /** `site`: that of the page. */
  theme: "site" | "light" | "dark"
  button: string | null
  /** null: that of the page. */
  language: Language | null
  /** Address of an image under a declared address, which pages about forms show. */
  logo: string | null
  contact: Contact | null
  search: boolean
  /** `dsfr`: the design system of the French State, which its sites alone may use. */
  look: "guichet" | "dsfr"
  /** Whether the owner confirmed that the site is one of the State. */
  stateSite: boolean
}

export interface Contact {
  formId: string
  /** Variable name of the field that takes the question; null: the form's first text area. */
  field: string | null
}

export const usualSettings: WidgetSettings = {
  title: null,
  introduction: null,
  suggestions: [],
  color: null,
  position: "right",
  theme: "site",
  button: null,
  language: null,
  logo: null,
  contact: null,
  search: false,
  look: "guichet",
  stateSite: false,
}

export const maxTitleLength = 60
export const maxButtonLength = 40
export const maxIntroductionLength = 300
export const maxSuggestions = 3
export const maxSuggestionLength = 150

/** The settings of a project's widget, and when a page last loaded it. */
export async function findWidgetSettings(
  db: Db,
  projectId: string,
): Promise<{ settings: WidgetSettings; seenAt: number | null }> {
  const [row] = (await findSettingsRow(db, { projectId })).rows
  if (!row) return { settings: usualSettings, seenAt: null }
  const { project_id, seen_at, contact_form_id, contact_field, state_site, ...columns } = row
  const settings: WidgetSettings = {
    ...columns,
    suggestions: columns.suggestions === null ? [] : (JSON.parse(columns.suggestions) as string[]),
    position: columns.position ?? usualSettings.position,
    theme: columns.theme ?? usualSettings.theme,
    contact: contact_form_id === null ? null : { formId: contact_form_id, field: contact_field },
    search: columns.search === 1,
    look: columns.look ?? usualSettings.look,
    stateSite: state_site === 1,
  }
  return { settings, seenAt: seen_at }
}

/** Null gives the widget its own words back. The caller has checked the form. */
export async function changeWidgetSettings(
  db: Db,
  projectId: string,
  change: Partial<WidgetSettings>,
): Promise<WidgetSettings> {
  return withLock(db, `widget:${projectId}`, async (transaction) => {
    const settings = { ...(await findWidgetSettings(transaction, projectId)).settings, ...change }
    const { contact, stateSite, ...same } = settings
    const columns = {
      ...same,
      suggestions: JSON.stringify(settings.suggestions),
      contact_form_id: contact?.formId ?? null,
      contact_field: contact?.field ?? null,
      search: settings.search ? (1 as const) : (0 as const),
      state_site: stateSite ? (1 as const) : (0 as const),
    }
    await transaction
      .insertInto("widget_settings")
      .values({ project_id: projectId, ...columns })
      .onConflict((conflict) => conflict.column("project_id").doUpdateSet(columns))
      .execute()
    return settings
  })
}

/** Notes that a page loaded the widget: at most once a minute for a project, however many pages do. */
export async function noteWidgetSeen(relaxed: Db, projectId: string, seenAt: number | null, nowMs: number) {
  // A later time was stored before the clock was set back.
  if (seenAt !== null && seenAt <= nowMs && nowMs - seenAt < seenEveryMs) return
  await noteSeen(relaxed, { projectId, nowMs, untilMs: nowMs - seenEveryMs })
}

const seenEveryMs = minuteMs

type Columns = Row<"widget_settings">
type SettingsRow = { [Column in keyof Columns]: Columns[Column] | null } & { seen_at: number | null }

/** Prepared, because every page of a site that shows the widget asks for it. */
const findSettingsRow = prepared<{ projectId: string }, SettingsRow>((value, db) =>
  db
    .selectFrom("project")
    .leftJoin("widget_settings", "widget_settings.project_id", "project.id")
    .leftJoin("widget_sighting", "widget_sighting.project_id", "project.id")
    .selectAll("widget_settings")
    .select("seen_at")
    .where("project.id", "=", value("projectId"))
    .compile(),
)

const noteSeen = prepared<{ projectId: string; nowMs: number; untilMs: number }>((value, db) =>
  db
    .insertInto("widget_sighting")
    .values({ project_id: value("projectId"), seen_at: value("nowMs") })
    .onConflict((conflict) =>
      conflict
        .column("project_id")
        .doUpdateSet({ seen_at: value("nowMs") })
        .where(({ or, eb }) =>
          or([
            eb("widget_sighting.seen_at", "<=", value("untilMs")),
            eb("widget_sighting.seen_at", ">", value("nowMs")),
          ]),
        ),
    )
    .compile(),
)
