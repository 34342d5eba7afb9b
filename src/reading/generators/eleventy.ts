import { detail } from "../../base/errors.ts"
import { githubAnchors, numberedFrom } from "../formats/markdown/anchors.ts"
import { usablePath } from "./kit/address.ts"
import type { Attributes, SiteGenerator } from "./kit/generator.ts"
import { asFolder, ended, lastName, notPublished, parentFolder, record, word } from "./kit/generator.ts"
import { ignoredPaths } from "./kit/patterns.ts"
import { optionIn, textIn, withoutComments } from "./kit/script-settings.ts"
import { rewritten, withoutMarks } from "./kit/slugs.ts"

const files = [
  ".eleventy.js",
  ...["js", "mjs", "cjs", "ts", "mts", "cts"].map((end) => `eleventy.config.${end}`),
]

/** https://www.11ty.dev/docs/permalinks/ */
export const eleventy: SiteGenerator = {
  name: "Eleventy",
  signs: files,
  async rules(site) {
    const script = withoutComments(await site.text(...files))
    const source = asFolder(
      /setInputDirectory\(\s*["']([^"'\n]+)["']/.exec(script)?.[1] ?? textIn(script, "input") ?? "",
    )
    const ignored = (await site.text(".eleventyignore")).split("\n")
    const isIgnored = ignoredPaths(ignored)
    const data = new Map<string, Promise<Attributes>>()
    const globalPermalink = /addGlobalData\(\s*["']permalink["']\s*,\s*["'`]([^"'`\n]*)["'`]/.exec(
      script,
    )?.[1]

    /** The data files of the folders hold for every page in them; the nearest has the last word. */
    async function folderData(path: string): Promise<Attributes> {
      const all: Attributes = {}
      const names = parentFolder(path).split("/").slice(0, -1)
      for (let depth = 0; depth <= names.length; depth++) {
        const folder =
          source +
          names
            .slice(0, depth)
            .map((name) => `${name}/`)
            .join("")
        const name = depth === 0 ? lastName(source.slice(0, -1)) : (names[depth - 1] as string)
        if (name === "") continue
        if (!data.has(folder)) data.set(folder, readData(folder + name))
        Object.assign(all, await data.get(folder))
      }
      return all
    }

    async function readData(stem: string): Promise<Attributes> {
      const scripts = ["js", "cjs", "mjs"].map((end) => `${stem}.11tydata.${end}`)
      const permalink = optionIn(withoutComments(await site.text(...scripts)), "permalink")
      const json = await site.settings(`${stem}.11tydata.json`, `${stem}.json`)
      return { ...json, ...(permalink !== undefined && { permalink }) }
    }

    const packages = await site.text("package.json")
    const hasGithubSlugs = /github-slugger/.test(script + packages)
    const hasPartedWords = /govuk-eleventy-plugin|@sindresorhus\/slugify/.test(script + packages)
    const isPlainPlugin = /markdown-it-anchor/.test(script) && !/\bslugify\b/.test(script)
    const anchors = hasGithubSlugs
      ? "usual"
      : isPlainPlugin
        ? "plugin"
        : hasPartedWords && !/IdAttributePlugin/.test(script)
          ? "parted"
          : "slugify"
    return {
      roots: [{ folder: source, route: "/" }],
      async routeOf(page) {
        if (isIgnored(source + page.path + page.extension)) return notPublished
        const own = await page.attributes()
        const attributes: Attributes = {
          ...(globalPermalink && { permalink: globalPermalink }),
          ...(await folderData(page.path)),
          ...own,
        }
        if (attributes["pagination"] !== undefined)
          return { leftOut: "empty", detail: detail("reading.pageTemplate") }
        const { permalink } = attributes
        if (permalink === false) return notPublished
        const stem = page.path.replace(/(^|\/)\d{4}-\d\d-\d\d-(?=[^/]*$)/, "$1")
        const [name, folder] = [lastName(stem), parentFolder(stem)]
        const ownPath = usablePath(permalink)
        const filled = ownPath === undefined ? undefined : filledIn(ownPath, { stem, attributes })
        if (filled !== undefined)
          return { path: `/${filled.replace(/^\/+/, "")}`.replace(/\/index\.html$/, "/"), isOwn: true }
        if (name === "index" || lastName(folder.slice(0, -1)) === name) return { path: `/${folder}` }
        return { path: ended(`/${stem}`, site.style ?? "slash") }
      },
      anchors,
    }
  },
  anchors: {
    usual: githubAnchors,
    // The plugin markdown-it-anchor alone, escaped as in an address: cr%C3%A9er-l'%C3%A9t%C3%A9.
    plugin: { slug: (text) => encodeURIComponent(text.trim().toLowerCase().replace(/\s+/g, "-")) },
    // Accents are removed, punctuation becomes a hyphen; the plugin IdAttributePlugin counts from 2 on.
    slugify: { slug: slugified, unique: numberedFrom(2) },
    // The same of another plugin, with words in one parted: « phaseBanner » → phase-banner.
    parted: { slug: (text) => slugified(text, true) },
  },
  dialect: {},
}

/** A template that needs more than the page's own words is left to Eleventy, and the page at its usual address. */
function filledIn(
  template: string,
  { stem, attributes }: { stem: string; attributes: Attributes },
): string | undefined {
  const name = lastName(stem)
  const fileSlug = name === "index" ? lastName(parentFolder(stem).slice(0, -1)) : name
  const values: Attributes = {
    ...attributes,
    page: { fileSlug, filePathStem: `/${stem}`, inputPath: stem },
    permalink: undefined,
  }
  let isWhole = !template.includes("{%")
  const filled = template.replace(/\{\{-?([^{}]*)\}\}/g, (_, expression: string) => {
    const [start = "", ...filters] = expression
      .replace(/-$/, "")
      .split("|")
      .map((part) => part.trim())
    let value: unknown = values
    for (const key of start.split(".")) value = record(value)[key]
    let text = word(value)
    for (const filter of filters) text = text === undefined ? undefined : filtered(text, filter)
    if (text === undefined) isWhole = false
    return text ?? ""
  })
  return isWhole ? filled : undefined
}

function filtered(text: string, filter: string): string | undefined {
  if (/^slug(?:ify)?$/.test(filter)) return slugified(text)
  if (filter === "lower" || filter === "downcase") return text.toLowerCase()
  return filter === "safe" || filter === "trim" ? text : undefined
}

/** As @sindresorhus/slugify makes them, which Eleventy asks for words in one to stay so. */
function slugified(text: string, partsWords = false): string {
  const plain = withoutMarks(rewritten(text.normalize(), letters))
  const words = partsWords
    ? plain.replace(/(?<=[A-Z]{2})(?=\d)|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-rt-z\d])/g, " ")
    : plain
  return words
    .toLowerCase()
    .replace(/(?<=[a-z\d])'(?=[ts](?:\s|$))/g, "")
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")
}

const letters = {
  ...{ "&": " and ", "€": "E", ß: "ss", ẞ: "SS", Æ: "AE", æ: "ae", Ø: "O", ø: "o", Þ: "TH", þ: "th" },
  ...{ Ä: "Ae", ä: "ae", Ö: "Oe", ö: "oe", Ü: "Ue", ü: "ue", Ð: "D", ð: "d", Đ: "D", đ: "d", Ł: "L", ł: "l" },
}
