import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Binary, buildBinary } from "../support/binary.ts"
import { mayMount, mountMemory } from "../support/mount.ts"
import { openNotifySocket } from "../support/notify-socket.ts"
import { password, signedIn } from "../support/operator.ts"
import { startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let built: Binary
let binary: string

beforeAll(async () => {
  built = await buildBinary()
  binary = built.path
})

afterAll(() => built[Symbol.dispose]())

test("the built file starts in an empty folder, serves and stops", async () => {
  using folder = temporaryFolder()
  const child = Bun.spawn([binary, "serve"], {
    cwd: folder.path,
    env: {
      GUICHET_DATA_DIR: join(folder.path, "data"),
      GUICHET_PORT: "0",
      HOME: folder.path,
      BUN_TMPDIR: folder.path,
    },
    stderr: "pipe",
  })
  const url = await urlInLog(child.stderr)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  child.kill("SIGTERM")
  expect(await child.exited).toBe(0)
})

test("the built file answers as the sources do at every address without an id", async () => {
  using folder = temporaryFolder()
  const operator = { GUICHET_OPERATOR_EMAIL: "camille@exemple.fr", GUICHET_OPERATOR_PASSWORD: password }
  const data = { GUICHET_DATA_DIR: join(folder.path, "data"), BUN_TMPDIR: folder.path }
  await using fromSources = await aService().started()
  await signedIn(fromSources)
  await using fromFile = await startServe({ ...operator, ...data }, [binary])
  const addresses = fromSources.routes.filter((route) => route.startsWith("GET ") && !/[:*]/.test(route))
  const answers = (url: string) =>
    Promise.all(
      addresses.map(async (address) => {
        const reply = await fetch(url + address.slice("GET ".length), { redirect: "manual" })
        return `${address}: ${reply.status}`
      }),
    )
  expect(await answers(fromFile.url)).toEqual(await answers(fromSources.url))
})

test("the health check of the built file leaves its engines packed", async () => {
  using folder = temporaryFolder()
  using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("ready") })
  const env = { GUICHET_PORT: String(server.port), BUN_TMPDIR: folder.path }
  const run = async (...argv: string[]) => {
    const child = Bun.spawn([binary, ...argv], { env, stdout: "ignore" })
    return { exitCode: await child.exited, unpacked: readdirSync(folder.path).length }
  }
  expect(await run("check", "--ready")).toEqual({ exitCode: 0, unpacked: 0 })
  expect(await run("version")).toEqual({ exitCode: 0, unpacked: 1 })
})

test.skipIf(process.platform !== "linux")(
  "the built file tells systemd, gives its figures to Prometheus and cleans up after older versions",
  async () => {
    using folder = temporaryFolder()
    const older = join(folder.path, `.bun-${process.getuid?.()}-0123456789abcdef.node`)
    writeFileSync(older, "")
    const olderRuntime = join(folder.path, `.guichet-onnx-${process.getuid?.()}-0123456789abc`)
    mkdirSync(olderRuntime)
    writeFileSync(join(olderRuntime, "onnxruntime_binding.node"), "")
    using socket = openNotifySocket(join(folder.path, "notify"))
    await using service = await startServe(
      {
        GUICHET_DATA_DIR: join(folder.path, "data"),
        GUICHET_METRICS_TOKEN: "a-token-of-sixteen-characters",
        BUN_TMPDIR: folder.path,
        NOTIFY_SOCKET: socket.address,
        WATCHDOG_USEC: "200000",
      },
      [binary],
    )
    // Ready once it listens; the watchdog is given its time back once the database is open.
    const told = [await socket.next()]
    while (!told.at(-1)?.endsWith("WATCHDOG_USEC=200000")) told.push(await socket.next())
    expect(told[0]).toStartWith("READY=1\n")
    expect(await socket.next()).toBe("WATCHDOG=1")
    const unpacked = readdirSync(folder.path).filter((name) => name.startsWith("."))
    expect(unpacked).toEqual([expect.stringMatching(/^\.guichet-native-/)])
    const headers = { authorization: "Bearer a-token-of-sixteen-characters" }
    const figures = await (await fetch(`${service.url}/metrics`, { headers })).text()
    expect(figures).toContain("process_resident_memory_bytes")
    service.stop()
    expect(await service.exited).toBe(0)
  },
)

test.skipIf(!mayMount)(
  "a folder that forbids execution is named before anything else (needs the right to mount one)",
  () => {
    using folder = temporaryFolder()
    using _mounted = mountMemory(folder.path, "noexec,size=400m")
    const ended = Bun.spawnSync([binary, "version"], { env: { BUN_TMPDIR: folder.path }, stderr: "pipe" })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr.toString()).toContain(`${folder.path} forbids execution (noexec)`)
  },
)

test.skipIf(process.getuid?.() !== 0 || !Bun.which("setpriv"))(
  "a folder that may not be searched is named in one line (needs root to become somebody else)",
  () => {
    using closed = temporaryFolder()
    const nobody = 65_534
    chmodSync(built.folder, 0o755)
    const asNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
    const ended = Bun.spawnSync([...asNobody, binary, "version"], {
      env: { PATH: process.env["PATH"] ?? "", TMPDIR: closed.path },
      stderr: "pipe",
    })
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr.toString().trim().split("\n")).toEqual([
      expect.stringContaining(`guichet: ${closed.path} cannot be written to (EACCES)`),
    ])
  },
)

async function urlInLog(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of stderr) {
    text += decoder.decode(bytes)
    const url = /"url":"([^"]+)"/.exec(text)?.[1]
    if (url) return url
  }
  throw new Error(`the binary ended without serving: ${text}`)
}
