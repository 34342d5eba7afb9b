import { slug as githubSlug } from "github-slugger"
import { githubAnchors, withDashes } from "../formats/markdown/anchors.ts"
import { usablePath } from "./kit/address.ts"
import type { PageRoot, SiteGenerator } from "./kit/generator.ts"
import { ended, lastName, parentFolder } from "./kit/generator.ts"
import { mdxPartials } from "./kit/mdx-partials.ts"
import { objectLiterals, textIn, withoutComments } from "./kit/script-settings.ts"

const files = ["mjs", "ts", "js", "mts"].map((end) => `astro.config.${end}`)

/** https://starlight.astro.build/guides/pages/ */
export const starlight: SiteGenerator = {
  name: "Starlight",
  signs: files,
  owns: (has) => has("src/content/docs"),
  async rules(site) {
    const script = withoutComments(await site.text(...files))
    const style =
      site.style ??
      { always: "slash", never: "clean", ignore: "slash" }[textIn(script, "trailingSlash") ?? "ignore"] ??
      "slash"
    const languages = objectLiterals(script)
      .filter(({ own, name }) => /\blabel\s*:/.test(own) && /\blang\s*:/.test(own) && name !== "root")
      .map(({ name }) => name)
    const folder = "src/content/docs/"

    const roots: PageRoot[] = [
      { folder, route: "/" },
      ...languages.map((language) => ({ folder: `${folder}${language}/`, route: `/${language}/`, language })),
    ]
    return {
      roots,
      async routeOf(page) {
        const { language } = page.root
        const slug = usablePath((await page.attributes())["slug"])?.replace(/^\/|\/$/g, "")
        const names = page.path.split("/").map((name) => githubSlug(name))
        const path =
          slug ??
          (lastName(page.path) === "index" ? parentFolder(names.join("/")).slice(0, -1) : names.join("/"))
        const whole = `${slug === undefined ? page.root.route : "/"}${path}`
        return { path: whole.endsWith("/") ? whole : ended(whole, style as "slash"), language }
      },
      includes: [mdxPartials([])],
      anchors: /"astro":\s*"[\^~]?[1-6]\./.test(await site.text("package.json")) ? "remark" : "usual",
    }
  },
  anchors: {
    usual: { ...githubAnchors, typography: withDashes },
    // Before Astro 7, three hyphens stay.
    remark: { ...githubAnchors, typography: (text) => text.replace(/(?<!-)--(?!-)/g, "–") },
  },
  dialect: {},
}
