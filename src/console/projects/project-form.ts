import type { Language, Project } from "../../accounts/project.ts"
import type { NewProject, ProjectChange } from "../../accounts/projects/record.ts"
import { Refusal } from "../../base/errors.ts"
import { parsedUrl, withScheme } from "../../base/text.ts"
import { words } from "./words.fr.ts"

/** Ticked: the site's sitemap is read as soon as the project is made. */
export const sitemapBox = "sitemap"

/** Where nearly every site has its sitemap. */
export function sitemapOf({ origins }: Pick<Project, "origins">): string {
  return `${origins[0]}/sitemap.xml`
}

/** Reads the form of a new project, which is named after the host of its site unless it has a name. */
export function newProjectIn(values: URLSearchParams): NewProject {
  const site = withScheme(values.get("site") ?? "")
  const name = values.get("name")?.trim() || parsedUrl(site)?.host
  // Without an address of the site there will be no project, whatever its name.
  return { name: name || "…", site, language: languageIn(values) }
}

/**
 * Reads the settings form of a project. Throws Refusal `invalid_request` for a limit that is not a whole
 * number.
 */
export function projectChangeIn(values: URLSearchParams): ProjectChange {
  const fields: Record<string, string> = {}
  const limit = (name: string) => {
    const text = (values.get(name) ?? "").replace(/\s/g, "")
    if (text === "") return null
    const number = Number(text)
    if (/^\d{1,9}$/.test(text) && number >= 1) return number
    fields[name] = words.wholeNumber
    return null
  }
  const limits = {
    per_minute: limit("per_minute"),
    per_visitor_day: limit("per_visitor_day"),
    per_day: limit("per_day"),
  }
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", words.correct, { fields, reason: "a limit is no whole number" })
  return {
    name: values.get("name") ?? "",
    site: withScheme(values.get("site") ?? ""),
    origins: linesOf(values.get("origins") ?? "").map(withScheme),
    language: languageIn(values),
    assistant_enabled: values.get("assistant") !== "off",
    answers: values.get("answers") === "extractive" ? "extractive" : "written",
    ...limits,
  }
}

function languageIn(values: URLSearchParams): Language {
  return values.get("language") === "en" ? "en" : "fr"
}

function linesOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter(Boolean)
}
