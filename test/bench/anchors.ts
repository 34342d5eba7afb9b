/**
 * `bun test/bench/anchors.ts [--only ROW] [--folder FOLDER] [--titles FILE]`: asks the real tools for the ids of the
 * titles in `test/reading/generators/anchors.json`, and writes them there. They are installed in a temporary folder,
 * or in one that stays and is used again; a tool that cannot be installed keeps its row. `--titles` prints the ids of other titles (a
 * JSON list) instead.
 */
import { existsSync, mkdirSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { Parser } from "htmlparser2"
import { temporaryFolder } from "../support/service.ts"
import { type Tool, tools } from "./anchors/tools.ts"

interface Table {
  titles: string[]
  tools: Record<string, { made: string; ids: (string | null)[] }>
}

const { values } = parseArgs({
  options: { only: { type: "string" }, folder: { type: "string" }, titles: { type: "string" } },
})
const file = Bun.file(join(import.meta.dir, "../reading/generators/anchors.json"))
const table: Table = await file.json()
const titles: string[] = values.titles ? await Bun.file(values.titles).json() : table.titles
const text = `# Page\n\n${titles.map((title) => `## ${title}\n\nTexte.\n`).join("\n")}`

using temporary = temporaryFolder()
const folder = resolve(values.folder ?? temporary.path)
const path = ["node_modules/.bin", "python/bin", "cargo/bin"].map((bin) => join(folder, bin)).join(":")
const env = { ...process.env, PATH: `${path}:${process.env["PATH"]}` }

const chosen = Object.entries(tools).filter(
  ([row]) => values.only === undefined || row.startsWith(values.only),
)
await install(chosen.map(([, tool]) => tool))
for (const [row, tool] of chosen) {
  const ids = await idsBy(tool, join(folder, `site-${row.replaceAll(" ", "-")}`))
  process.stderr.write(`${row}: ${ids ? tool.made : "not made"}\n`)
  if (!ids) continue
  if (values.titles) process.stdout.write(`${JSON.stringify({ [row]: ids })}\n`)
  table.tools[row] = { made: tool.made, ids }
}
if (!values.titles) await Bun.write(file, `${JSON.stringify(table, null, 2)}\n`)

async function install(all: Tool[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const packages = (list: "npm" | "pip") => [...new Set(all.flatMap((tool) => tool[list] ?? []))]
  const isThere = (name: string) => existsSync(join(folder, name))
  const npm = packages("npm")
  if (npm.length > 0 && !isThere("node_modules"))
    await run(["npm", "install", "--prefix", folder, "--silent", "--no-audit", "--no-fund", ...npm], folder)
  const pip = packages("pip")
  if (pip.length > 0 && !isThere("python")) {
    await run(["python3", "-m", "venv", "python"], folder)
    await run(["python/bin/pip", "install", "--quiet", ...pip], folder)
  }
  for (const { cargo } of all)
    if (cargo && !isThere("cargo"))
      await run(["cargo", "install", "--quiet", "--locked", "--root", "cargo", ...cargo], folder)
}

async function idsBy(tool: Tool, site: string): Promise<(string | null)[] | undefined> {
  for (const [name, content] of Object.entries({ ...tool.files, [tool.page]: text })) {
    mkdirSync(dirname(join(site, name)), { recursive: true })
    await Bun.write(join(site, name), content)
  }
  const printed = await run([...tool.command], site)
  const html = tool.html && printed !== undefined ? await Bun.file(join(site, tool.html)).text() : printed
  const ids = html === undefined ? [] : headingIds(html)
  return ids.length === titles.length ? ids : undefined
}

/** The id of each `h2`, or of the section that it begins. */
function headingIds(html: string): (string | null)[] {
  const ids: (string | null)[] = []
  let section: string | null = null
  const parser = new Parser({
    onopentag(name, { id }) {
      if (name === "section") section = id ?? null
      if (name !== "h2") return
      ids.push(id || section || null)
      section = null
    },
  })
  parser.end(html)
  return ids
}

async function run(command: string[], cwd: string): Promise<string | undefined> {
  const [program = "", ...options] = command
  const found = Bun.which(program, { PATH: env.PATH, cwd })
  if (found === null) return undefined
  const child = Bun.spawn([found, ...options], { cwd, env, stdin: "ignore", stderr: "inherit" })
  const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  return code === 0 ? output : undefined
}
