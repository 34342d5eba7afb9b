import type { Told } from "../../base/errors.ts"

/** One page of a documentation, as read from a feed. */
export interface Document {
  /**
   * Path relative to the feed, without extension: `guide/install`. Identifies the document within its feed.
   */
  path: string
  /** Absolute address of the page, without fragment. */
  url: string
  title: string
  /** In reading order. What stands before the first heading is a section too. */
  sections: Section[]
  /** What its owner should know of its reading, in English: "front matter: …". */
  note?: string
}

/** A page that is not documentation, by its own word or ours. */
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

/** What stands under one heading, down to the next heading of any level. */
export interface Section {
  /** Headings from below the page title down to this one, as plain text; empty before the first heading. */
  headings: string[]
  /** The anchor that the real page has for this heading, without `#`; null before the first. */
  anchor: string | null
  /** The section's own text as Markdown, without its heading, navigation, scripts or comments. */
  markdown: string
}

/**
 * The stored, retrieved and cited piece of a document: a section, a part of a long one, or several small ones
 * merged.
 */
export interface Passage {
  /** What names it within its project and feed, always the same for the same page and section. */
  key: string
  /** Path of the document it comes from. */
  document: string
  /** Absolute address, with the section's anchor. */
  url: string
  title: string
  headings: string[]
  markdown: string
  /** Of one that is made of several sections, where each begins. */
  sections?: SectionStart[]
}

/** Where a section begins within a passage, and where it stands on its page. */
export interface SectionStart {
  /** Place in the passage's Markdown, in UTF-16 code units. */
  from: number
  /** Its own heading; null before the first of a page. */
  heading: string | null
  /** Absolute address, with the section's anchor. */
  url: string
}
