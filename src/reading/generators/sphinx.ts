import { firstFree, type PageAnchors } from "../formats/markdown/anchors.ts"
import type { Include, SiteGenerator } from "./kit/generator.ts"
import { ended, lastName, notPublished, parentFolder } from "./kit/generator.ts"
import { between, lineRange } from "./kit/includes.ts"
import { ignoredPaths } from "./kit/patterns.ts"
import { asciiOnly, rewritten } from "./kit/slugs.ts"

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
  anchors: {
    usual: { slug: slugified, unique },
    // References to footnotes count among id1, id2 …, so that such an id of a heading is not known.
    withNotes: {
      slug: slugified,
      unique: (slug, page) => (page.taken.has(slug) ? "" : firstFree(slug, page)),
    },
  },
  pageAnchors: ({ body }) => (/\[\^[^\]\s]{1,100}\]/.test(body) ? "withNotes" : undefined),
  dialect: {},
}

/** As docutils does: accents and other signs that ASCII lacks go, all else becomes a hyphen, letters come first. */
function slugified(text: string): string {
  return asciiOnly(rewritten(text.toLowerCase(), letters))
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^[-\d]+|-$/g, "")
}

const letters = { ß: "sz", æ: "ae", œ: "oe", ø: "o", đ: "d", ħ: "h", ı: "i", ł: "l", ŧ: "t" }

/** A slug that is empty or in use gives way to the next of id1, id2 … on the page. */
function unique(slug: string, { taken, counts }: PageAnchors): string {
  let count = counts.get("") ?? 0
  let anchor = slug
  while (anchor === "" || taken.has(anchor)) anchor = `id${++count}`
  counts.set("", count)
  taken.add(anchor)
  return anchor
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
