import { detail } from "../../base/errors.ts"
import { dateText } from "../formats/dates.ts"
import type { LeftOut } from "../formats/document.ts"
import { githubAnchors, pictureText } from "../formats/markdown/anchors.ts"
import { usablePath } from "./kit/address.ts"
import type { Page, PageRoot, Route, SiteFolder, SiteGenerator } from "./kit/generator.ts"
import { asFolder, ended, lastName, pagePart, parentFolder, word } from "./kit/generator.ts"
import { mdxPartials } from "./kit/mdx-partials.ts"
import { objectLiterals, optionIn, textIn, withoutComments } from "./kit/script-settings.ts"

const files = ["js", "ts", "mjs", "cjs", "mts", "cts"].map((end) => `docusaurus.config.${end}`)

/** https://docusaurus.io/docs/create-doc, …/versioning and …/i18n/introduction */
export const docusaurus: SiteGenerator = {
  name: "Docusaurus",
  signs: files,
  async rules(site) {
    const script = withoutComments(await site.text(...files))
    const trailing = optionIn(script, "trailingSlash")
    const style = site.style ?? (trailing === true ? "slash" : "clean")
    const keepsSlash = style === "slash" || (trailing === undefined && site.style === undefined)
    const keepsNumbers = optionIn(script, "numberPrefixParser") === false
    const named = (name: string) => (keepsNumbers ? name : withoutNumber(name))

    function atEnd(route: string, names: string[], isFolder: boolean, language: string | undefined): Route {
      if (names.length === 0) return { path: route, language }
      const path = route + names.join("/")
      return {
        path:
          isFolder && keepsSlash ? `${path}/` : ended(path, isFolder && style === "html" ? "clean" : style),
        language,
      }
    }

    function blogPath(page: Page, slug: string | undefined, date: unknown): string {
      const stem = page.path.replace(/\/index$/, "")
      const dated = /(?<![^/])(\d{4}-\d{1,2}-\d{1,2}|\d{4}\/\d{1,2}\/\d{1,2})[-/]/.exec(stem)
      const day = /^\d{4}-\d\d-\d\d/.exec(dateText(date))?.[0]
      const path =
        slug?.replace(/^\//, "") ??
        (dated
          ? `${stem.slice(0, dated.index)}${dated[1]?.replaceAll("-", "/")}/${stem.slice(dated.index + dated[0].length)}`
          : day
            ? `${day.replaceAll("-", "/")}/${lastName(stem)}`
            : stem)
      return ended(path.replace(/\/$/, ""), style)
    }

    const roots = await pageRoots(site, script)
    return {
      roots,
      async routeOf(page) {
        if (/(?:^|\/)_/.test(page.path)) return pagePart
        const attributes = await page.attributes()
        const { route, language, kind } = page.root
        const slug = usablePath(attributes["slug"])
        if (kind === "blog") return { path: route + blogPath(page, slug, attributes["date"]), language }
        const isFolder = isFolderPage(page.path)
        const folders = parentFolder(page.path)
          .split("/")
          .slice(0, -1)
          .map(kind === "docs" ? named : (name) => name)
        if (kind === "docs" && slug !== undefined) {
          const names = slug.startsWith("/") ? [] : folders
          for (const name of slug.split("/"))
            if (name === "..") names.pop()
            else if (name !== "." && name !== "") names.push(name)
          return atEnd(route, names, slug.endsWith("/"), language)
        }
        if (isFolder) return atEnd(route, folders, true, language)
        const id = word(attributes["id"])
        const name = kind === "docs" ? named(lastName(page.path)) : lastName(page.path)
        return atEnd(
          route,
          [...folders, kind === "docs" && id && !id.includes("/") ? id : name],
          false,
          language,
        )
      },
      includes: [mdxPartials(roots)],
    }
  },
  anchors: { usual: { ...githubAnchors, elementText: pictureText } },
  dialect: { isMdx: true },
}

/** One use of the plugin for documentation, for a blog or for pages of their own. */
interface Plugin {
  kind: "docs" | "blog" | "pages"
  id: string
  folder: string
  route: string
  own: string
}

/** Docusaurus also takes `guide/guide.md` for the page of its folder. */
function isFolderPage(path: string): boolean {
  const names = path.toLowerCase().split("/")
  const name = withoutNumber(names.at(-1) ?? "")
  return (
    name === "index" || name === "readme" || (names.length > 1 && name === withoutNumber(names.at(-2) ?? ""))
  )
}

/** `02-install` → `install`, but dates and versions stay: `2024-01-05`, `7.0-news`. */
function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d/.test(name)) return name
  return name.replace(/^\d+ *[-_.]+ *(?=[^-_.\s])/, "")
}

async function pageRoots(site: SiteFolder, script: string): Promise<PageRoot[]> {
  const byDefault = textIn(script, "defaultLocale") ?? "en"
  const languages = site.list("i18n").filter((language) => /^[a-z]{2,3}(?:-[\w-]+)?$/i.test(language))
  const roots: PageRoot[] = []
  for (const plugin of readPlugins(script)) {
    const published = await publishedFolders(site, plugin, script)
    for (const { folder, translated, route, leftOut } of published) {
      roots.push({
        folder,
        route,
        kind: plugin.kind,
        ...(languages.length > 0 && { language: byDefault }),
        ...(leftOut && { leftOut }),
      })
      for (const language of languages) {
        const prefix = language === byDefault ? "" : `/${language}`
        roots.push({
          folder: `i18n/${language}/${translated}`,
          route: prefix + route,
          kind: plugin.kind,
          language,
          ...(leftOut && { leftOut }),
        })
      }
    }
  }
  return roots
}

function readPlugins(script: string): Plugin[] {
  const plugins: Plugin[] = []
  for (const { name, own, before } of objectLiterals(script)) {
    const kind =
      name === "docs" || name === "blog" || name === "pages"
        ? name
        : /plugin-content-(docs|blog|pages)/.exec(before)?.[1]
    if (kind !== "docs" && kind !== "blog" && kind !== "pages") continue
    const folder = kind === "pages" ? "src/pages" : kind
    const base = textIn(own, "routeBasePath") ?? (kind === "pages" ? "/" : kind)
    // An object of a theme is also called `docs`; it has neither.
    if (name === "docs" && /\b(?:sidebar|versionPersistence)\b\s*:/.test(own) && !/path/i.test(own)) continue
    const id = name === "" ? (textIn(own, "id") ?? "default") : "default"
    plugins.push({
      kind,
      id,
      folder: asFolder(textIn(own, "path") ?? folder),
      route: `/${asFolder(base)}`,
      own,
    })
  }
  for (const kind of ["docs", "blog", "pages"] as const)
    if (
      !plugins.some((plugin) => plugin.kind === kind && plugin.id === "default") &&
      optionIn(script, kind) !== false
    ) {
      const [folder, route] = kind === "pages" ? ["src/pages/", "/"] : [`${kind}/`, `/${kind}/`]
      plugins.push({ kind, id: "default", folder, route, own: "" })
    }
  return plugins
}

interface Published {
  folder: string
  /** Where its translations are, below `i18n/fr/`. */
  translated: string
  route: string
  leftOut?: LeftOut
}

/** The versions of a documentation. Visitors are shown the last one. */
async function publishedFolders(site: SiteFolder, plugin: Plugin, script: string): Promise<Published[]> {
  const { kind, id, folder, route, own } = plugin
  const suffix = id === "default" ? "" : `-${id}`
  const plain = `docusaurus-plugin-content-${kind}${suffix}/`
  if (kind !== "docs") return [{ folder, translated: plain, route }]
  const prefix = id === "default" ? "" : `${id}_`
  const versions = await readVersions(site, `${prefix}versions.json`)
  if (versions.length === 0) return [{ folder, translated: `${plain}current/`, route }]
  const isCurrentThere = optionIn(own, "includeCurrentVersion") !== false
  const last = textIn(own, "lastVersion") ?? versions[0]
  const literals = objectLiterals(script)
  const all = [...(isCurrentThere ? ["current"] : []), ...versions]
  return all.map((version) => {
    const at = textIn(
      literals.find(({ name, own }) => name === version && /\bpath\b/.test(own))?.own ?? "",
      "path",
    )
    const place = at ?? (version === last ? "" : version === "current" ? "next" : version)
    return {
      folder: version === "current" ? folder : `${prefix}versioned_docs/version-${version}/`,
      translated: `${plain}${version === "current" ? "current" : `version-${version}`}/`,
      route: route + asFolder(place),
      ...(version !== last && {
        leftOut: { leftOut: "empty", detail: detail("reading.otherVersion", { version: last as string }) },
      }),
    }
  })
}

async function readVersions(site: SiteFolder, file: string): Promise<string[]> {
  const versions = (await site.settings(file)) as unknown
  return Array.isArray(versions) ? versions.filter((version) => typeof version === "string") : []
}
