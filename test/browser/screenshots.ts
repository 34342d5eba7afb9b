import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions, Page } from "playwright-core"
import { startBrowser } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { everyConsolePage, signIn } from "../support/console-pages.ts"
import type { Counter } from "../support/counter.ts"
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
const townStyle =
  "body{margin:0;font:16px/1.6 system-ui,sans-serif;color:#1c2333}header{display:flex;gap:2rem;padding:1rem 2rem;background:#1f4a86;color:#fff}main{max-width:40rem;margin:0 2rem;padding:1rem 0}h1,h2{line-height:1.25}table{border-collapse:collapse}th,td{padding:.3rem 1.2rem .3rem 0;border-bottom:1px solid #ccd;text-align:left}"
const unanswered = [
  "Où faire vacciner mon chien ?",
  "Y a-t-il une vaccination des chiens à la mairie ?",
  "Quand passe le bus pour Rennes ?",
  "Où acheter un ticket de bus ?",
  "horaires du bus",
  "Qui est le maire ?",
  "Comment voter par procuration ?",
]

await using counter = await aService().withWebsite().started()
if (only === "readme") await townPictures()
else {
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

/** A town hall's page with an answer and its source, and what its visitors asked in vain. */
async function townPictures(): Promise<void> {
  const folder = join(import.meta.dir, "../bench/town")
  const texts = Object.fromEntries(
    readdirSync(folder).map((file) => [file.slice(0, -3), readFileSync(join(folder, file), "utf8")]),
  )
  await using town = await aService()
    .withClock(movableClock())
    .withWebsite({ name: "Mairie de Valmorin", kind_word: "site" }, texts)
    .started()
  await widgetPicture(town, texts["cantine"] ?? "")
  const headers = { origin: town.site, "content-type": "application/json" }
  for (const question of unanswered) {
    const body = JSON.stringify({ project: town.project.id, question })
    await fetch(`${town.url}/api/v1/ask`, { method: "POST", headers, body })
  }
  await using page = await browser.page("about:blank", { viewport: { width: 1280, height: 800 } })
  await signIn(page, town)
  await page.goto(`${town.url}/console/projects/${town.project.id}/questions/gaps`)
  await page.screenshot({ path: picture("screenshot-console") })
}

async function widgetPicture(town: Counter, text: string): Promise<void> {
  const head = `<style nonce="page">${townStyle}</style>`
  const policy = `default-src 'none'; script-src ${town.url}; connect-src ${town.url}; style-src 'nonce-page'`
  const body = `<header><b>Mairie de Valmorin</b><span>Vivre à Valmorin</span><span>Démarches</span><span>École et cantine</span><span>Contact</span></header><main>${Bun.markdown.html(text, { tables: true })}</main>`
  await using page = await browser.page(town.page("/cantine", body, { head, policy }), {
    viewport: { width: 1280, height: 800 },
  })
  await page.getByRole("button", { name: "Poser une question" }).click()
  await page.getByLabel("Votre question").fill("Combien coûte un repas pour un enfant d’une autre commune ?")
  await page.keyboard.press("Enter")
  await page
    .locator("guichet-widget p[role=status]")
    .filter({ hasText: /Réponse prête/ })
    .waitFor()
  await page.screenshot({ path: picture("screenshot") })
}

function picture(name: string): string {
  return join(folder as string, `${name}.png`)
}

function keeper(page: Page, kind: string, fullPage: boolean): Look {
  let number = 0
  return async (name) => {
    const path = join(folder as string, `${kind}-${String(++number).padStart(2, "0")}-${name}.png`)
    await page.screenshot({ path, fullPage })
    process.stdout.write(`${path}\n`)
  }
}
