import { describe } from "bun:test"
import { existsSync } from "node:fs"
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from "playwright-core"
import { isMissing } from "./missing.ts"

/** Debian's and Ubuntu's place; another one by GUICHET_TEST_CHROMIUM. */
const path = process.env["GUICHET_TEST_CHROMIUM"] ?? "/usr/bin/chromium"

/**
 * Bun ends the browser together with a test that takes too long: what is waited for in vain gives up well
 * before.
 */
const waitMs = 180_000

/** A group of tests that need a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  const isSkipped = isMissing(
    existsSync(path),
    `Browser tests are skipped: ${path} is missing. Install it (apt-get install chromium), or name another in GUICHET_TEST_CHROMIUM.`,
  )
  describe.skipIf(isSkipped)(name, tests)
}

/** One browser for a file of tests. */
export interface TestBrowser extends AsyncDisposable {
  /**
   * A page, to be closed by whoever opened it: in a context of its own where options are given, even none,
   * else in a shared one.
   */
  page(url: string, options?: BrowserContextOptions): Promise<QuietPage>
}

export interface QuietPage extends Page {
  /** Errors of the console and uncaught ones, so far. */
  problems: string[]
}

/** What the widget told the page, oldest first. */
export function heard(page: Page): Promise<Heard[]> {
  return page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)
}

export interface Heard {
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: what came has whatever shape the test asserts
  detail: any
}

/** Runs in the page. */
function listen(): void {
  const heard: Heard[] = []
  Object.assign(window, { heard })
  for (const name of ["ready", "question", "answer", "error"])
    document.addEventListener(`guichet:${name}`, (event) =>
      heard.push({ name, detail: (event as CustomEvent).detail }),
    )
}

export async function startBrowser(more: LaunchOptions = {}): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    ...more,
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
    await context.addInitScript(listen)
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
