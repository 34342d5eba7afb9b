import type { Document, LeftOut } from "../documents/document.ts"
import { readHtml } from "../documents/html/read-html.ts"
import { type MarkdownPage, readMarkdown } from "../documents/markdown/read-markdown.ts"
import { splitDocument } from "../documents/passages/split-document.ts"
import type { AddressList } from "./lists/address-list.ts"
import { linksOf, partsOf, type TextPart } from "./lists/llms-file.ts"
import { readSitemapFile, type SitemapFile } from "./lists/sitemap-file.ts"
import { canonicalOf } from "./web/canonical.ts"

/**
 * All that is made of the text of a site. A page may be written to keep this busy for hours or to fill the
 * memory, so that a reading has it done by another process, within limits; what exceeds them comes back as a
 * page left out, or a list that cannot be read.
 */
export interface Parser {
  markdown(text: string, page: MarkdownPage): Promise<Document | LeftOut>
  html(text: string, page: HtmlPage): Promise<ParsedHtml>
  sitemap(bytes: Uint8Array): Promise<SitemapFile | { wrong: string }>
  /** Of an `llms.txt`. */
  links(text: string): Promise<AddressList | { wrong: string }>
  /** Of an `llms-full.txt`. */
  parts(text: string): Promise<TextPart[] | { wrong: string }>
}

interface HtmlPage {
  path: string
  url: string
}

interface ParsedHtml {
  read: Document | LeftOut
  /** The address that the page gives as its own. */
  canonical: string | undefined
}

/** One call of the parser, as the other process gets it. */
export type ParserCall = {
  [Name in keyof Parser]: { name: Name; given: Parameters<Parser[Name]> }
}[keyof Parser]

/** What comes back: the result, or the message of what was thrown. */
export type ParserAnswer = { result: unknown } | { thrown: string }

/** A page of 5 MB that refers to the same long address a million times would make gigabytes of its text. */
const maxDocumentCharacters = 10_000_000

/** Does the work in this very process, without limits. */
export const parserHere: Parser = {
  markdown: async (text, page) => checked(readMarkdown(text, page)),
  html: async (text, page) => ({
    read: checked(readHtml(text, page)),
    canonical: canonicalOf(text, new URL(page.url)),
  }),
  sitemap: async (bytes) => readSitemapFile(bytes),
  links: async (text) => linksOf(text),
  parts: async (text) => partsOf(text),
}

/** Answers a call in the process that was started for it. */
export async function answerCall({ name, given }: ParserCall): Promise<ParserAnswer> {
  try {
    const parse = parserHere[name] as (...given: unknown[]) => Promise<unknown>
    return { result: await parse(...given) }
  } catch (error) {
    return { thrown: (error as Error).message }
  }
}

/** Has the work done elsewhere; `ask` resolves to what `answerCall` said there, or to why nothing came. */
export function parserElsewhere(
  ask: (call: ParserCall) => Promise<{ answer: unknown } | { exceeded: string }>,
): Parser {
  async function call<Name extends keyof Parser>(
    name: Name,
    given: Parameters<Parser[Name]>,
    instead: (exceeded: string) => Awaited<ReturnType<Parser[Name]>>,
  ): Promise<Awaited<ReturnType<Parser[Name]>>> {
    const asked = await ask({ name, given } as ParserCall)
    if ("exceeded" in asked) return instead(asked.exceeded)
    const answer = asked.answer as ParserAnswer
    if ("thrown" in answer) throw new Error(answer.thrown)
    return answer.result as Awaited<ReturnType<Parser[Name]>>
  }

  const leftOut = (detail: string): LeftOut => ({ leftOut: "too_complex", detail })
  const wrong = (exceeded: string) => ({ wrong: `reading it ${exceeded}` })
  return {
    markdown: (...given) => call("markdown", given, leftOut),
    html: (...given) => call("html", given, (detail) => ({ read: leftOut(detail), canonical: undefined })),
    sitemap: (...given) => call("sitemap", given, wrong),
    links: (...given) => call("links", given, wrong),
    parts: (...given) => call("parts", given, wrong),
  }
}

/**
 * What the index will be built from: a document that cannot be cut into passages in time is found out here,
 * not there.
 */
function checked(read: Document | LeftOut): Document | LeftOut {
  if ("leftOut" in read) return read
  const characters = read.sections.reduce((sum, { markdown }) => sum + markdown.length, 0)
  if (characters > maxDocumentCharacters)
    return { leftOut: "too_large", detail: `its text has ${characters.toLocaleString("en")} characters` }
  splitDocument(read)
  return read
}
