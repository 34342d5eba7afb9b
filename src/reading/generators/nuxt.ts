import { firstFree, githubAnchors } from "../formats/markdown/anchors.ts"
import type { Page, Route, SiteFolder, SiteGenerator, SiteRules } from "./kit/generator.ts"
import { ended } from "./kit/generator.ts"
import { rewritten, withoutMarks } from "./kit/slugs.ts"

/** https://content.nuxt.com: `1.guide/2.install.md` is at `/guide/install`. */
export const nuxt: SiteGenerator = {
  name: "Nuxt Content",
  signs: ["ts", "js", "mjs"].map((end) => `nuxt.config.${end}`),
  owns: (has) => has("content"),
  rules: async (site: SiteFolder): Promise<SiteRules> => ({
    roots: [{ folder: "content/", route: "/" }],
    routeOf({ path }: Page): Route {
      const names = path.split("/").map(shownName)
      const parts = names.at(-1) === "index" ? names.slice(0, -1) : names
      return { path: parts.length === 0 ? "/" : ended(`/${parts.join("/")}`, site.style ?? "clean") }
    },
  }),
  anchors: {
    usual: {
      ...githubAnchors,
      // Numbered before hyphens are joined, so that one may occur twice.
      unique: (slug, page) =>
        firstFree(slug, page)
          .replace(/-+/g, "-")
          .replace(/^-|-$/g, "")
          .replace(/^(?=\d)/, "_"),
    },
  },
  dialect: {},
}

/** As the package `slugify` names them; numbers of versions stay. */
function shownName(name: string): string {
  if (/^\d+(?:\.\d+)*(?:\.x)?$/.test(name)) return name
  const plain = name.replace(/^\d+\./, "").replace(/\.draft$/, "")
  return withoutMarks(rewritten(plain.normalize(), signs))
    .replace(/[^\w\s$*+~.()'"!:@]+/g, (other) => (other.includes("-") ? " " : ""))
    .trim()
    .replace(/\s+/g, "-")
    .toLowerCase()
}

const signs = {
  ...{
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "…": "...",
    "•": "*",
    "™": "tm",
    "©": "(c)",
    "®": "(r)",
    "€": "euro",
  },
  ...{ "£": "pound", $: "dollar", "%": "percent", "&": "and", "<": "less", ">": "greater", "|": "or" },
  ...{ œ: "oe", Œ: "oe", æ: "ae", Æ: "ae", ø: "o", Ø: "o", ß: "ss", đ: "d", ð: "d", þ: "th", ł: "l", Ł: "l" },
}
