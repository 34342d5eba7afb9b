import type { PublicationDates } from "./publication.ts"

/**
 * A site generator's additions to the Markdown that this folder reads. A page without a dialect is one whose
 * generator is unknown: what most generators have in common is understood.
 */
export interface Dialect {
  /** It replaces `{{ name }}` in the text. For the others that is text: "Hello {{ name }}". */
  fillsVariables?: true
  /** It reads MDX: every tag may run over several lines, and Markdown goes on inside layout tags. */
  isMdx?: true
  /** Markdown goes on right behind an HTML element. For the others it waits for an empty line. */
  continuesBehindHtml?: true
  /** A file is named after its template, and the page after its folder. */
  namesFilesByTemplate?: true
  /** When a page is published, by its attributes and its path. Without it, dates hide nothing. */
  dates?(attributes: Record<string, unknown>, path: string): PublicationDates
  /** Mark-up of its own; `text` is the whole page without front matter. */
  markup?(text: string): PageMarkup
}

/** A dialect's own mark-up in one page. Lines inside code are not shown to it, except the one that ends it. */
export interface PageMarkup {
  /** The page's text as its lines are read. */
  text: string
  /** A line before anything in it is read. */
  prepare(line: string): string
  /** The code that begins on this line, and the line that ends it; undefined for any other line. */
  codeStart(line: string): { language: string; end: string } | undefined
  /** The line as lines of Markdown. */
  convert(line: string): string[]
}
