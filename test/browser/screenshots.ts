import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { startBrowser } from "../support/browser.ts"
import { everyConsolePage, signIn } from "../support/console-pages.ts"
import { mouse } from "../support/hand.ts"
import { journey, type Look } from "../support/journey.ts"
import { aService } from "../support/service-builder.ts"
import { formStates, widgetStates } from "../support/widget-states.ts"

// `bun test/browser/screenshots.ts FOLDER [agency|console|widget]`, to be looked at: every page of the console with the
// amounts of an agency, its states on the way from a first start, the states of the widget and of a form.
// `bun test/browser/screenshots.ts data readme`: the README's pictures.

const [folder, only] = Bun.argv.slice(2)
if (!folder) {
  process.stderr.write("usage: bun test/browser/screenshots.ts FOLDER [agency|console|widget|readme]\n")
  process.exit(2)
}
mkdirSync(folder, { recursive: true })

const sizes: [name: string, options: BrowserContextOptions][] = [
  ["light", { colorScheme: "light", viewport: { width: 1200, height: 800 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1200, height: 800 } }],
  ["320", { colorScheme: "light", viewport: { width: 320, height: 640 } }],
  ["200-percent", { colorScheme: "light", viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
]

const agencySizes: [name: string, options: BrowserContextOptions][] = (["light", "dark"] as const).flatMap(
  (colorScheme) =>
    [1280, 390].map((width): [string, BrowserContextOptions] => [
      `${width}-${colorScheme}`,
      { colorScheme, viewport: { width, height: 900 } },
    ]),
)

await using browser = await startBrowser()
await using counter = await aService().withWebsite().started()
if (only === "readme") {
  await widgetPicture()
  await consolePicture()
} else {
  if (only === undefined || only === "agency") await agencyPages()
  if (only !== "agency") await allStates()
}

async function agencyPages(): Promise<void> {
  await using agency = await aService().withAgency().started()
  for (const [size, options] of agencySizes) {
    await using page = await browser.page("about:blank", options)
    await signIn(page, agency)
    await everyConsolePage(page, agency, agency.projects[0]?.id ?? "", async ({ pattern, bytes }) => {
      const name = pattern
        .replace(/^\//, "")
        .replaceAll("/:id", "-one")
        .replaceAll("/", "-")
        .replace(/-+$/, "")
      const path = join(folder as string, `agency-${size}-${name}.png`)
      await page.screenshot({ path, fullPage: true })
      process.stdout.write(`${path} ${Math.round(bytes / 1000)} kB\n`)
    })
  }
}

async function allStates(): Promise<void> {
  for (const [size, options] of sizes) {
    await using page = await browser.page("about:blank", options)
    if (only !== "widget") {
      await using first = await aService().withOwner().started()
      await journey(first, page, mouse, keeper(page, `${size}-console`, true))
    }
    if (only !== "console") {
      await widgetStates(counter, page, keeper(page, `${size}-widget`, false))
      await formStates(counter, page, keeper(page, `${size}-form`, false))
    }
  }
}

async function widgetPicture(): Promise<void> {
  await using page = await browser.page("about:blank", { viewport: { width: 1200, height: 760 } })
  await widgetStates(counter, page, async (name) => {
    if (name === "widget-answered") await page.screenshot({ path: join(folder as string, "screenshot.png") })
  })
}

/** The last month of an agency's client. */
async function consolePicture(): Promise<void> {
  await using agency = await aService().withAgency().started()
  await using page = await browser.page("about:blank", { viewport: { width: 1280, height: 800 } })
  await signIn(page, agency)
  await page.goto(`${agency.url}/console/projects/${agency.projects[0]?.id}`)
  await page.screenshot({ path: join(folder as string, "screenshot-console.png") })
}

function keeper(page: Page, kind: string, fullPage: boolean): Look {
  let number = 0
  return async (name) => {
    const path = join(folder as string, `${kind}-${String(++number).padStart(2, "0")}-${name}.png`)
    await page.screenshot({ path, fullPage })
    process.stdout.write(`${path}\n`)
  }
}
