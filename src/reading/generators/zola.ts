import { pictureText } from "../formats/markdown/anchors.ts"
import { usablePath } from "./kit/address.ts"
import type { Page, SiteGenerator } from "./kit/generator.ts"
import { lastName, notPublished, parentFolder, record, word } from "./kit/generator.ts"
import { rewritten, withoutAccents } from "./kit/slugs.ts"

const files = ["zola.toml", "config.toml"]

/** https://www.getzola.org/documentation/content/overview/ */
export const zola: SiteGenerator = {
  name: "Zola",
  signs: files,
  // Hugo has a config.toml and contents as well, but its templates are in `layouts`.
  owns: (has) => has("zola.toml") || (has("content") && has("templates")),
  async rules(site) {
    const config = await site.settings(...files)
    const byDefault = word(config["default_language"]) ?? "en"
    const languages = Object.keys(record(config["languages"])).filter((language) => language !== byDefault)
    const slugify = record(config["slugify"])
    const named = pathNames[word(slugify["paths"]) ?? "on"] ?? slugified

    /** `install.fr` is the page `install` in French where the site has that language. */
    function translated(path: string): { stem: string; language: string } {
      const suffix = languages.find((language) => path.endsWith(`.${language}`))
      return suffix
        ? { stem: path.slice(0, -suffix.length - 1), language: suffix }
        : { stem: path, language: byDefault }
    }

    return {
      roots: [{ folder: "content/", route: "/" }],
      languages,
      folderPage: "_index",
      async routeOf(page) {
        const attributes = await page.attributes()
        if (attributes["render"] === false) return notPublished
        const { stem, language } = translated(page.path)
        const own = usablePath(attributes["path"])?.replace(/^\/|\/$/g, "")
        if (own !== undefined) return { path: `/${own}/`, language, isOwn: true }
        const prefix = language === byDefault ? "/" : `/${language}/`
        const folder = parentFolder(stem)
        if (lastName(stem) === "_index") return { path: prefix + folder, language }
        // A page beside its files is the `index.md` of a folder of its own.
        const isBundle = lastName(stem) === "index"
        const above = isBundle ? parentFolder(folder.slice(0, -1)) : folder
        const file = lastName(isBundle ? folder.slice(0, -1) : stem)
        const name =
          usablePath(attributes["slug"]) ?? (slugify["paths_keep_dates"] ? file : withoutDate(file))
        return { path: `${prefix}${above}${named(name)}/`.replace(/\/{2,}/g, "/"), language }
      },
      filled: (text, page) => withLinks(text, page),
      anchors: (word(slugify["anchors"]) ?? "on") === "on" ? "usual" : "safe",
    }
  },
  anchors: {
    // All that is not ASCII is written in it, and other signs become a hyphen: creer-l-ete.
    usual: { slug: slugified, elementText: pictureText },
    safe: { elementText: pictureText, slug: (text) => text.replace(/[\t\n\f\r ]/g, "_") },
  },
  dialect: {},
}

const pathNames: Record<string, (name: string) => string> = {
  on: slugified,
  safe: (name) => name.replace(/(?<![ .])[ .]+$/, "").replace(/[<>:"/\\|?*]/g, ""),
  off: (name) => name,
}

/** `2024-01-05-news` → `news`. */
function withoutDate(name: string): string {
  return name.replace(/^\d{4}-\d\d-\d\d(?:T[\d:.Z+-]{8,30})?\s?[_-](?=.)/, "")
}

/** As the crate `slug` makes them. */
function slugified(text: string): string {
  return withoutAccents(rewritten(text, letters))
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")
}

const letters = {
  ...{ œ: "oe", Œ: "oe", æ: "ae", Æ: "ae", ø: "o", Ø: "o", ß: "ss", ð: "d", þ: "th", đ: "d", ł: "l", Ł: "l" },
  ...{ "°": "deg", "€": "eur", "£": "ps", "§": "ss", "×": "x", µ: "u", "©": "-c-", "®": "-r-", "\u00ad": "" },
}

/** Links to files from the contents on: `[B](@/guide/b.md#fin)`. */
async function withLinks(text: string, page: Page): Promise<string> {
  const pattern = /\]\(@\/([^()\s#]+)/g
  const urls = new Map<string, string>()
  for (const [, file = ""] of text.matchAll(pattern)) {
    const route = urls.has(file) ? undefined : await page.routeOf(page.root.folder + file)
    if (route !== undefined) urls.set(file, page.urlOf(route))
  }
  return text.replace(pattern, (found, file: string) => (urls.has(file) ? `](${urls.get(file)}` : found))
}
