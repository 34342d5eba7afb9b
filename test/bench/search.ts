import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { insertProject, type Language } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { requireIndex } from "../../src/answering/ask/admit.ts"
import { searchPages } from "../../src/answering/search/search.ts"
import { openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config/config.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/index/lance/lance.ts"
import { frenchDictionary } from "../../src/index/text/french.ts"
import { repeatedOf } from "../../src/indexing/site-repetition.ts"
import { documentsOf } from "../../src/indexing/stored-document.ts"
import type { Passage } from "../../src/reading/formats/document.ts"
import { splitDocument } from "../../src/reading/passages/split-document.ts"
import { indexFolder, origin } from "../support/ask.ts"
import { temporaryFolder } from "../support/service.ts"
import { quantile, report, say } from "./figures.ts"
import { mistyped } from "./mistyped.ts"
import { requirePackage } from "./packages.ts"
import { syntheticPassages } from "./synthetic.ts"

requirePackage("minisearch")
const { default: MiniSearch } = await import("minisearch")

/**
 * Search as one types, beside MiniSearch as its documentation has it set up: how often the first page found for the
 * title of a page is that page, and how long each key takes at several sizes.
 *
 *   bun test/bench/search.ts --shared ../shared [--size N]… [--set NAME]… [--only quality,speed] [--rounds 1]
 */
const { values } = parseArgs({
  options: {
    shared: { type: "string", default: join(import.meta.dir, "../../../shared") },
    size: { type: "string", multiple: true, default: ["1000", "10000", "100000"] },
    set: { type: "string", multiple: true },
    only: { type: "string", default: "quality,speed" },
    rounds: { type: "string", default: "1" },
  },
})
/** Keys that are timed, spread over the titles, while there is time. */
const maxKeys = 600
const maxMs = 15_000

/** Resolves to the address of the best page. */
type Search = (q: string) => Promise<string | undefined>

async function compareQuality(): Promise<void> {
  const rows: Record<string, unknown>[] = []
  for (const [name, folder] of sources()) {
    await using documentation = await indexed(name, folder)
    const { index, passages } = documentation
    const titles = titlesOf(passages)
    const searches = { guichet: guichetOf(index), minisearch: miniSearchOf(passages) }
    for (const [engine, search] of Object.entries(searches)) {
      const row: Record<string, unknown> = { documentation: name, engine, titles: titles.length }
      for (const [kind, typed] of Object.entries(kinds)) {
        let right = 0
        for (const [title, url] of titles) if ((await search(typed(title))) === url) right++
        row[kind] = `${Math.round((100 * right) / titles.length)} %`
      }
      rows.push(row)
    }
  }
  say(Bun.inspect.table(rows))
}

async function compareSpeed(): Promise<void> {
  const [[name, folder]] = sources() as [[string, string]]
  await using documentation = await indexed(name, folder)
  const real = documentation.passages
  for (const size of values.size) {
    const passages = [...syntheticPassages(real, Number(size))]
    const keys = keysOf(titlesOf(real).map(([title]) => title))
    using place = temporaryFolder()
    await buildIndex(place.path, "bench_1", "fr", passages)
    using index = (await openIndex(place.path, "bench_1")) as PassageIndex
    say(`${size} passages, guichet: titles in memory after ${await measured(() => index.headings())}`)
    await timeRounds(`guichet, ${size}`, guichetOf(index), keys)
    let mini: Search | undefined
    const built = await measured(async () => {
      mini = miniSearchOf(passages)
    })
    say(`${size} passages, minisearch: built in ${built}`)
    await timeRounds(`minisearch, ${size}`, mini as unknown as Search, keys)
  }
}

/** As one types the title, as one who makes an error, and in the words of one who remembers a part of it. */
const kinds = {
  title: (title: string) => title,
  "without accents": (title: string) => title.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase(),
  "one typing error": withError,
  "two thirds typed": (title: string) => title.slice(0, Math.ceil((2 * title.length) / 3)),
  both: (title: string) => withError(title.slice(0, Math.ceil((2 * title.length) / 3))),
}

function withError(title: string): string {
  return mistyped({ id: title, question: title, answerable: true, pages: [] } as never).question
}

/** The chosen ones, else all that are there. */
function sources(): [name: string, folder: string][] {
  const shared = join(values.shared, "eval")
  const all: [name: string, folder: string][] = [
    ["vue-fr", join(shared, "vue-fr/docs")],
    ["react-fr", join(shared, "react-fr/docs")],
    ["elysia-en", join(shared, "elysia-en/docs")],
    ["demo", join(import.meta.dir, "../../data/demo")],
  ]
  return all.filter(([name, folder]) => values.set?.includes(name) ?? existsSync(folder))
}

async function indexed(name: string, folder: string) {
  await using resources = new AsyncDisposableStack()
  const data = resources.use(temporaryFolder()).path
  const settings = { GUICHET_DATA_DIR: data, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }
  const app = resources.use(await openApp(readConfig(settings)))
  const language: Language = name.endsWith("-en") ? "en" : "fr"
  const wanted = { name, language, site: origin }
  const project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  await indexFolder(app, project, folder, "auto")
  const { index, generation } = await requireIndex(app.assistant, project)
  const passages: Passage[] = []
  const repeated = await repeatedOf(app.db, project.id)
  for await (const document of documentsOf(app.db, project.id, generation, repeated))
    passages.push(...splitDocument(document))
  const kept = resources.move()
  return { index, passages, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Each title that one page alone has, with the page's address. */
function titlesOf(passages: readonly Passage[]): [title: string, url: string][] {
  const pages = new Map(passages.map(({ title, url }) => [pageOf(url), title]))
  const byTitle = Map.groupBy(pages, ([, title]) => title.toLowerCase())
  return [...byTitle.values()].flatMap(([page, other]) =>
    page && !other ? [[page[1], page[0]] as [string, string]] : [],
  )
}

function pageOf(url: string): string {
  return url.split("#")[0] as string
}

function guichetOf(index: PassageIndex): Search {
  return async (q) => (await searchPages(index, q))[0]?.url
}

/** The settings that its documentation shows for a search as one types. */
function miniSearchOf(passages: readonly Passage[]): Search {
  const mini = new MiniSearch<{ id: number; title: string; headings: string; text: string }>({
    fields: ["title", "headings", "text"],
    searchOptions: { boost: { title: 4, headings: 2 }, prefix: true, fuzzy: 0.2 },
  })
  mini.addAll(
    passages.map(({ title, headings, markdown }, id) => ({
      id,
      title,
      headings: headings.join(" "),
      text: markdown,
    })),
  )
  return async (q) => {
    const [best] = mini.search(q)
    return best && pageOf((passages[best["id"] as number] as Passage).url)
  }
}

/** Everything that stands in the field while titles are typed, from the second letter on; every third with an error. */
function keysOf(titles: readonly string[]): string[] {
  const all = titles.flatMap((title, n) => {
    const typed = n % 3 === 0 ? withError(title) : title
    return Array.from({ length: Math.max(0, typed.length - 1) }, (_, at) => typed.slice(0, at + 2))
  })
  const step = Math.max(1, Math.floor(all.length / maxKeys))
  return all.filter((_, at) => at % step === 0)
}

async function timeRounds(name: string, search: Search, keys: readonly string[]): Promise<void> {
  for (const key of keys.slice(0, 20)) await search(key)
  for (let round = 0; round < Number(values.rounds); round++) {
    const took: number[] = []
    const before = process.cpuUsage()
    const endMs = performance.now() + maxMs
    for (const key of keys) {
      const startedMs = performance.now()
      if (startedMs > endMs) break
      await search(key)
      took.push(performance.now() - startedMs)
    }
    const { user, system } = process.cpuUsage(before)
    report({
      [`${name}: p50 ms`]: quantile(took, 0.5),
      [`${name}: p95 ms`]: quantile(took, 0.95),
      [`${name}: processor ms a key`]: (user + system) / 1000 / took.length,
    })
  }
}

/** Milliseconds, and growth of the memory in use. */
async function measured(work: () => Promise<unknown>): Promise<string> {
  Bun.gc(true)
  const before = process.memoryUsage()
  const startedMs = performance.now()
  await work()
  const ms = Math.round(performance.now() - startedMs)
  Bun.gc(true)
  const after = process.memoryUsage()
  const used = ({ heapUsed, external }: NodeJS.MemoryUsage) => heapUsed + external
  return `${ms} ms and with ${((used(after) - used(before)) / 1e6).toFixed(1)} MB`
}

frenchDictionary()
if (values.only.includes("quality")) await compareQuality()
if (values.only.includes("speed")) await compareSpeed()
