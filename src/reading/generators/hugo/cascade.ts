import { pathMatcher } from "../../../base/path-matcher.ts"
import type { Attributes, Page } from "../kit/generator.ts"
import { lastName, parentFolder, record, word } from "../kit/generator.ts"

/** Where a page inherits from: the settings of the site, and the sections around it. */
export interface CascadePlan {
  /** `cascade` of the site's settings. */
  settings: unknown
  /** Ends of the names of a section's page in a language: `.fr`, and nothing in the language of the site. */
  suffixesOf(language: string): string[]
}

/**
 * The attributes that `cascade` gives to a page: of the page itself first, then of the sections around it, the nearest
 * first, then of the settings. The first that names an attribute gives its whole value
 * (gohugo.io/content-management/front-matter/#cascade, gohugo.io/configuration/cascade/). Names are in small letters.
 */
export async function cascadedTo(
  page: Page,
  { stem, language }: { stem: string; language: string },
  { settings, suffixesOf }: CascadePlan,
): Promise<Attributes> {
  const target = cascadeTarget(page, stem, language)
  const cascaded: Attributes = {}
  const take = (cascade: unknown) => {
    for (const each of (Array.isArray(cascade) ? cascade : [cascade]).slice(0, maxEach).map(record)) {
      if (!isFor(record(each["target"] ?? each["_target"]), target)) continue
      for (const [name, value] of Object.entries(each)) cascaded[name.toLowerCase()] ??= value
    }
  }
  for (const folder of foldersAround(stem)) {
    const file = suffixesOf(language)
      .map((suffix) => `${folder}_index${suffix}.md`)
      .find((path) => page.has(path))
    if (file !== undefined) take(named(await page.attributesOf(page.root.folder + file), "cascade"))
  }
  take(settings)
  return cascaded
}

/** Parts of one cascade that are looked at. */
const maxEach = 50
/** Sections in one another. */
const maxDepth = 20

function foldersAround(stem: string): string[] {
  const folders = [parentFolder(stem)]
  while (folders.at(-1) !== "" && folders.length < maxDepth)
    folders.push(parentFolder((folders.at(-1) as string).slice(0, -1)))
  return folders
}

interface Target {
  path: string
  kind: string
  lang: string
  environment: string
}

/** The page as a target sees it: its path without language and extension, in small letters. */
function cascadeTarget(page: Page, stem: string, language: string): Target {
  const name = lastName(stem)
  const isFolder = name === "_index" || name === "index"
  const path = `${page.root.route}${isFolder ? parentFolder(stem) : stem}`
    .toLowerCase()
    .replace(/(?<=.)\/$/, "")
  const kind = name !== "_index" ? "page" : path === "/" ? "home" : "section"
  return { path, kind, lang: language, environment: "production" }
}

/** Whether all that a target names fits: patterns with `*`, `**` and `{a,b}`. */
function isFor(wanted: Attributes, target: Target): boolean {
  return (Object.keys(target) as (keyof Target)[]).every((name) => {
    const pattern = word(named(wanted, name))?.toLowerCase()
    return (
      pattern === undefined ||
      (pattern.length <= maxPattern && alternatives(pattern).some((each) => pathMatcher(each)(target[name])))
    )
  })
}

const maxPattern = 300
const maxAlternatives = 50

/** The patterns that one with `{a,b}` stands for. */
function alternatives(pattern: string): string[] {
  const all = [pattern]
  for (let at = 0; at < all.length && all.length <= maxAlternatives; ) {
    const [found = "", inside = ""] = /\{([^{}]*)\}/.exec(all[at] as string) ?? []
    if (found === "") at++
    else
      all.splice(
        at,
        1,
        ...inside.split(",").map((each) => (all[at] as string).replace(found, () => each.trim())),
      )
  }
  return all
}

function named(attributes: Attributes, name: string): unknown {
  return Object.entries(attributes).find(([cascaded]) => cascaded.toLowerCase() === name)?.[1]
}
