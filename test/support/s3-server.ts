import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { mustEnd } from "./leaks.ts"
import { isMissing } from "./missing.ts"
import { freePort } from "./port.ts"
import { eventually } from "./processes.ts"
import { temporaryFolder } from "./service.ts"

/** An S3 server of others, written in Go, which keeps its objects as files of a folder. */
const module = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
const cache = resolve(import.meta.dir, "../../node_modules/.cache")
const binary = join(cache, module.replaceAll(/\W+/g, "-"))

/** Since this version Go fetches by itself the newer one that the server asks for. */
const goVersion = ">=1.21"

/**
 * Whether tests with an object store are skipped here. Their S3 server is there once it was built, which takes Go a
 * minute or two: by a run where CI is set, and by the benches that need it.
 */
export function noS3Server(): boolean {
  return isMissing(
    existsSync(binary) || Boolean(process.env["CI"]),
    "Tests with an object store are skipped. Their S3 server is built, once, by Go 1.21 or later: CI=1 bun test/run.ts object-store",
  )
}

export interface S3Server extends AsyncDisposable {
  port: number
  /** Settings of a service that uses a bucket of this server, by way of another port if one is given. */
  settings(port?: number): Record<string, string>
  /** Files of the objects in the bucket, by key. */
  objects(): Map<string, string>
  stop(): Promise<void>
  start(): Promise<void>
}

export const credentials = {
  accessKeyId: "guichet",
  secretAccessKey: "geheim-geheim",
  sessionToken: undefined,
}
const bucket = "indexes"

export async function startS3Server(): Promise<S3Server> {
  await build()
  const folder = temporaryFolder()
  const ended = mustEnd("an S3 server")
  const objects = join(folder.path, bucket)
  mkdirSync(objects)
  const port = await freePort()
  let running: Bun.Subprocess | undefined

  async function start(): Promise<void> {
    const { accessKeyId, secretAccessKey } = credentials
    const access = ["--access", accessKeyId, "--secret", secretAccessKey, "--port", `127.0.0.1:${port}`]
    running = Bun.spawn([binary, ...access, "--quiet", "posix", folder.path], {
      stdout: "ignore",
      stderr: "ignore",
    })
    await eventually(
      async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) !== undefined,
    )
  }

  async function stop(): Promise<void> {
    running?.kill()
    await running?.exited
    running = undefined
  }

  await start()
  return {
    port,
    settings: (at = port) => ({
      GUICHET_STORAGE_URL: `s3://${bucket}/some/place`,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${at}`,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }),
    objects() {
      const files = readdirSync(objects, { recursive: true, encoding: "utf8" })
      return new Map(
        files
          .map((file) => [file, join(objects, file)] as const)
          .filter(([, path]) => statSync(path).isFile()),
      )
    },
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop()
      folder[Symbol.dispose]()
      ended()
    },
  }
}

/** Built once for all runs. */
async function build(): Promise<void> {
  if (existsSync(binary)) return
  const version = goThere()
  if (!version || !Bun.semver.satisfies(version, goVersion))
    throw new Error(`the S3 server is built by Go ${goVersion}, and here is ${version ?? "none"}`)
  const folder = `${binary}-${process.pid}`
  const go = Bun.spawn(["go", "install", module], {
    env: { ...process.env, GOBIN: folder },
    stdout: "ignore",
    stderr: "pipe",
  })
  const [output, exitCode] = await Promise.all([new Response(go.stderr).text(), go.exited])
  if (exitCode !== 0) throw new Error(`${module} could not be built: ${output}`)
  renameSync(join(folder, "versitygw"), binary)
  rmSync(folder, { recursive: true })
}

/** `1.26.8`; undefined where Go is missing. */
function goThere(): string | undefined {
  if (Bun.which("go") === null) return undefined
  return /go(\d+\.\d+(?:\.\d+)?)/.exec(Bun.spawnSync(["go", "version"]).stdout.toString())?.[1]
}
