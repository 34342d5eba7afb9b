import axe from "axe-core"
import type { Page } from "playwright-core"

/**
 * What axe-core finds on a page (WCAG 2.2 AA and its own good practice), and whether the page is wider than
 * its window.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  // On a busy machine, text is there before its style is.
  await page.waitForLoadState("load")
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    // What axe preloads it puts into style elements of its own, which the policy of the page forbids.
    const results = await (window as unknown as { axe: typeof axe }).axe.run({ preload: false })
    return results.violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(", ")}`)
  })
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  return isTooWide ? [...violations, "wider than the window"] : violations
}
