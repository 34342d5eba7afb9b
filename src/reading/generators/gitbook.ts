import { posix } from "node:path"
import type { SiteGenerator } from "./kit/generator.ts"
import { asFolder, ended, lastName, notInContents } from "./kit/generator.ts"
import { listedPages } from "./kit/listed-pages.ts"
import { withoutLigatures } from "./kit/slugs.ts"

/** https://gitbook.com/docs/getting-started/git-sync/content-configuration */
export const gitbook: SiteGenerator = {
  name: "GitBook",
  signs: [".gitbook.yaml", ".gitbook", "SUMMARY.md"],
  // Books of HonKit have a SUMMARY.md as well, there or a folder deeper, and the rules of GitHub.
  owns: (has) =>
    [".gitbook.yaml", ".gitbook"].some(has) ||
    !["book.toml", "book.json", "book.js"].some((name) => has(name) || has(`../${name}`)),
  async rules(site) {
    const text = await site.text(".gitbook.yaml")
    const folder = asFolder(/^root:\s*["']?([\w./-]+)/m.exec(text)?.[1] ?? "")
    const contents = /^[ \t]+summary:[ \t]*["']?([\w./-]+)/m.exec(text)?.[1] ?? "SUMMARY.md"
    const listed = listedPages(await site.text(folder + contents), posix.dirname(contents))

    return {
      roots: [{ folder, route: "/" }],
      folderPage: "README",
      routeOf(page) {
        if (listed && !listed.has(page.path + page.extension)) return notInContents
        const names = page.path.split("/").map((name) => slugified(name) || name)
        const isFolder = /^(?:index|readme)$/i.test(lastName(page.path))
        const path = `/${(isFolder ? names.slice(0, -1) : names).join("/")}`
        return {
          path:
            path === "/"
              ? path
              : ended(path, isFolder && site.style === "html" ? "clean" : (site.style ?? "clean")),
        }
      },
    }
  },
  // Accents and apostrophes are removed, dots stay: creer-lete, id-2.-pas.
  anchors: { usual: { slug: anchor } },
  dialect: {},
}

/** GitBook keeps the id of a heading that was renamed, and then writes it into the Markdown. */
const maxAnchorCharacters = 100

function anchor(text: string): string {
  return slugified(text)
    .replace(/^(?=\d)/, "id-")
    .slice(0, maxAnchorCharacters)
    .replace(/-$/, "")
}

/** Also the way GitBook names the pages of a site. */
function slugified(text: string): string {
  return withoutLigatures(text)
    .toLowerCase()
    .replace(/['’ʼ]/g, "")
    .replaceAll("&", "-and-")
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^-|-$/g, "")
}
