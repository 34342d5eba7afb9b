import type { Include, SiteGenerator } from "./kit/generator.ts"
import { asFolder, ended, lastName, notPublished, parentFolder } from "./kit/generator.ts"
import { between, lineRange } from "./kit/includes.ts"
import { ignoredPaths } from "./kit/patterns.ts"
import { listIn, objectLiterals, optionIn, pairsIn, textIn, withoutComments } from "./kit/script-settings.ts"
import { withoutAccents } from "./kit/slugs.ts"

/** https://vitepress.dev/guide/routing; VuePress came before it. */
export const vitepress: SiteGenerator = {
  name: "VitePress",
  signs: [".vitepress", ".vuepress"],
  async rules(site) {
    const script = withoutComments(await site.text(...files))
    const isVuePress = site.has(".vuepress")
    const source = asFolder(textIn(script, "srcDir") ?? "")
    const style = site.style ?? (optionIn(script, "cleanUrls") === true ? "clean" : "html")
    const isExcluded = ignoredPaths(listIn(script, "srcExclude"))
    const rewritten = rewriter(
      pairsIn(objectLiterals(script).find(({ name }) => name === "rewrites")?.own ?? ""),
    )

    return {
      roots: [{ folder: source, route: "/" }],
      routeOf(page) {
        const file = page.path + page.extension
        if (isExcluded(file)) return notPublished
        const path = rewritten(file).replace(/\.md$/, "")
        const isFolder =
          lastName(path) === "index" || (isVuePress && lastName(path).toLowerCase() === "readme")
        return { path: isFolder ? `/${parentFolder(path)}` : ended(`/${path}`, style) }
      },
      includes: [include(source), snippet(source)],
    }
  },
  anchors: { usual: { slug: slugified } },
  dialect: { fillsVariables: true },
}

/** Accents are removed, punctuation becomes a hyphen: creer-l-ete. */
function slugified(text: string): string {
  return withoutAccents(text)
    .replace(/[\s!-/:-@[-`{-~“”‘’]+/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/^(?=\d)/, "_")
    .toLowerCase()
}

const files = [".vitepress", ".vuepress"].flatMap((folder) =>
  ["config", "config/index"].flatMap((name) =>
    ["ts", "mts", "js", "mjs", "cjs"].map((end) => `${folder}/${name}.${end}`),
  ),
)

/** `packages/:pkg/src/:rest*` → `:pkg/:rest*`, as the settings write it. */
function rewriter(pairs: [string, string][]): (file: string) => string {
  const rewrites = pairs.slice(0, maxRewrites).map(([from, to]) => ({ parts: from.split(parameter), to }))
  return (file) => {
    for (const { parts, to } of rewrites) {
      const values = matchParameters(parts, file)
      if (values) return to.replace(parameters, (name) => values.get(name.replace(/\W/g, "")) ?? name)
    }
    return file
  }
}

const maxRewrites = 200
const parameter = /(:\w+\*?|\(\.\*\))/
const parameters = /:\w+\*?|\(\.\*\)/g

/** What each parameter of a pattern stands for in a path; undefined when the path does not fit. */
function matchParameters(parts: string[], file: string): Map<string, string> | undefined {
  const values = new Map<string, string>()
  let at = 0
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) {
      if (!file.startsWith(part, at)) return undefined
      at += part.length
      continue
    }
    const next = parts[index + 1] ?? ""
    const isDeep = /\*/.test(part)
    const slash = file.indexOf("/", at)
    const end = isDeep || slash === -1 ? file.length : slash
    const stop = next === "" ? end : isDeep ? file.lastIndexOf(next) : file.indexOf(next, at)
    if (stop < at || stop > end) return undefined
    values.set(part.replace(/\W/g, ""), file.slice(at, stop))
    at = stop
  }
  return at === file.length ? values : undefined
}

/** `<!--@include: ./part.md{3,10}-->`, `<!--@include: @/part.md#region-->` */
function include(source: string): Include {
  return {
    pattern: /<!--[ \t]*@include:([^<>\n]*)-->/g,
    of([, given = ""], { folder }) {
      const { file, region, options } = named(given)
      const [from = "", to = from] = options.split(",")
      const lines = options && lineRange(Number(from || 1), Number(to) || Number.POSITIVE_INFINITY)
      return {
        paths: [includedFile(file, folder, source)],
        part: region ? namedRegion(region) : lines || undefined,
      }
    },
  }
}

/** `<<< @/examples/a.ts#part{1 ts}` */
function snippet(source: string): Include {
  return {
    pattern: /^([ \t]*)<<<[ \t]([^\n]*)/gm,
    of([, indent = "", given = ""], { folder }) {
      const { file, region, options } = named(given)
      const language =
        /\b([a-z][\w-]*)\b/i.exec(options.split(":")[0] ?? "")?.[1] ?? /\.(\w+)$/.exec(file)?.[1] ?? ""
      const part = region ? namedRegion(region) : undefined
      return { paths: [includedFile(file, folder, source)], part, code: language, indent }
    },
  }
}

/** `a.md#region{options} [title]` */
function named(given: string): { file: string; region: string; options: string } {
  const [start = "", options = ""] = given.split("{", 2)
  const [file = "", region = ""] = (start.trim().split(/[ \t[]/, 1)[0] ?? "").split("#", 2)
  return { file, region, options: options.split("}", 1)[0] ?? "" }
}

function includedFile(file: string, folder: string, source: string): string {
  return file.startsWith("@/")
    ? source + file.slice(2)
    : file.startsWith("@")
      ? source + file.slice(1)
      : folder + file
}

/** Editors mark regions in the comments of each language, and VitePress takes a heading's id for one. */
function namedRegion(name: string): (text: string) => string {
  const mark = /#?\b(end)?region\b[ \t]*([\w*-]*)/
  const marked = between(
    (line) => mark.exec(line)?.[2] === name && mark.exec(line)?.[1] === undefined,
    (line) => mark.exec(line)?.[1] === "end" && [name, ""].includes(mark.exec(line)?.[2] ?? ""),
    (line) => /^\W*#?(?:end)?region\b/.test(line),
  )
  return (text) => marked(text)
}
