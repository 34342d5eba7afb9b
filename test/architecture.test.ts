import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

const source = resolve(import.meta.dir, "../src")

/** Which folders (or files of src/ itself) each may import. What everybody may is in `ground`. */
const ground = ["errors.ts", "ids.ts", "clock.ts", "log.ts", "text.ts", "remembered.ts"]
const mayImport: Record<string, string[]> = {
  "main.ts": ["cli", "child.ts", "addon-folder.ts", "installed.ts"],
  // Which settings a command has, and as whom it runs: known before anything of the program is.
  "installed.ts": ["settings-file.ts", "systemd"],
  "settings-file.ts": [],
  "addon-folder.ts": [],
  "build.ts": [],
  // Makes packages of the program; nothing of the program knows it.
  release: ["release", "cli", "config.ts", "systemd"],
  cli: [
    "cli",
    "addon-folder.ts",
    "app.ts",
    "server.ts",
    "jobs.ts",
    "config.ts",
    "assistant",
    "forms",
    "webhooks",
    "workspaces",
    "db",
    "systemd",
    "http",
    "mail",
    "demo",
    "vault.ts",
    "key-proof.ts",
    "checks",
  ],
  "server.ts": [
    "app.ts",
    "checks",
    "metrics",
    "http",
    "mail",
    "assistant",
    "forms",
    "webhooks",
    "workspaces",
    "console",
    "widget",
  ],
  // What runs beside the requests: jobs know the application, and nothing knows them but the commands.
  "jobs.ts": [
    "app.ts",
    "backups.ts",
    "child.ts",
    "schedule",
    "assistant",
    "workspaces",
    "forms",
    "webhooks",
    "db",
  ],
  metrics: ["metrics", "http", "db"],
  // What a person is told about the running whole: looked at from the command line and the console.
  checks: ["checks", "config.ts", "metrics", "mail", "http", "db"],
  "child.ts": ["host"],
  // What a process needs of the machine it runs on.
  host: ["host"],
  "backups.ts": ["child.ts"],
  "app.ts": [
    "config.ts",
    "child.ts",
    "host",
    "vault.ts",
    "key-proof.ts",
    "metrics",
    "schedule",
    "assistant",
    "forms",
    "webhooks",
    "workspaces",
    "mail",
    "db",
    "http",
  ],
  assistant: ["assistant", "http", "workspaces", "db", "vault.ts"],
  forms: ["forms", "mail", "http", "workspaces", "db", "vault.ts"],
  webhooks: ["webhooks", "mail", "http", "workspaces", "db", "vault.ts"],
  console: [
    "console",
    "checks",
    "mail",
    "http",
    "assistant",
    "forms",
    "webhooks",
    "workspaces",
    "db",
    "vault.ts",
  ],
  workspaces: ["workspaces", "http", "db", "vault.ts"],
  http: ["http", "workspaces", "db", "vault.ts"],
  mail: ["mail", "http", "db", "vault.ts"],
  schedule: ["schedule", "db"],
  demo: ["demo", "assistant", "forms", "http"],
  systemd: ["systemd"],
  db: ["db"],
  widget: ["widget"],
  "config.ts": ["environment.ts"],
  "environment.ts": [],
  "vault.ts": [],
  "key-proof.ts": ["vault.ts", "db"],
  "errors.ts": [],
  "ids.ts": [],
  "clock.ts": [],
  "log.ts": [],
  "text.ts": [],
  "remembered.ts": [],
}

/** One door per dependency: the only file, or folder, that may import it. */
const doors: Record<string, string | string[]> = {
  "@lancedb/lancedb": "assistant/retrieval/lance.ts",
  "@google/generative-ai": "assistant/models/gemini.ts",
  croner: "schedule",
  "prom-client": "metrics",
  nodemailer: "mail/smtp.ts",
  "@logtape/logtape": "log.ts",
  "bun:sqlite": "db",
  "bun:ffi": ["systemd", "assistant/retrieval/lance-threads.ts"],
}

interface Import {
  from: string
  to: string
}

const imports = await readImports()

test("every folder imports only what stands below it", () => {
  const wrong = imports
    .filter(({ to }) => to.startsWith("."))
    .map(({ from, to }) => ({ from, to: relative(source, resolve(source, dirname(from), to)) }))
    .filter(({ from, to }) => !to.startsWith("..") && !allowed(room(from), room(to)))
  expect(wrong).toEqual([])
})

test("every dependency is imported through its one door", () => {
  const wrong = imports.filter(({ from, to }) => {
    const allowedDoors = [doors[to] ?? []].flat()
    return (
      allowedDoors.length > 0 && !allowedDoors.some((door) => from === door || from.startsWith(`${door}/`))
    )
  })
  expect(wrong).toEqual([])
})

test("the environment and the clock are each read in one file", async () => {
  const wrong: string[] = []
  for (const [file, text] of await sources()) {
    if (/process\.env|Bun\.env/.test(text) && file !== "main.ts") wrong.push(`${file} reads the environment`)
    if (/Date\.now|new Date\(\)/.test(text) && file !== "clock.ts" && !file.startsWith("widget/"))
      wrong.push(`${file} reads the clock`)
  }
  expect(wrong).toEqual([])
})

test("one file alone sends requests to customers' addresses", async () => {
  const doorways = /\bfetch\(|\b(connect|createConnection)\(|node:(https?|http2|tls)"/
  const callers = (await sources())
    .filter(([file, text]) => /^(webhooks|forms)\//.test(file) && doorways.test(text))
    .map(([file]) => file)
  expect(callers).toEqual(["webhooks/send.ts"])
})

test("no file is longer than 400 lines", async () => {
  const long = (await sources()).filter(([, text]) => text.split("\n").length > 400).map(([file]) => file)
  expect(long).toEqual([])
})

test("every folder of the design exists in the rules", () => {
  const unknown = [...new Set(imports.map(({ from }) => room(from)))].filter((name) => !mayImport[name])
  expect(unknown).toEqual([])
})

function allowed(from: string, to: string): boolean {
  return ground.includes(to) || (mayImport[from] ?? []).includes(to)
}

/** The folder of src/ a file stands in, or the file itself when it stands in none. */
function room(file: string): string {
  return file.split("/")[0] as string
}

async function sources(): Promise<[string, string][]> {
  const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(source)].sort()
  return Promise.all(
    files.map(async (file) => [file, await Bun.file(join(source, file)).text()] as [string, string]),
  )
}

async function readImports(): Promise<Import[]> {
  const found: Import[] = []
  for (const [file, text] of await sources()) {
    const transpiler = new Bun.Transpiler({ loader: file.endsWith("x") ? "tsx" : "ts" })
    for (const { path } of transpiler.scanImports(text)) {
      if (path.startsWith("."))
        expect(existsSync(resolve(source, dirname(file), path)), `${file} → ${path}`).toBe(true)
      found.push({ from: file, to: path })
    }
  }
  return found
}
