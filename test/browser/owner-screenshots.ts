import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions } from "playwright-core"
import { startBrowser } from "../support/browser.ts"
import { startOwned, tour } from "../support/owner-tour.ts"

// `bun test/browser/owner-screenshots.ts FOLDER`: the pages of forms, webhooks, settings and the journal, to be looked at.

const folder = Bun.argv[2]
if (!folder) {
  process.stderr.write("usage: bun test/browser/owner-screenshots.ts FOLDER\n")
  process.exit(2)
}
mkdirSync(folder, { recursive: true })

const sizes: [name: string, options: BrowserContextOptions][] = [
  ["light", { colorScheme: "light", viewport: { width: 1200, height: 800 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1200, height: 800 } }],
  ["320", { colorScheme: "light", viewport: { width: 320, height: 640 } }],
]

await using browser = await startBrowser()
for (const [size, options] of sizes) {
  await using owned = await startOwned()
  await using page = await browser.page(`${owned.service.url}/console`, options)
  let number = 0
  await tour(owned, page, async (name) => {
    const file = `${size}-${String(++number).padStart(2, "0")}-${name}.png`
    await page.screenshot({ path: join(folder, file), fullPage: true })
  })
  process.stdout.write(`${size}: ${number} pages\n`)
}
