import type { EngineDriver, EngineKey } from "./engines.ts"
import { eventually } from "./processes.ts"

// WebKitGTK's small browser, driven by its own WebDriver on a screen of its own. https://www.w3.org/TR/webdriver2/

const [miniBrowser = "/usr/lib/webkit2gtk-4.1/MiniBrowser"] = new Bun.Glob(
  "usr/lib/*/webkit2gtk-4.*/MiniBrowser",
).scanSync({ cwd: "/", absolute: true })

export const webKitPaths = ["/usr/bin/WebKitWebDriver", miniBrowser, "/usr/bin/Xvfb"]

export interface WebKitDriver extends EngineDriver, AsyncDisposable {}

const keys: Record<EngineKey, string> = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Escape: "\uE00C",
  ArrowUp: "\uE013",
  ArrowDown: "\uE015",
}

/** The page, without the window around it, is as large as told. */
/** The page, without the window around it, is as large as told. */
export async function startWebKit(
  port: number,
  { width, height }: { width: number; height: number },
): Promise<WebKitDriver> {
  await using resources = new AsyncDisposableStack()
  const run = (command: string[], more: { env?: NodeJS.ProcessEnv } = {}) => {
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "ignore", ...more })
    resources.defer(async () => {
      child.kill()
      await child.exited
    })
    return child
  }
  const screen = `${width + 100}x${height + 200}x24`
  const server = run(["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp"])
  const { value: display } = await server.stdout.getReader().read()
  run(["/usr/bin/WebKitWebDriver", `--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${new TextDecoder().decode(display).trim()}` },
  })

  const call = async <Value = void>(method: string, path: string, body?: object): Promise<Value> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await reply.json()) as { value: Value & { error?: string; message?: string } }
    if (!reply.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
    return value
  }
  await eventually(() => call<object>("GET", "/status").catch(() => undefined))
  const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
    capabilities: {
      alwaysMatch: {
        browserName: "MiniBrowser",
        "webkitgtk:browserOptions": { binary: miniBrowser, args: ["--automation"] },
      },
    },
  })
  const session = `/session/${sessionId}`
  resources.defer(() => call("DELETE", session))
  const act = (type: "key" | "pointer", actions: object[]) =>
    call("POST", `${session}/actions`, { actions: [{ type, id: type, actions }] })
  const write = (characters: string[]) =>
    act(
      "key",
      characters.flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]),
    )
  const driver: EngineDriver = {
    goto: (url) => call("POST", `${session}/url`, { url }),
    run: (expression) =>
      call<unknown>("POST", `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    clickAt: (x, y) =>
      act("pointer", [
        { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ]),
    type: (text) => write([...text]),
    press: (key) => write([keys[key]]),
    back: () => call("POST", `${session}/back`, {}),
    forward: () => call("POST", `${session}/forward`, {}),
  }
  // The window is as large as told first, and then larger by what stands around the page.
  const rect = { width, height }
  for (const _ of ["window", "page"]) {
    await call("POST", `${session}/window/rect`, rect)
    const [inWidth, inHeight] = (await driver.run("[innerWidth, innerHeight]")) as [number, number]
    rect.width += width - inWidth
    rect.height += height - inHeight
  }
  const all = resources.move()
  return { ...driver, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
