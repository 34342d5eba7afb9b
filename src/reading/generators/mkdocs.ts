import { isObject } from "../../base/names.ts"
import type { PageAnchors } from "../formats/markdown/anchors.ts"
import type { Attributes, Include, PageRoot, SiteFolder, SiteGenerator } from "./kit/generator.ts"
import {
  asFolder,
  ended,
  lastName,
  notPublished,
  parentFolder,
  record,
  word,
  words,
} from "./kit/generator.ts"
import { between, lineRange } from "./kit/includes.ts"
import { ignoredPaths } from "./kit/patterns.ts"
import { asciiOnly } from "./kit/slugs.ts"

const files = ["mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "properdocs.yaml", "zensical.toml"]

/** https://www.mkdocs.org/user-guide/writing-your-docs/ and the plugin mkdocs-static-i18n */
export const mkdocs: SiteGenerator = {
  name: "MkDocs",
  signs: files,
  async rules(site) {
    const config = await readConfig(site)
    const folder = asFolder(word(config["docs_dir"]) ?? "docs")
    const style = site.style ?? (config["use_directory_urls"] === false ? "html" : "slash")
    const lists = [config["exclude_docs"], config["draft_docs"]].map((list) =>
      typeof list === "string" ? list.split("\n") : [],
    )
    const isExcluded = ignoredPaths(["/templates/", ...lists.flat()])
    const { byDefault, languages, isByFolder } = readLanguages(config)

    function translated(path: string): { path: string; language?: string } {
      const [, inFolder = "", rest = ""] = /^([^/]+)\/(.*)$/.exec(path) ?? []
      if (isByFolder) return languages.includes(inFolder) ? { path: rest, language: inFolder } : { path }
      const suffix = /\.([^./]+)$/.exec(path)?.[1] ?? ""
      return languages.includes(suffix)
        ? { path: path.slice(0, -suffix.length - 1), language: suffix }
        : { path }
    }

    const roots: PageRoot[] = [{ folder, route: "/" }]
    return {
      roots,
      languages,
      routeOf(page) {
        if (isExcluded(page.path + page.extension)) return notPublished
        const { path, language = byDefault } = translated(page.path)
        const name = lastName(path)
        const above = `${language === byDefault ? "" : `/${language}`}/${parentFolder(path)}`
        const isIndex =
          name === "index" || (name === "README" && !page.has(`${parentFolder(page.path)}index.md`))
        return { path: isIndex ? above : ended(above + name, style), language }
      },
      includes: readIncludes(config, folder),
      anchors: anchorsName(await site.text(...files)),
    }
  },
  anchors: {
    // Accents are removed, then all that is not ASCII, and punctuation: creer-lete.
    usual: { slug: slugified, unique },
    // With the slugs of PyMdown: créer-lété, or Créer-lété.
    unicode: { slug: (text) => pymdownSlug(text).toLowerCase(), unique },
    cased: { slug: pymdownSlug, unique },
  },
  dialect: { fillsVariables: true, continuesBehindHtml: true },
}

/**
 * A slug that is empty or in use gets _1, or counts on from the number at its end: exemple_1 → exemple_2. `counts`
 * holds by anchor the number from which on it may be free, so that numbers in use are passed once.
 */
function unique(slug: string, { taken, counts }: PageAnchors): string {
  const ending = /_(\d{1,9})$/.exec(slug)
  const stem = ending ? slug.slice(0, ending.index) : slug
  const passed: string[] = []
  let anchor = slug
  let number = Number(ending?.[1] ?? 0)
  while (anchor === "" || taken.has(anchor)) {
    const place = `${stem}_${number}`
    passed.push(place)
    number = counts.get(place) ?? number + 1
    anchor = `${stem}_${number}`
  }
  for (const place of passed) counts.set(place, number)
  taken.add(anchor)
  return anchor
}

function slugified(text: string): string {
  return asciiOnly(text)
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-")
}

function pymdownSlug(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, "")
    .trim()
    .replaceAll(" ", "-")
}

/** With the file that it inherits from. */
async function readConfig(site: SiteFolder): Promise<Attributes> {
  const config = await site.settings(...files)
  const above = word(config["INHERIT"])
  if (isObject(config["project"])) return record(config["project"])
  return above === undefined ? config : { ...(await site.settings(above.replace(/^\.\//, ""))), ...config }
}

/** Languages of the plugin i18n, in its first form and in today's. */
function readLanguages(config: Attributes) {
  const plugins = Array.isArray(config["plugins"])
    ? config["plugins"]
    : Object.entries(record(config["plugins"])).map(([name, given]) => ({ [name]: given }))
  const i18n =
    plugins
      .map(record)
      .map((plugin) => plugin["i18n"])
      .find(isObject) ?? {}
  const { languages: given } = i18n
  const listed = Array.isArray(given)
    ? given.map(record)
    : Object.entries(record(given)).map(([locale, of]) => ({ locale, ...record(of) }) as Attributes)
  const languages = listed
    .flatMap(({ locale, build }) => (build === false ? [] : words(locale)))
    .filter((locale) => locale !== "default")
  const byDefault =
    word(listed.find((language) => language["default"] === true)?.["locale"]) ??
    word(i18n["default_language"])
  return { byDefault, languages, isByFolder: i18n["docs_structure"] === "folder" }
}

function readIncludes(config: Attributes, docs: string): Include[] {
  const extensions = Array.isArray(config["markdown_extensions"])
    ? Object.assign({}, ...config["markdown_extensions"].map((each) => (isObject(each) ? each : {})))
    : record(config["markdown_extensions"])
  const bases = words(record(extensions["pymdownx.snippets"])["base_path"])
  const folders = [...(bases.length > 0 ? bases : ["."]).map(asFolder), docs]
  const within = (file: string) => folders.map((folder) => folder + file)
  return [snippets(within), includedMarkdown(docs, within)]
}

/** `--8<-- "a.md:section"`, or the names of files line by line between two such marks. */
function snippets(within: (file: string) => string[]): Include {
  return {
    prepare: (text) =>
      !/^[ \t]*-+8<-+[ \t]*$/m.test(text)
        ? text
        : text
            .split(/^([ \t]*)-+8<-+[ \t]*$/m)
            // Marks part the text: what is before, an indentation, the names, an indentation, what is after, …
            .map((part, at) =>
              at % 4 === 2 ? part.split("\n").map(named).join("\n") : at % 2 === 1 ? "" : part,
            )
            .join(""),
    pattern: /^([ \t]*)(;?)-+8<-+[ \t]+"([^"\n]+)"[ \t]*$/gm,
    of([, indent = "", escaped, named = ""]) {
      if (escaped || named.startsWith(";")) return undefined
      const [, file = "", first, second] = /^(.*?)(?::(-?\d+|[\w-]*)(?::(-?\d*))?)?$/.exec(named.trim()) ?? []
      return { paths: within(file), part: namedPart(first, second), indent }
    },
  }
}

function namedPart(
  first: string | undefined,
  second: string | undefined,
): ((text: string) => string) | undefined {
  if (first === undefined) return undefined
  if (/^-?\d*$/.test(first))
    return lineRange(Number(first || 1), Number(second || first) || Number.POSITIVE_INFINITY)
  const mark = /-8<-+[ \t]*\[(start|end):[ \t]*([\w-]+)/
  const is = (kind: string) => (line: string) => {
    const [, which, name] = mark.exec(line) ?? []
    return which === kind && name === first
  }
  return between(is("start"), is("end"), (line) => mark.test(line))
}

/** A file that is named on a line of its own; `;` before it takes it out. */
function named(line: string): string {
  const file = line.trim()
  return file === "" || file.startsWith(";") ? "" : `--8<-- "${file}"`
}

/** The plugin include-markdown, and the extension markdown-include: `{!a.md!}`. */
function includedMarkdown(docs: string, within: (file: string) => string[]): Include {
  return {
    pattern: /^([ \t]*)(?:\{%-?[ \t]*include(?:-markdown)?(?=[ \t\n"'])([^{}%]*)%\}|\{!([^!\n]*)!\})/gm,
    of([, indent = "", options = "", plain], { folder }) {
      const file = /["']([^"'\n]+)["']/.exec(options)?.[1]
      const marks = new Map<string, string>()
      for (const [, name = "", mark = ""] of options.matchAll(/\b(start|end)=["']([^"'\n]*)["']/g))
        marks.set(name, mark)
      const [start, end] = [marks.get("start"), marks.get("end")]
      const part = (text: string) => {
        const from = start ? text.indexOf(start) : -1
        const rest = from === -1 ? text : text.slice(from + (start?.length ?? 0))
        const to = end ? rest.indexOf(end) : -1
        return to === -1 ? rest : rest.slice(0, to)
      }
      if (plain !== undefined) return { paths: within(plain.trim()), indent }
      if (file === undefined) return undefined
      return { paths: [folder + file, docs + file], part: start || end ? part : undefined, indent }
    },
  }
}

/** Slugs that settings ask for by the name of a Python function. */
function anchorsName(text: string): "usual" | "unicode" | "cased" {
  const name = /^[ \t]+slugify:(.*)/m.exec(text)?.[1] ?? ""
  return /pymdownx|slugify_unicode|uslug/.test(name)
    ? /case:\s*["']?lower|uslugify\b/.test(text)
      ? "unicode"
      : "cased"
    : "usual"
}
