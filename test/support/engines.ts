import { describe } from "bun:test"
import { existsSync } from "node:fs"
import puppeteer, { type Page } from "puppeteer-core"
import { isMissing } from "./missing.ts"
import { freePort } from "./port.ts"
import { eventually } from "./processes.ts"
import { startWebKit, type WebKitDriver, webKitPaths } from "./webkit.ts"

// What a visitor does, in three engines, each as Debian packages it: Chromium, Firefox by WebDriver BiDi, WebKitGTK by
// its own WebDriver. `browser.ts` drives Chromium alone and can do more.

export type EngineName = "Chromium" | "Firefox" | "WebKit"

/** An element: its CSS selector, with `>>>` before what stands in a shadow root, and its text or label. */
export type Target = string | { is: string; says: string }

/** What each driver can do. Acts do not wait for what they lead to. */
export interface EngineDriver {
  goto(url: string): Promise<void>
  /** Value of an expression in the page. */
  run(expression: string): Promise<unknown>
  clickAt(x: number, y: number): Promise<void>
  /** Writes where the focus is. */
  type(text: string): Promise<void>
  press(key: EngineKey): Promise<void>
  /** The window's own buttons. */
  back(): Promise<void>
  forward(): Promise<void>
}

export type EngineKey = "Enter" | "Tab" | "Escape" | "Backspace" | "ArrowDown" | "ArrowUp"

export interface EnginePage extends EngineDriver {
  /** Runs a function in the page, which sees its arguments and nothing else of the test. */
  evaluate<Result, Args extends unknown[]>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result>
  /** Waits until a function in the page returns something true. */
  until<Args extends unknown[]>(inPage: (...args: Args) => unknown, ...args: Args): Promise<void>
  /** Waits until the text in sight holds this one, shadow roots included; any white space is one space. */
  reads(text: string): Promise<void>
  /** Waits until the element stands still and nothing covers it, and clicks on its middle. */
  click(target: Target): Promise<void>
  /** Waits for the field and writes into it by the keyboard, in place of what it holds. */
  fill(target: Target, text: string): Promise<void>
  valueOf(target: Target): Promise<string>
  boxOf(target: Target): Promise<{ x: number; y: number; width: number; height: number }>
}

/** A browser with one page, in a profile of its own. */
export interface Engine extends AsyncDisposable {
  page: EnginePage
}

export interface EngineOptions {
  /** Without in Chromium and Firefox only: WebKit's driver needs it. */
  javaScript?: boolean
  width?: number
  height?: number
}

const chromium = process.env["GUICHET_TEST_CHROMIUM"] ?? "/usr/bin/chromium"
const firefox = "/usr/bin/firefox-esr"
const programs: Record<EngineName, { packages: string; paths: string[] }> = {
  Chromium: { packages: "chromium", paths: [chromium] },
  Firefox: { packages: "firefox-esr", paths: [firefox] },
  WebKit: { packages: "webkit2gtk-driver xvfb", paths: webKitPaths },
}

/** A group of tests in each engine. */
export function describeInEngines(
  name: string,
  tests: (engine: EngineName) => void,
  engines = Object.keys(programs) as EngineName[],
): void {
  for (const engine of engines) {
    const { packages, paths } = programs[engine]
    const isSkipped = isMissing(
      paths.every((path) => existsSync(path)),
      `Tests in ${engine} are skipped: one of ${paths.join(", ")} is missing. Install it (apt-get install ${packages}).`,
    )
    describe.skipIf(isSkipped)(`${name}, in ${engine}`, () => tests(engine))
  }
}

export async function startEngine(name: EngineName, options: EngineOptions = {}): Promise<Engine> {
  const { width = 1280, height = 720 } = options
  if (name === "WebKit") {
    const webKit: WebKitDriver = await startWebKit(await freePort(), { width, height })
    return { page: pageBy(webKit), [Symbol.asyncDispose]: () => webKit[Symbol.asyncDispose]() }
  }
  const browser = await puppeteer.launch({
    browser: name === "Firefox" ? "firefox" : "chrome",
    executablePath: name === "Firefox" ? firefox : chromium,
    timeout: 120_000,
    defaultViewport: null,
    ...(name === "Chromium" && { args: ["--no-sandbox", "--disable-quic"] }),
    // Firefox ESR does not know BiDi's own command for it yet.
    ...(name === "Firefox" && { extraPrefsFirefox: { "javascript.enabled": options.javaScript ?? true } }),
  })
  const [first] = await browser.pages()
  const page = first ?? (await browser.newPage())
  await page.setViewport({ width, height })
  if (name === "Chromium") await page.setJavaScriptEnabled(options.javaScript ?? true)
  return { page: pageBy(puppeteerDriver(page)), [Symbol.asyncDispose]: () => browser.close() }
}

function puppeteerDriver(page: Page): EngineDriver {
  return {
    // After going back, Puppeteer waits in vain for what Firefox tells of a page: the page itself is asked.
    goto: async (url) => {
      await page.evaluate(`{ globalThis.isLeft = true; location.assign(${JSON.stringify(url)}) }`)
      const isThere = "!globalThis.isLeft && document.readyState === 'complete'"
      await eventually(() => page.evaluate(isThere).catch(() => false))
    },
    run: (expression) => page.evaluate(expression),
    clickAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (key) => page.keyboard.press(key),
    back: async () => {
      await page.evaluate("history.back()")
    },
    forward: async () => {
      await page.evaluate("history.forward()")
    },
  }
}

function pageBy(driver: EngineDriver): EnginePage {
  const evaluate: EnginePage["evaluate"] = async (inPage, ...args) => {
    const expression = `(() => { ${elementInPage}; return (${inPage})(...${JSON.stringify(args)}) })()`
    return (await driver.run(expression)) as ReturnType<typeof inPage>
  }
  // A page that is being left answers nothing.
  const result = <Result, Args extends unknown[]>(
    inPage: (...args: Args) => Result | undefined,
    ...args: Args
  ): Promise<Result> => eventually(() => evaluate(inPage, ...args).catch(() => undefined))
  const boxOf = (target: Target) => result(boxInPage, target)
  return {
    ...driver,
    evaluate,
    async until(inPage, ...args) {
      await result(inPage, ...args)
    },
    async reads(text) {
      await result(isInSight, text).catch(async (error) => {
        throw new Error(`${text} is not in sight: ${await evaluate(() => document.body.innerText)}`, {
          cause: error,
        })
      })
    },
    boxOf,
    async click(target) {
      let before: string | undefined
      const { x, y } = await eventually(async () => {
        const middle = await evaluate(middleInPage, target).catch(() => undefined)
        const isStill = before === JSON.stringify(middle)
        before = JSON.stringify(middle)
        return isStill && middle
      })
      await driver.clickAt(x, y)
    },
    async fill(target, text) {
      await result(selectInPage, target)
      await driver.press("Backspace")
      await driver.type(text)
    },
    async valueOf(target) {
      return (await result(valueInPage, target)).value
    },
  }
}

// What follows runs in the page, where every function sees `elementInPage`.

function elementInPage(target: Target): HTMLElement | undefined {
  const { is, says } = typeof target === "string" ? { is: target, says: undefined } : target
  let roots: (ParentNode | null)[] = [document]
  let elements: HTMLElement[] = []
  for (const selector of is.split(">>>")) {
    elements = roots.flatMap((root) => (root ? [...root.querySelectorAll<HTMLElement>(selector)] : []))
    roots = elements.map((one) => one.shadowRoot)
  }
  const begins = (text: string | null | undefined) =>
    text
      ?.replace(/\s+/g, " ")
      .trim()
      .startsWith(says as string)
  return elements.find((one) => {
    const labels = [...((one as HTMLInputElement).labels ?? [])].map((label) => label.innerText)
    return (
      one.checkVisibility() && (says === undefined || [one.innerText, one.ariaLabel, ...labels].some(begins))
    )
  })
}

function boxInPage(target: Target) {
  const element = elementInPage(target)
  element?.scrollIntoView({ block: "nearest", behavior: "instant" })
  const box = element?.getBoundingClientRect()
  return box?.width ? { x: box.x, y: box.y, width: box.width, height: box.height } : undefined
}

/** The middle of an element, where nothing covers it. */
function middleInPage(target: Target) {
  const element = elementInPage(target)
  if (!element) return
  element.scrollIntoView({ block: "nearest", behavior: "instant" })
  const { x, y, width, height } = element.getBoundingClientRect()
  const middle = { x: x + width / 2, y: y + height / 2 }
  const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(middle.x, middle.y)
  return element.contains(hit) ? middle : undefined
}

function selectInPage(target: Target): boolean {
  const field = elementInPage(target) as HTMLInputElement | undefined
  field?.focus()
  field?.select()
  return field !== undefined
}

function valueInPage(target: Target) {
  const field = elementInPage(target) as HTMLInputElement | undefined
  return field && { value: field.value }
}

function isInSight(text: string): boolean {
  const textsOf = (root: ParentNode): string[] =>
    [...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
      shadowRoot
        ? [
            ...[...shadowRoot.children]
              .filter((one) => one.checkVisibility())
              .map((one) => (one as HTMLElement).innerText),
            ...textsOf(shadowRoot),
          ]
        : [],
    )
  return [document.body.innerText, ...textsOf(document)].join(" ").replace(/\s+/g, " ").includes(text)
}
