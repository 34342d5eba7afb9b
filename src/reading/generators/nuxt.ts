import { withoutAccents } from "../formats/markdown/anchors.ts"
import type { Page, Route, SiteFolder, SiteGenerator, SiteRules } from "./rules.ts"
import { ended } from "./rules.ts"

/** https://content.nuxt.com: `1.guide/2.install.md` is at `/guide/install`. */
export const nuxt: SiteGenerator = {
  signs: ["ts", "js", "mjs"].map((end) => `nuxt.config.${end}`),
  owns: (has) => has("content"),
  rules: async (site: SiteFolder): Promise<SiteRules> => ({
    roots: [{ folder: "content/", route: "/" }],
    routeOf({ path }: Page): Route {
      const names = path.split("/").map(shownName)
      const shown = names.at(-1) === "index" ? names.slice(0, -1) : names
      return { path: shown.length === 0 ? "/" : ended(`/${shown.join("/")}`, site.style ?? "clean") }
    },
  }),
}

function shownName(name: string): string {
  return withoutAccents(name.replace(/^\d+\./, ""))
    .toLowerCase()
    .replace(/[^\w.-]+/g, "-")
    .replace(/^-|-$/g, "")
}
