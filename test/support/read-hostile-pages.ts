import type { Document, LeftOut } from "../../src/reading/formats/document.ts"
import { readHtml } from "../../src/reading/formats/html/read-html.ts"
import { pageLimits } from "../../src/reading/formats/page-limits.ts"
import { readGeneratorPage } from "../../src/reading/generators/read-page.ts"
import { splitDocument } from "../../src/reading/passages/split-document.ts"
import { type HostilePage, hostilePages, mostTimes } from "./hostile-pages.ts"
import { leastCpuMs } from "./processor.ts"

/**
 * One line of JSON for each reading, after one that tells what it `begins`: who reads them sees where it
 * stands still.
 */
export type Line = { begins: string } | Reading

export interface Reading {
  name: string
  kind: Kind
  /** Of the processor, for the page and for a harmless one of the same size. */
  cpuMs: number
  harmlessMs: number
  /** A tenth of the largest size. */
  isSmall: boolean
  /** Length of all passages with what each says again, by the length of the page. */
  grewBy: number
  threw?: string
}

/** Files of Markdown, some of which may hold components; pages; what Grav adds to Markdown. */
export const formats = ["markdown", "html", "grav"] as const
export type Format = (typeof formats)[number]
type Kind = ".md" | ".mdx" | ".grav" | ".html"

const page = { path: "guide/page", url: "https://docs.example/guide/page", baseUrl: "https://docs.example" }
const readers: Record<Kind, (text: string) => Document | LeftOut> = {
  ".md": (text) => readGeneratorPage(text, { ...page, generator: "vitepress" }),
  ".mdx": (text) => readGeneratorPage(text, page),
  ".grav": (text) => readGeneratorPage(text, { ...page, generator: "grav" }),
  ".html": (text) => readHtml(text, page),
}

/** What people write: headings, paragraphs, lists, a table and code. */
const harmless = Array.from(
  { length: 50 },
  (_, n) =>
    `## Étape ${n}\n\nAvant d'installer le **guichet**, [préparez](../preparer.md) la machine et son \`domaine\`. ` +
    "Il lui faut peu de place, et il n'écrit nulle part ailleurs que dans son dossier, que vous pouvez déplacer.\n\n" +
    "- Un compte, sans droits particuliers ;\n- Un nom de domaine.\n\n| Réglage | Valeur |\n|---|---|\n| `PORT` | 8080 |\n\n" +
    "```sh\nguichet serve --port 8080\n```\n\nLe service répond ensuite à l'adresse choisie, depuis chaque page du site. " +
    "Pour l'arrêter, envoyez-lui le signal habituel : il achève ce qu'il a commencé, puis rend la main.\n\n",
).join("")

const sizes = { small: pageLimits.characters / 10, large: pageLimits.characters }
const every = Number(Bun.argv[2] ?? 1)
const shapes = hostilePages().filter((_, at) => at % every === 0)

const readFormat: Record<Format, () => Promise<void>> = {
  // Both endings are read by one reader: each shape goes to one of them.
  markdown: () => readAll(shapes, (at) => (at % 2 === 0 ? ".md" : ".mdx"), harmless),
  html: () => readAll(shapes, () => ".html", Bun.markdown.html(harmless)),
  grav: () =>
    readAll(
      shapes.filter(({ name }) => /[[!{]|===/.test(name)),
      () => ".grav",
      harmless,
    ),
}
for (const format of formats) if (format === (Bun.argv[3] ?? format)) await readFormat[format]()

async function readAll(shapes: HostilePage[], kindOf: (at: number) => Kind, written: string): Promise<void> {
  const harmlessMs = {
    large: (await measured(kindOf(0), written.repeat(sizes.large / written.length))).cpuMs,
    small: (await measured(kindOf(0), written.repeat(sizes.small / written.length), 0)).cpuMs,
  }
  for (const [at, { name, text }] of shapes.entries()) {
    const kind = kindOf(at)
    say({ begins: `${kind}: ${name}` })
    try {
      const small = await measured(kind, text(sizes.small), 4 * mostTimes * harmlessMs.small)
      say({ name, kind, isSmall: true, harmlessMs: harmlessMs.small, ...small })
      // What is no slower than a harmless page there is at most ten times as slow here, if it takes the
      // square of its length.
      if (small.cpuMs <= harmlessMs.small) continue
      const large = await measured(kind, text(sizes.large), mostTimes * harmlessMs.large)
      say({ name, kind, isSmall: false, harmlessMs: harmlessMs.large, ...large })
    } catch (error) {
      say({ name, kind, isSmall: true, harmlessMs: 0, cpuMs: 0, grewBy: 0, threw: (error as Error).message })
    }
  }
}

/** The smallest of three tries, or the first that is good enough. */
async function measured(kind: Kind, text: string, enoughMs = Number.POSITIVE_INFINITY) {
  let passages: ReturnType<typeof read> = []
  const cpuMs = await leastCpuMs(() => {
    passages = read(kind, text)
  }, enoughMs)
  return { cpuMs, grewBy: lengthOf(passages) / text.length }
}

function read(kind: Kind, text: string) {
  const document = readers[kind](text)
  return "leftOut" in document ? [] : splitDocument(document)
}

function lengthOf(passages: ReturnType<typeof read>): number {
  return passages.reduce(
    (sum, { title, url, headings, markdown }) =>
      sum + title.length + url.length + headings.join("").length + markdown.length,
    0,
  )
}

function say(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
