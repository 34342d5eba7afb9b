import { setDefaultTimeout } from "bun:test"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

/** Debian's and Ubuntu's place; another one by GUICHET_TEST_CHROMIUM. */
const path = process.env["GUICHET_TEST_CHROMIUM"] ?? "/usr/bin/chromium"

/** On a developer's machine without a browser its tests are skipped; where CI is set they fail. */
export const hasBrowser = existsSync(path) || Boolean(process.env["CI"])

if (!hasBrowser)
  process.stderr.write(
    `Browser tests are skipped: ${path} is missing. Install it (apt-get install chromium), or name another in GUICHET_TEST_CHROMIUM.\n`,
  )

// Bun ends the browser together with a test that takes longer: what is waited for in vain must give up before.
setDefaultTimeout(20_000)
const waitMs = 4000

/** One browser for a file of tests. */
export interface TestBrowser extends AsyncDisposable {
  /** A page, to be closed by whoever opened it: in a context of its own where options are given, even none, else in a shared one. */
  page(url: string, options?: BrowserContextOptions): Promise<QuietPage>
}

export interface QuietPage extends Page {
  /** Errors of the console and uncaught ones, so far. */
  problems: string[]
}

export async function startBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: path,
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  })
  const newContext = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options })
    context.setDefaultTimeout(waitMs)
    return context
  }
  const shared = await newContext()
  return {
    async page(url, options) {
      const context = options ? await newContext(options) : shared
      const page = Object.assign(await context.newPage(), { problems: [] as string[] })
      page.on("console", (message) => {
        if (message.type() === "error") page.problems.push(message.text())
      })
      page.on("pageerror", (error) => page.problems.push(String(error)))
      await page.goto(url)
      return page
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
