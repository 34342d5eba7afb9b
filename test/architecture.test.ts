import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { generatorNames } from "../src/reading/generators/names.ts"

const source = resolve(import.meta.dir, "../src")

/**
 * The layers of the house, from the top. A file imports from its own layer and from those below it. Rooms of a layer that is marked
 * `apart` do not import one another.
 */
const layers: { rooms: string[]; apart?: boolean }[] = [
  { rooms: ["main.ts", "text-modules.d.ts"] },
  { rooms: ["release"] },
  { rooms: ["cli"] },
  // The route table, what runs when, and the demo stand on the application; the application on everything below.
  { rooms: ["server.ts", "scheduled-jobs.ts", "demo", "handover"] },
  { rooms: ["app.ts"] },
  { rooms: ["app-parts.ts"] },
  { rooms: ["removal"] },
  { rooms: ["visitors", "api", "console", "mails"], apart: true },
  { rooms: ["wording"] },
  { rooms: ["owners"] },
  { rooms: ["answering"] },
  { rooms: ["indexing"] },
  { rooms: ["index"] },
  { rooms: ["reading"] },
  { rooms: ["forms", "webhooks"], apart: true },
  { rooms: ["accounts"] },
  { rooms: ["operations"] },
  { rooms: ["jobs", "ops", "mail", "outbound", "http", "limits", "db", "storage", "host", "config"] },
  { rooms: ["base"] },
  // Runs in the visitor's browser: it imports nothing of the server.
  { rooms: ["widget"], apart: true },
  // The palette, and how a control stands with its label: all faces share them.
  { rooms: ["style"] },
]

/** The rooms of the assistant, which import one another downwards, and those of what forms bring about. */
const domains = [["owners", "answering", "indexing", "index", "reading"], ["forms"], ["webhooks"]]

/** One door per dependency: the only file, or folder, that may import it. */
const doors: Record<string, string | string[]> = {
  "@lancedb/lancedb": "index/lance/lance.ts",
  "@google/generative-ai": "answering/llm/gemini.ts",
  croner: "jobs/schedule.ts",
  "prom-client": "ops",
  nodemailer: "mail/smtp.ts",
  "openid-client": "accounts/oidc/provider.ts",
  "@logtape/logtape": "base/log.ts",
  "@simplewebauthn/server": "accounts/second-factor/passkeys.ts",
  "@simplewebauthn/server/helpers": "accounts/second-factor/passkeys.ts",
  otpauth: "accounts/second-factor/totp.ts",
  "@zxcvbn-ts/core": "accounts/passwords/guesses.ts",
  "@zxcvbn-ts/language-common": "accounts/passwords/guesses.ts",
  "@zxcvbn-ts/language-fr": "accounts/passwords/guesses.ts",
  "modern-tar/fs": "storage/archive.ts",
  "@opentelemetry/api": "ops/tracing",
  "@opentelemetry/core": "ops/tracing",
  "@opentelemetry/otlp-transformer": "ops/tracing",
  "@opentelemetry/resources": "ops/tracing",
  "@opentelemetry/sdk-trace": "ops/tracing",
  "@modelcontextprotocol/server": "visitors/mcp",
  "bun:sqlite": "db/sqlite",
  "bun:ffi": ["host", "index/lance/lance-threads.ts"],
}

const files = await readSources()
const imports = files.flatMap(({ path, text }) => importsOf(path, text))
const internal = imports
  .filter(({ to }) => to.startsWith("."))
  .map(({ from, to }) => ({ from, to: targetOf(from, to) }))
const within = internal.filter(({ to }) => !to.startsWith(".."))

test("imports go down only", () => {
  const upwards = within.filter(({ from, to }) => {
    const [above, below] = [layerOf(from), layerOf(to)]
    if (above !== below) return above > below
    return layers[above]?.apart === true && wingOf(from) !== wingOf(to)
  })
  expect(upwards).toEqual([])
})

test("the assistant, forms and webhooks never import one another", () => {
  const domainOf = (path: string) => domains.findIndex((rooms) => rooms.includes(wingOf(path)))
  const across = within.filter(({ from, to }) => {
    const [importer, imported] = [domainOf(from), domainOf(to)]
    return importer !== -1 && imported !== -1 && importer !== imported
  })
  expect(across).toEqual([])
})

test("no files import one another in a circle", () => {
  expect(circlesOf(within)).toEqual([])
})

test("no rooms import one another in a circle", () => {
  const between = within
    // What every room of forms is given, as types alone.
    .filter(({ from }) => dirname(from) !== "forms")
    .map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
  expect(circlesOf(between.filter(({ from, to }) => from !== to))).toEqual([])
})

test("the console's kit imports no area", () => {
  const kit = "console/kit/"
  const areas = within.filter(
    ({ from, to }) => from.startsWith(kit) && to.startsWith("console/") && !to.startsWith(kit),
  )
  expect(areas).toEqual([])
})

test("the readers of formats know no site generator, and a generator imports no other one", () => {
  const upwards = within.filter(
    ({ from, to }) => from.startsWith("reading/formats/") && to.startsWith("reading/generators/"),
  )
  const formats = files.filter(({ path }) => path.startsWith("reading/formats/"))
  const named = formats.filter(({ text }) => generatorNames.some((name) => text.includes(`"${name}"`)))
  const generatorIn = (path: string) =>
    generatorNames.find((name) => path.startsWith(`reading/generators/${name}`))
  const across = within.filter(({ from, to }) => {
    const [importer, imported] = [generatorIn(from), generatorIn(to)]
    return importer !== undefined && imported !== undefined && importer !== imported
  })
  expect([...upwards, ...named.map(({ path }) => path), ...across]).toEqual([])
})

test("every dependency is imported through its one door", () => {
  const wrong = imports.filter(({ from, to }) => {
    const allowed = [doors[to] ?? []].flat()
    return allowed.length > 0 && !allowed.some((door) => from === door || from.startsWith(`${door}/`))
  })
  expect(wrong).toEqual([])
})

test("the environment, the clock and the S3 client are each used in one file", () => {
  const wrong = files.flatMap(({ path, text }) => [
    ...(/process\.env|Bun\.env/.test(text) && path !== "main.ts" ? [`${path} reads the environment`] : []),
    ...(/Date\.now|new Date\(\)/.test(text) && path !== "base/clock.ts" && !path.startsWith("widget/")
      ? [`${path} reads the clock`]
      : []),
    ...(/\bS3Client\b|Bun\.s3/.test(text) && path !== "storage/s3.ts" ? [`${path} uses S3`] : []),
  ])
  expect(wrong).toEqual([])
})

test("one file alone connects to somebody else's address", () => {
  const connects =
    /\bfetch\(|\b(connect|createConnection)\(|node:(https?|http2)"|\bconnect\b.*"node:(net|tls)"/
  const rooms = /^(outbound|webhooks|forms|reading)\//
  const doors = files.filter(({ path, text }) => rooms.test(path) && connects.test(text))
  expect(doors.map(({ path }) => path)).toEqual(["outbound/dial.ts"])
})

test("a face knows no table", () => {
  const query = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\/db\/(?:store|schema)\.ts"|\bsql`/
  const faces = files.filter(({ path }) => /^(?:visitors|api|console|mails|wording)\//.test(path))
  const wrong = faces.filter(({ text }) => query.test(text))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test("a route stands only in the table of its face", () => {
  const around = /^(?:server\.ts|http\/(?:cors|request-id)\.ts|wording\/error-replies\.ts)$/
  const tables = /^(?:\w+\/routes|http\/health|server|console\/kit\/page-handlers)\.ts$/
  const wrong = files.filter(
    ({ path, text }) =>
      (/\bnew Elysia\(/.test(text) && !around.test(path)) ||
      (/\b(?:openRoutes|routeAt)\b[^}]*\} from "[./]*http\/routes\.ts"/.test(text) && !tables.test(path)),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test("every room has its layer", () => {
  const rooms = new Set(files.map(({ path }) => wingOf(path)))
  expect([...rooms].filter((room) => !layers.some((layer) => layer.rooms.includes(room)))).toEqual([])
})

test("no domain holds a sentence that is shown to a person", () => {
  const sentence = /(["'`])(?:[A-ZÀÉÊ«][^"'`\n]*[ \u00a0\u202f][^"'`\n]*[.…!?:])\1/g
  const french = /[àâçéèêëîïôùûœ’«»]/
  const wrong = files
    .filter(({ path }) => /^(owners|answering|indexing|index|reading|forms|webhooks|accounts)\//.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(sentence)].map(([said]) => `${path}: ${said}`))
    .filter((said) => french.test(said))
  expect(wrong).toEqual([])
})

test("readings and checks tell codes, and nobody parses a sentence", () => {
  const sentence = /\b(?:detail|wrong|refused|unknown|exceeded): *(["'`])[^"'`\n]* /g
  const parsed =
    /\b(?:message|reason|detail|sentence|stderrTail)\)?\.(?:includes|startsWith|endsWith|match|search|replace)\(|\.(?:test|exec)\([^()\n]*\b(?:message|reason|detail|stderrTail)\)/g
  const rooms = /^(?:reading|indexing|ops|host)\//
  const wrong = files.flatMap(({ path, text }) => {
    const told = rooms.test(path) ? [...text.matchAll(sentence)] : []
    const read = path.startsWith("widget/") ? [] : [...text.matchAll(parsed)]
    return [...told, ...read].map(([found]) => `${path}: ${found}`)
  })
  expect(wrong).toEqual([])
})

test("a file is at most 400 lines long, and few are tiny", () => {
  const long = files.filter(({ text }) => linesOf(text) > 400)
  expect(long.map(({ path }) => path)).toEqual([])
  // A migration is as long as its change, a file of messages as what its area says.
  const counted = files.filter(({ path }) => !/\/migrations\/|\.(?:fr|en)\.ts$/.test(path))
  const tiny = counted.filter(({ text }) => linesOf(text) <= 15).map(({ path }) => path)
  expect(tiny.length, tiny.join(" ")).toBeLessThanOrEqual(12)
})

test("a folder holds few files", () => {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const sizes = [...counts.values()].sort((one, other) => one - other)
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThanOrEqual(8)
  expect(counts.get(".")).toBeLessThanOrEqual(6)
  const full = [...counts].filter(([folder, count]) => count > 21 && !folder.endsWith("migrations"))
  expect(full).toEqual([])
})

/** Comments that begin so say what the code says: there shall be 20 at most. */
const mostWhat = 20

test("comments are short lines that say why", () => {
  const comments = files.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        /^\s*(?:\/\/|\/?\*)/.test(line) ? [{ at: `${path}:${index + 1}`, line }] : [],
      ),
  )
  const long = comments.filter(({ line }) => line.length > 120).map(({ at }) => at)
  expect(long).toEqual([])
  const what = comments.filter(({ line }) => /^\s*(?:\/\/|\/?\*\*?) What\b/.test(line)).map(({ at }) => at)
  expect(what.length).toBeLessThanOrEqual(mostWhat)
})

const project = resolve(source, "..")

test("the top level holds what the house needs and what tools force beside it", () => {
  const { stdout } = Bun.spawnSync(["git", "ls-tree", "--name-only", "HEAD"], { cwd: project })
  const house = ["src", "data", "test", "findings", "README.md", "Dockerfile", "package.json", "bunfig.toml"]
  const forced = [".ci", ".github", ".dockerignore", ".editorconfig", ".gitignore", "LICENSE"]
  const known = [...house, ...forced, "biome.json", "bun.lock"]
  const names = stdout.toString().split("\n").filter(Boolean)
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})

test("a finding is a script that installs exact versions, says what it saw, and fails when that changes", async () => {
  const folder = join(project, "findings")
  const readme = await Bun.file(join(folder, "README.md")).text()
  for (const name of new Bun.Glob("**/*").scanSync(folder)) {
    if (name === "README.md") continue
    expect(name).toMatch(/^[a-z\d-]+\.sh$/)
    const text = await Bun.file(join(folder, name)).text()
    for (const part of ["Behaviour", "Expected", "Versions"]) expect(text, name).toContain(`\n# ${part}: `)
    expect(text, name).toMatch(/\bmktemp -d\b[\s\S]*\btrap 'rm -rf/)
    const installed = /\b(?:npm install|pip install|go install)\b(.*)/.exec(text)?.[1] ?? ""
    const packages = installed.split(" ").filter((word) => word !== "" && !word.startsWith("-"))
    expect(packages, name).not.toEqual([])
    for (const each of packages) expect(each, name).toMatch(/(?:@|==)v?\d+\.\d+/)
    expect(text, name).toContain("diff - ")
    expect(text, name).not.toMatch(/\bsrc\/|guichet@/)
    expect(readme, name).toContain(`](${name})`)
  }
})

interface Import {
  from: string
  to: string
}

/** Every import and re-export, type-only ones included. The formatter writes each at the beginning of a line. */
function importsOf(path: string, text: string): Import[] {
  const statements =
    /^(?:import|export)\b(?:[^"';]*?\bfrom)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm
  return [...text.matchAll(statements)].map(([, statically, dynamically]) => ({
    from: path,
    to: (statically ?? dynamically) as string,
  }))
}

function targetOf(from: string, to: string): string {
  const target = resolve(source, dirname(from), to)
  expect(existsSync(target), `${from} → ${to}`).toBe(true)
  return relative(source, target)
}

function layerOf(path: string): number {
  return layers.findIndex(({ rooms }) => rooms.includes(wingOf(path)))
}

/** The folder or file directly under `src`. */
function wingOf(path: string): string {
  return path.split("/")[0] as string
}

/** A folder directly under `src`, or directly under that of a domain whose own rooms are told apart. */
function roomOf(path: string): string {
  const [wing, room, file] = path.split("/")
  // The kinds of feeds and the feed that has one are a single room, and so are runs and the archives they make.
  const hasRooms = domains.flat().includes(wing as string) && wing !== "indexing" && room !== "kinds"
  return hasRooms && file !== undefined ? `${wing}/${room}` : (wing as string)
}

/** The strongly connected groups of more than one member (Tarjan). */
function circlesOf(edges: Import[]): string[][] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  function visit(node: string): void {
    order.set(node, order.size)
    lowest.set(node, order.get(node) as number)
    stack.push(node)
    for (const next of targets.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next))
        lowest.set(node, Math.min(lowest.get(node) as number, lowest.get(next) as number))
    }
    if (lowest.get(node) !== order.get(node)) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) circles.push(circle)
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node)
  return circles
}

function linesOf(text: string): number {
  return text.trimEnd().split("\n").length
}

async function readSources(): Promise<{ path: string; text: string }[]> {
  const paths = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(source)].sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(source, path)).text() })))
}
