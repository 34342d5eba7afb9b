/**
 * `bun test/bench/makers.ts [--only NAME] [--keep FOLDER]`: lets every maker of documents that is installed write one
 * guide, reads what it made, and prints what was lost. `--keep` leaves the documents and their texts in a folder.
 * Libraries are looked for where `GUICHET_MAKERS` says (`makers/libraries.ts`).
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { pageMarkdown } from "../../src/reading/formats/outline.ts"
import { localParser } from "../../src/reading/parser.ts"
import { temporaryFolder } from "../support/service.ts"
import { facts } from "./makers/guide.ts"
import { libraries } from "./makers/libraries.ts"
import type { Maker } from "./makers/maker.ts"
import { pdfMakers } from "./makers/pdf.ts"

const makers: Maker[] = [...pdfMakers, ...libraries]
const longestMs = 120_000

const { values } = parseArgs({ options: { only: { type: "string", default: "" }, keep: { type: "string" } } })
for (const maker of makers.filter(({ name }) => name.includes(values.only))) {
  if (Bun.which(maker.program) === null) process.stdout.write(`${maker.name}: not installed\n`)
  else process.stdout.write(`${maker.name}, ${await versionOf(maker)}: ${await lossesOf(maker)}\n`)
}

async function versionOf({ version }: Maker): Promise<string> {
  const text = await new Response(Bun.spawn(version, { stderr: "ignore" }).stdout).text()
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? "unknown"
}

async function lossesOf(maker: Maker): Promise<string> {
  using folder = temporaryFolder()
  const [name, text] = maker.input
  writeFileSync(join(folder.path, name), text)
  for (const command of maker.commands) {
    const env = { ...process.env, HOME: folder.path }
    const options = { cwd: folder.path, env, stdout: "ignore", stderr: "ignore", timeout: longestMs } as const
    await Bun.spawn(command, options).exited
  }
  const file = Bun.file(join(folder.path, maker.output))
  if (!(await file.exists())) return "made nothing"
  const place = { path: "guide", url: `https://mairie.exemple.fr/${maker.output}` }
  const document = await localParser.file(await file.bytes(), place)
  if ("leftOut" in document) return `left out: ${document.leftOut}`
  const read = pageMarkdown(document)
  if (values.keep) {
    const to = join(values.keep, maker.name.replace(/\W+/g, "-"))
    mkdirSync(to, { recursive: true })
    cpSync(folder.path, to, { recursive: true })
    writeFileSync(join(to, "read.md"), read)
  }
  const lines = comparable(read)
  const written = facts.filter(({ what }) => what === (maker.holds ?? what))
  const lost = written.filter((fact) => !lines.includes(comparable(fact.text)))
  if (lost.length === 0) return "nothing lost"
  const first = lost.slice(0, 6).map((fact) => `  ${fact.what}: ${fact.text}`)
  return [`${lost.length} of ${written.length} lost`, ...first].join("\n")
}

/** Without what says nothing else: which apostrophe, which space. */
function comparable(text: string): string {
  return text
    .replace(/^(#+) \d[\d.]* /gm, "$1 ")
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .replace(/« | »/g, (sign) => sign.trim())
}
