import { type Static, Type } from "@sinclair/typebox"
import { dayMs, hourMs, minuteMs } from "../../base/clock.ts"
import { originOf } from "../../base/origin.ts"
import { parsedUrl } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import {
  changeOf,
  filledLine,
  httpAddress,
  oneOf,
  time,
  timeOrNull,
  wholeOrNull,
} from "../../http/record/schemas.ts"
import { maxNameLength } from "../workspace.ts"

/** A project, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

/** Bounds of the time between two readings of the feeds. */
export const everyBounds = { shortestMs: 5 * minuteMs, longestMs: 365 * dayMs } as const

/** Other declared addresses of one project: every ask and every form post reads them all. */
export const maxOrigins = 100

const language = oneOf(["fr", "en"])
const answers = oneOf(["written", "extractive"])

const site = ruled(httpAddress({ query: false }), {
  read(typed: string) {
    const url = parsedUrl(typed.trim())
    if (!url || originOf(typed.trim()) === undefined || url.search || url.hash) return undefined
    return url.href.replace(/\/$/, "")
  },
})
const origin = ruled(httpAddress(), { read: (typed: string) => originOf(typed.trim()) })
const origins = ruled(Type.Array(told(origin, "accounts.declaredAddress"), { maxItems: maxOrigins }), {
  read: (typed: string[]) => [...new Set(typed)],
})

const described = Type.Object(
  {
    name: told(filledLine({ maxLength: maxNameLength }), "accounts.projectName"),
    site: told(site, "accounts.siteAddress"),
    origins: Type.Optional(told(origins, "accounts.tooManyOrigins", { maximum: maxOrigins })),
    language: Type.Optional(language),
    assistant_enabled: Type.Optional(Type.Boolean()),
    answers: Type.Optional(answers),
    per_minute: Type.Optional(wholeOrNull),
    per_visitor_day: Type.Optional(wholeOrNull),
    per_day: Type.Optional(wholeOrNull),
    every_hours: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: everyBounds.longestMs / hourMs }), Type.Null()]),
    ),
  },
  { $id: "NewProject" },
)
export const newProject = told(described, "accounts.invalidProject")
export type NewProject = Static<typeof newProject>

export const projectChange = changeOf(newProject)
export type ProjectChange = Static<typeof projectChange>

export const projectRecord = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z0-9]{8,64}$" }),
    name: Type.String(),
    site: Type.String(),
    origins: Type.Array(Type.String()),
    language,
    assistant_enabled: Type.Boolean(),
    answers,
    per_minute: wholeOrNull,
    per_visitor_day: wholeOrNull,
    per_day: wholeOrNull,
    every_hours: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    indexed_at: timeOrNull,
    created_at: time,
  },
  { $id: "Project" },
)
