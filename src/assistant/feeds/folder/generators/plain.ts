import { usablePath } from "../address.ts"
import type { Page, Route, SiteFolder, SiteRules } from "./rules.ts"
import { ended, folderOf, nameOf } from "./rules.ts"

/**
 * A folder whose generator is not known: what most have in common. `permalink` and `url` start from the site's root,
 * and so does a `slug` with a slash; one without replaces the last name of the path.
 */
export async function plainRules(site: SiteFolder): Promise<SiteRules> {
  async function routeOf(page: Page): Promise<Route> {
    const attributes = await page.attributes()
    const own = ["permalink", "url", "slug"]
      .map((name) => usablePath(attributes[name]))
      .find((path) => path !== undefined && !path.includes(":"))
    if (own?.includes("/")) return { path: `/${own.replace(/^\/+/, "")}`, isOwn: true }
    const folder = `/${folderOf(page.path)}`
    const style = site.style ?? "clean"
    if (!/^(?:_?index|readme)$/i.test(nameOf(page.path)))
      return { path: ended(folder + (own ?? nameOf(page.path)), style) }
    return { path: own === undefined || folder === "/" ? folder : folder.replace(/[^/]+\/$/, `${own}/`) }
  }
  return { roots: [{ folder: "", route: "/" }], routeOf }
}
