import { type Static, Type } from "@sinclair/typebox"
import { dayMs, hourMs, minuteMs } from "../../base/clock.ts"
import { originOf } from "../../base/origin.ts"
import { isLine, parsedUrl, singleSpaced } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import {
  changeOf,
  filledLine,
  httpAddress,
  lineOrNull,
  oneOf,
  orNull,
  textOrNull,
  time,
  timeOrNull,
  wholeOrNull,
} from "../../http/record/schemas.ts"
import { maxNameLength } from "../workspace.ts"
import { editions } from "./editions.ts"

/** A project, as callers describe it and as replies show it. `openapi.json` publishes these schemas. */

/** Bounds of the time between two readings of the feeds. */
export const everyBounds = { shortestMs: 5 * minuteMs, longestMs: 365 * dayMs } as const

/** Other declared addresses of one project: every ask and every form post reads them all. */
export const maxOrigins = 100

/** Languages of documentations, of refusals, and of the widget's own texts. */
export const languages = ["fr", "en"] as const

const language = oneOf(languages)
const answers = oneOf(["written", "extractive"])

/** How sure the assistant has to be of what it quotes, the surest first. */
export const answerThresholds = ["prudent", "balanced", "talkative"] as const
const answerThreshold = oneOf(answerThresholds)

export const maxKindWordLength = 60
export const maxNoAnswerMoreLength = 300

/** Beginnings of an owner's word, in the languages of projects: sentences are made around it. */
const articles =
  "(?:(?:le|la|les|ce|cet|cette|ces|notre|nos|votre|vos|mon|ma|mes|the|this|these|our|your|my) |l’)"
const withArticle = new RegExp(`^${articles}(?=\\S)`, "i")
const usualWords: Readonly<Record<string, "documentation" | "site">> = {
  "la documentation": "documentation",
  "the documentation": "documentation",
  "ce site": "site",
  "this site": "site",
}

/** The assistant's word for the site, as a part of its sentences. */
const kindWord = ruled(
  Type.String({
    pattern: `^(documentation|site|${articles.replaceAll("?:", "").replace("’", "['’]")}.+)$`,
    maxLength: maxKindWordLength,
    description: "upper case and repeated blanks, which the pattern leaves out, are read as well",
  }),
  {
    read(typed: string) {
      if (!isLine(typed.trim(), maxKindWordLength)) return undefined
      const word = singleSpaced(typed).replace(/'/g, "’")
      const small = word.toLowerCase()
      if (small === "documentation" || small === "site") return small
      if (!withArticle.test(word)) return undefined
      return usualWords[small] ?? word.replace(withArticle, (article) => article.toLowerCase())
    },
  },
)

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
    answer_threshold: Type.Optional(answerThreshold),
    kind_word: Type.Optional(told(kindWord, "accounts.kindWord", { maximum: maxKindWordLength })),
    no_answer_more: Type.Optional(
      told(lineOrNull(maxNoAnswerMoreLength), "accounts.noAnswerMore", { maximum: maxNoAnswerMoreLength }),
    ),
    team_page_listed: Type.Optional(Type.Boolean()),
    mcp_enabled: Type.Optional(Type.Boolean()),
    llms_enabled: Type.Optional(Type.Boolean()),
    editions: Type.Optional(editions),
    edition_fallback: Type.Optional(Type.Boolean()),
    per_minute: Type.Optional(wholeOrNull),
    per_visitor_day: Type.Optional(wholeOrNull),
    per_day: Type.Optional(wholeOrNull),
    every_hours: Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: everyBounds.longestMs / hourMs }))),
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
    answer_threshold: answerThreshold,
    kind_word: Type.String(),
    no_answer_more: textOrNull,
    team_page_listed: Type.Boolean(),
    mcp_enabled: Type.Boolean(),
    llms_enabled: Type.Boolean(),
    editions,
    edition_fallback: Type.Boolean(),
    per_minute: wholeOrNull,
    per_visitor_day: wholeOrNull,
    per_day: wholeOrNull,
    every_hours: orNull(Type.Number({ minimum: 0 })),
    indexed_at: timeOrNull,
    created_at: time,
  },
  { $id: "Project" },
)
