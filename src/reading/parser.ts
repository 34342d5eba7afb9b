import { secondMs } from "../base/clock.ts"
import { type Detail, detail, type Explanation } from "../base/errors.ts"
import type { WorkerLimits } from "../host/limited-worker.ts"
import { isTemporal } from "./formats/dates.ts"
import type { Document, LeftOut } from "./formats/document.ts"
import { readHtml } from "./formats/html/read-html.ts"
import { parseFrontMatter, withPlainLineEnds } from "./formats/markdown/front-matter.ts"
import { type FilePlace, readFile } from "./formats/read-file.ts"
import { type GeneratorPage, readGeneratorPage } from "./generators/read-page.ts"
import { type Unpacking, unpackRepository } from "./kinds/git/unpack.ts"
import type { AddressList } from "./kinds/lists/address-list.ts"
import { readLinks, readParts, type TextPart } from "./kinds/lists/llms-file.ts"
import { readSitemapFile, type SitemapFile } from "./kinds/lists/sitemap-file.ts"
import { declaredCanonical } from "./kinds/web/canonical.ts"
import { documentLinks, pageLinks } from "./kinds/web/document-links.ts"
import { splitDocument } from "./passages/split-document.ts"

/**
 * All parsing of text that comes from a site. A hostile page can keep a parser busy for hours or fill the
 * memory, so another process does it within limits. A page that exceeds them is left out; such a list counts
 * as unreadable.
 */
export interface Parser {
  markdown(text: string, page: GeneratorPage): Promise<Document | LeftOut>
  /** The attributes that a page gives before its text, cut to what fits. */
  frontMatter(text: string): Promise<Record<string, unknown>>
  /** A site's settings, cut to what fits; undefined when they cannot be read. */
  settings(text: string, format: SettingsFormat): Promise<unknown>
  html(text: string, page: HtmlPage): Promise<ParsedHtml>
  /** A file of any kind that is read, told by its content. */
  file(bytes: Uint8Array, place: FilePlace): Promise<Document | LeftOut>
  sitemap(bytes: Uint8Array): Promise<SitemapFile | { wrong: Explanation }>
  /** The addresses in an `llms.txt`. */
  links(text: string): Promise<AddressList | { wrong: Explanation }>
  /** The pages in an `llms-full.txt`. */
  parts(text: string): Promise<TextPart[] | { wrong: Explanation }>
  /** Writes the files of a fetched repository. */
  repository(reply: Uint8Array, wanted: Unpacking): Promise<{ wrong?: Explanation }>
}

/**
 * Limits on the parser for one page or list of pages. The largest that are accepted, a page of 5 MB and a
 * sitemap of 50 MB, need up to 2 seconds of processor time and 500 MB.
 */
export const parserLimits: WorkerLimits = {
  processorMs: 10 * secondMs,
  elapsedMs: 90 * secondMs,
  memoryBytes: 768 * 1024 * 1024,
}

/**
 * How often the limit of processor time some calls may take. A PDF of 1,000 pages needs 9 seconds, and a slower
 * machine has to read it too.
 */
const times: Partial<Record<keyof Parser, number>> = { file: 4, repository: 4 }

interface HtmlPage {
  path: string
  url: string
  /** Whether the documents that it links to are asked for. */
  documents?: boolean
  /** Whether all its links are. */
  links?: boolean
}

interface ParsedHtml {
  read: Document | LeftOut
  /** The page's canonical address, if it declares one. */
  canonical: string | undefined
  /** Addresses of the documents that it links to, a bounded number. */
  documents?: string[]
  /** The addresses that it leads to, a bounded number, and the first one beyond. */
  links?: string[]
  excess?: string
}

/** A call of the parser, as it is sent to the other process. */
export type ParserCall = {
  [Name in keyof Parser]: { name: Name; given: Parameters<Parser[Name]> }
}[keyof Parser]

/** The reply of the other process: the result, or the message of the error. */
export type ParserAnswer = { result: unknown } | { thrown: string }

/** A page of 5 MB that refers to one long address a million times would become gigabytes of text. */
const maxDocumentCharacters = 10_000_000

/** Parses in this process, without limits. */
export const localParser: Parser = {
  markdown: async (text, page) => checked(readGeneratorPage(text, page)),
  frontMatter: async (text) =>
    cutData(parseFrontMatter(withPlainLineEnds(text)).attributes) as Record<string, unknown>,
  settings: async (text, format) => cutData(parseSettings(withPlainLineEnds(text), format)),
  html: async (text, page) => ({
    read: checked(readHtml(text, page)),
    canonical: declaredCanonical(text, new URL(page.url)),
    ...(page.documents && { documents: documentLinks(text, page.url) }),
    ...(page.links && pageLinks(text, page.url)),
  }),
  file: async (bytes, place) => checked(await readFile(bytes, place)),
  sitemap: async (bytes) => readSitemapFile(bytes),
  links: async (text) => readLinks(text),
  parts: async (text) => readParts(text),
  repository: async (reply, wanted) => unpackRepository(reply, wanted),
}

/** Runs in the parsing process: answers one call. */
export async function answerParserCall({ name, given }: ParserCall): Promise<ParserAnswer> {
  try {
    const parse = localParser[name] as (...given: unknown[]) => Promise<unknown>
    return { result: await parse(...given) }
  } catch (error) {
    return { thrown: (error as Error).message }
  }
}

/** Parses in another process. `ask` resolves to the reply of `answerParserCall` there, or to the exceeded limit. */
export function remoteParser(
  ask: (call: ParserCall, times: number) => Promise<{ answer: unknown } | { exceeded: Detail }>,
): Parser {
  async function call<Name extends keyof Parser>(
    name: Name,
    given: Parameters<Parser[Name]>,
    instead: (exceeded: Detail) => Awaited<ReturnType<Parser[Name]>>,
  ): Promise<Awaited<ReturnType<Parser[Name]>>> {
    const reply = await ask({ name, given } as ParserCall, times[name] ?? 1)
    if ("exceeded" in reply) return instead(reply.exceeded)
    const answer = reply.answer as ParserAnswer
    if ("thrown" in answer) throw new Error(answer.thrown)
    return answer.result as Awaited<ReturnType<Parser[Name]>>
  }

  const leftOut = (exceeded: Detail): LeftOut => ({ leftOut: "too_complex", detail: exceeded })
  const wrong = (exceeded: Detail) => ({ wrong: detail("reading.listParsing", { why: exceeded }) })
  return {
    markdown: (...given) => call("markdown", given, leftOut),
    frontMatter: (...given) => call("frontMatter", given, () => ({})),
    settings: (...given) => call("settings", given, () => undefined),
    html: (...given) =>
      call("html", given, (exceeded) => ({ read: leftOut(exceeded), canonical: undefined })),
    file: (...given) => call("file", given, leftOut),
    sitemap: (...given) => call("sitemap", given, wrong),
    links: (...given) => call("links", given, wrong),
    parts: (...given) => call("parts", given, wrong),
    repository: (...given) =>
      call("repository", given, (exceeded) => ({ wrong: detail("reading.gitUnpacking", { why: exceeded }) })),
  }
}

/** Cuts the document into passages within the limits, because building the index does it without them. */
function checked(read: Document | LeftOut): Document | LeftOut {
  if ("leftOut" in read) return read
  const characters = read.sections.reduce((sum, { markdown }) => sum + markdown.length, 0)
  if (characters > maxDocumentCharacters)
    return { leftOut: "too_large", detail: detail("reading.textTooLong", { characters }) }
  splitDocument(read)
  return read
}

type SettingsFormat = "yaml" | "toml" | "json"

/** Reads a site's settings; undefined when they cannot be read. */
function parseSettings(text: string, format: SettingsFormat): unknown {
  try {
    if (format === "json") return JSON.parse(text)
    return format === "toml" ? Bun.TOML.parse(text) : Bun.YAML.parse(withoutEnvironment(text))
  } catch {
    return undefined
  }
}

/** `!ENV [NAME, docs]` of MkDocs takes its default, never a variable of ours; `!ENV NAME` has none. */
function withoutEnvironment(text: string): string {
  return text.replace(
    /!ENV[ \t]+(?:\[([^\][\n]*)\]|[\w"'-]+)/g,
    (_, list?: string) => list?.split(",").slice(1).at(-1)?.trim() ?? "null",
  )
}

/** The most that is kept of settings or of a front matter: repeated references make gigabytes of a short text. */
const maxValues = 20_000
const maxDepth = 12
const maxCharacters = 2_000_000

/** A copy within limits of size: texts, numbers, lists and objects; what is beyond is left out. */
function cutData(data: unknown): unknown {
  let values = maxValues
  let characters = maxCharacters
  return copy(data, 0)

  function copy(value: unknown, depth: number): unknown {
    if (--values < 0 || depth > maxDepth) return undefined
    if (typeof value === "string") {
      characters -= value.length
      return characters < 0 ? undefined : value
    }
    if (typeof value !== "object" || value === null) return typeof value === "bigint" ? Number(value) : value
    if (isTemporal(value)) return String(value)
    if (Array.isArray(value)) return value.slice(0, maxValues).map((each) => copy(each, depth + 1))
    const entries = Object.entries(value).slice(0, maxValues)
    return Object.fromEntries(entries.map(([name, each]) => [name, copy(each, depth + 1)]))
  }
}
