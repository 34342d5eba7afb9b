import { expect } from "bun:test"
import axe from "axe-core"
import type { Page } from "playwright-core"

/** axe-core finds nothing on the page as it stands. `state` names it where it does. */
export async function expectNothing(page: Page, state: string): Promise<void> {
  // On a busy machine, text is there before its style is.
  await page.waitForLoadState("load")
  // What the page's policy forbids to the page's scripts is open to the test.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { violations, incomplete } = await (window as unknown as { axe: typeof axe }).axe.run()
    const unsure = incomplete.filter(({ id }) => id === "color-contrast")
    return [...violations, ...unsure].flatMap(({ id, nodes }) =>
      nodes
        .map(
          ({ html, any }) => `${id}: ${html.slice(0, 200)} ${any.map(({ message }) => message).join("; ")}`,
        )
        // Scrolled halfway out of sight, or a single digit: nothing is known to be wrong.
        .filter((text) => !/obscured|overlapped|too short/.test(text)),
    )
  })
  expect({ state, found }).toEqual({ state, found: [] })
}
