import type { Include, SiteGenerator } from "./kit/generator.ts"
import { ended, lastName, notPublished, parentFolder } from "./kit/generator.ts"
import { between, lineRange } from "./kit/includes.ts"
import { ignoredPaths } from "./kit/patterns.ts"
import { withoutAccents } from "./kit/slugs.ts"

/** Sphinx with Markdown by MyST; its pages in reStructuredText are not read. */
export const sphinx: SiteGenerator = {
  name: "Sphinx",
  signs: ["conf.py"],
  async rules(site) {
    const script = await site.text("conf.py")
    const start = /^exclude_patterns[ \t]*=[ \t]*\[/m.exec(script)
    const list = start ? (script.slice(start.index + start[0].length).split("]", 1)[0] ?? "") : ""
    const patterns = [...list.matchAll(/["']([^"'\n]+)["']/g)].map(([, pattern]) => pattern as string)
    const isExcluded = ignoredPaths(["_build", "_templates", "_static", ...patterns])
    const isDirectory =
      site.style === "slash" ||
      /dirhtml/.test(await site.text("Makefile", "make.bat", ".readthedocs.yaml", "../.readthedocs.yaml"))

    return {
      roots: [{ folder: "", route: "/" }],
      routeOf(page) {
        if (isExcluded(page.path + page.extension)) return notPublished
        if (lastName(page.path) === "index") return { path: `/${parentFolder(page.path)}` }
        return { path: ended(`/${page.path}`, site.style ?? (isDirectory ? "slash" : "html")) }
      },
      includes: [include],
    }
  },
  anchors: { usual: { slug: slugified, numbered: (_, n) => `id${n}` } },
  dialect: {},
}

/** Accents are removed, all else becomes a hyphen, letters come first: creer-l-ete. */
function slugified(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^[-\d]+|-$/g, "")
}

/** ```` ```{include} ../README.md ```` with options on lines below. */
const include: Include = {
  pattern:
    /^(`{3,}|:{3,})\{(include|literalinclude)\}[ \t]+(\S+)[ \t]*\n((?:[ \t]*:[\w-]+:[^\n]*\n)*)\s*\1[ \t]*$/gm,
  of([, , kind, file = "", options = ""], { folder }) {
    const settings = new Map<string, string>()
    for (const [, name = "", value = ""] of options.matchAll(/:([\w-]+):[ \t]*([^\n]*)/g))
      settings.set(name, value.trim())
    const [start, end, from, to] = ["start-after", "end-before", "start-line", "end-line"].map((name) =>
      settings.get(name),
    )
    const part = start
      ? between(
          (line) => line.includes(start),
          (line) => end !== undefined && line.includes(end),
          () => false,
        )
      : from || to
        ? lineRange(Number(from ?? 0) + 1, Number(to) || Number.POSITIVE_INFINITY)
        : undefined
    const paths = [file.startsWith("/") ? file.slice(1) : folder + file]
    return { paths, part, ...(kind === "literalinclude" && { code: settings.get("language") ?? "" }) }
  },
}
