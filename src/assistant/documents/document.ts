import type { Told } from "../../base/errors.ts"
import { withoutLinks } from "./link.ts"

/** One page of a documentation, as it is read from a feed. */
export interface Document {
  /**
   * Path relative to the feed, without extension: `guide/install`. It identifies the document within its
   * feed.
   */
  path: string
  /** Absolute address of the page, without fragment. */
  url: string
  title: string
  /** In reading order. The text before the first heading is a section too. */
  sections: Section[]
  /** A remark for the page's owner, in English: "front matter: …". */
  note?: string
}

/** A page that is not documentation, because it says so or because we judge so. */
export interface LeftOut {
  leftOut: LeftOutReason
  detail?: Told
}

export type LeftOutReason =
  | "robots"
  | "noindex"
  | "too_large"
  | "not_found"
  | "unreadable"
  | "not_html"
  | "not_markdown"
  | "empty"
  | "duplicate"
  | "foreign_host"
  | "too_complex"
  /** By a pattern of the feed. */
  | "excluded"

/** The text under one heading, down to the next heading of any level. */
export interface Section {
  /** Headings from below the page title down to this one, as plain text; empty before the first heading. */
  headings: string[]
  /** The anchor that the real page has for this heading, without `#`; null before the first heading. */
  anchor: string | null
  /** The section's own text as Markdown, without its heading, navigation, scripts or comments. */
  markdown: string
}

/**
 * The piece of a document that is stored, retrieved and cited: a section, a part of a long section, or
 * several small sections joined.
 */
export interface Passage {
  /** Unique within the project, and the same at every reading for the same page and section. */
  key: string
  /** Path of its document. */
  document: string
  /** Absolute address, with the section's anchor. */
  url: string
  title: string
  headings: string[]
  markdown: string
  /** Set on the further parts of a long section: the text goes on from the passage before. */
  continues?: true
  /** Where each section begins; only in a passage that joins several sections. */
  sections?: SectionStart[]
}

/** Where a section begins within a passage, and where it stands on its page. */
export interface SectionStart {
  /** Offset in the passage's Markdown, in UTF-16 code units. */
  from: number
  /** The section's own heading; null before the first heading of a page. */
  heading: string | null
  /** Absolute address, with the section's anchor. */
  url: string
}

/**
 * A reader sees only the text of a link, so the index holds only the text. Code that looks like a link loses
 * its address too.
 */
export function withoutLinkTargets(markdown: string): string {
  return withoutLinks(markdown).replace(/\]\([^()\s]*\)/g, "]")
}
