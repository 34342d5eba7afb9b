import { usablePath } from "./address.ts"
import type { Page, Route, SiteFolder, SiteRules, UrlStyle } from "./generator.ts"
import { ended, lastName, parentFolder } from "./generator.ts"

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
    const whole = fileRoute(page.path, site.style)
    if (own === undefined) return whole
    const end = /(?:\.html|\/)$/.exec(whole.path)?.[0] ?? ""
    return { path: parentFolder(whole.path.slice(0, whole.path.length - end.length)) + own + end }
  }
  return { roots: [{ folder: "", route: "/" }], routeOf }
}

/** An index or README has the address of its folder. */
export function fileRoute(file: string, style: UrlStyle = "clean"): Route {
  const path = file.replace(/\.html?$/i, "")
  return {
    path: /^(?:_?index|readme)$/i.test(lastName(path)) ? `/${parentFolder(path)}` : ended(`/${path}`, style),
  }
}
