import type { Page } from "playwright-core"
import type { TestBrowser } from "./browser.ts"
import type { Counter } from "./counter.ts"
import { signedIn } from "./operator.ts"
import type { Service } from "./service.ts"

export interface VisitedPage {
  /** Its path, each id replaced: `/console/projects/:id/questions`. */
  pattern: string
  /** Size of its HTML before compression. */
  bytes: number
}

/** Signs the browser in as an owner. */
export async function signIn(page: Page, service: Service): Promise<void> {
  const { cookie } = await signedIn(service)
  const [name = "", value = ""] = cookie.split("=")
  await page.context().addCookies([{ name, value, url: service.url }])
}

/** « Apparence » of the project, in a page of its own, with every field and the panel of the preview open. */
export async function openPreview(browser: TestBrowser, { service, project }: Counter) {
  const page = await browser.page(`${service.url}/console/sign-in`, {})
  await signIn(page, service)
  await page.goto(`${service.url}/console/projects/${project.id}/appearance`)
  await unfold(page)
  const preview = page.frameLocator("[data-preview]")
  // Its button is fixed to the frame's corner, where no scrolling of the frame brings it into sight.
  await page.locator("[data-preview]").scrollIntoViewIfNeeded()
  await preview.locator("guichet-widget [part=button]").click()
  await preview.getByRole("dialog").waitFor()
  return Object.assign(page, { preview })
}

/** Opens what is folded on the page. */
export async function unfold(page: Page): Promise<void> {
  await page.locator("main details").evaluateAll((all) => {
    for (const details of all) details.setAttribute("open", "")
  })
}

/** Goes to one page of each kind that links lead to, those of `project` first, and looks at each. */
export async function everyConsolePage(
  page: Page,
  service: Service,
  project: string,
  look: (visited: VisitedPage, page: Page) => Promise<void>,
): Promise<void> {
  const waiting = [`/console/projects/${project}`, "/console", "/api/v1/docs"].map(
    (path) => `${service.url}${path}`,
  )
  const seen = new Set(waiting.map(patternOf))
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const reply = await page.goto(address)
    if (reply?.status() !== 200) throw new Error(`${address}: ${reply?.status()}`)
    const visited = { pattern: patternOf(page.url()), bytes: (await reply.body()).byteLength }
    seen.add(visited.pattern)
    await look(visited, page)
    const links = await page
      .locator("a[href]:not([download])")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href.replace(/#.*/, "")))
    for (const link of links) {
      const pattern = patternOf(link)
      const isPage = link.startsWith(`${service.url}/console`) && !/\.(?:csv|svg|json|css|js)$/.test(pattern)
      if (!isPage || seen.has(pattern)) continue
      seen.add(pattern)
      waiting.push(link)
    }
  }
}

/** Ids differ from run to run: `form_…`, and those of projects. */
export function patternOf(address: string): string {
  return new URL(address).pathname.replace(/\/(?:[a-z]+_[0-9a-f]{32}|[a-z0-9]{16})(?=\/|$)/g, "/:id")
}
