import type { Explanation } from "../../base/errors.ts"
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
  /** The day on which it was published as news: `2024-06-02`. */
  published?: string
  /** A remark for the page's owner, in English: "front matter: …". */
  note?: string
  /** Set for an HTML page, and for a document of another format that lost parts: those stand in `leftOut`. */
  html?: HtmlNotes
  /** Set for a document that is no page. */
  format?: DocumentFormat
}

/** Documents that are no pages of a site: its visitors open or download them. */
export const documentFormats = ["pdf", "docx", "odt", "openapi"] as const
export type DocumentFormat = (typeof documentFormats)[number]

/** Notes of the reader of an HTML page for its owner, and for a look at the other pages of the site. */
export interface HtmlNotes {
  /** In reading order, a bounded number. */
  leftOut: LeftOutPart[]
  /** Hashes of blocks of the text that are left out if other pages of the site say the same. */
  doubtful: string[]
  /** Title to take instead if the site gives the page's own to most pages. */
  otherTitle: string | null
}

/** A part of a page that is not read. */
export interface LeftOutPart {
  reason: PartReason
  /** Its first words. */
  text: string
}

export const partReasons = [
  "owner",
  "hidden",
  "navigation",
  "cookies",
  "promotion",
  "form",
  "aside",
  "generated",
  "outside",
  "repeated",
  "unreadable",
  "drawing",
  "reference",
  "limit",
  "scanned",
] as const

/**
 * Why a part is not read: `owner`, marked so; `generated`, a line of the program that made the site; `outside`, beside
 * the element that holds the text; `repeated`, said by the site's other pages too; `unreadable`, a broken part of a
 * file; `drawing`, a chart or another picture with words; `reference`, what a reference leads to that is not there;
 * `limit`, beyond what is read of one file; `scanned`, pages
 * without text.
 */
export type PartReason = (typeof partReasons)[number]

/** A page that is not documentation, because it says so or because we judge so. */
export interface LeftOut {
  leftOut: LeftOutReason
  detail?: Explanation
  /** The address to which the page leads its readers. */
  leadsTo?: string
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
  | "redirect"
  | "list"
  | "duplicate"
  | "foreign_host"
  | "too_complex"
  /** Pictures of pages, without text. */
  | "scanned"
  /** Opens with a password alone. */
  | "encrypted"
  /** By its dates: not yet, or no longer. */
  | "not_published"
  /** By a pattern of the feed. */
  | "excluded"
  /** One of addresses without end, by its shape. */
  | "trap"
  /** Beyond what is read of one feed or page. */
  | "limit"
  | typeof notKept

/** A file of a ZIP that was not kept when it was sent: that stays told at every reading. */
export const notKept = "not_kept"

/** The text under one heading, down to the next heading of any level. */
export interface Section {
  /** Headings from below the page title down to this one, as plain text; empty before the first heading. */
  headings: string[]
  /** The anchor that the real page has for this heading, without `#`; null before the first heading. */
  anchor: string | null
  /** The section's own text as Markdown, without its heading, navigation, scripts or comments. */
  markdown: string
  /** Where its text goes on at another anchor, such as the next page; `from` as in `SectionStart`. */
  places?: { from: number; anchor: string }[]
  /** Words that it is found by and that it does not show: description and tags of the page, at its first section. */
  keywords?: string
}

/**
 * Pages that repeat the words of all others and seldom answer: `news`, release notes, changelogs and lists of dated
 * posts; `legal`, notices, terms and statutes; `reference`, what each name of a program's interface means, and the
 * README of a repository.
 */
export const pageKinds = ["news", "legal", "reference"] as const
export type PageKind = (typeof pageKinds)[number]

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
  /** Set where its page stands behind others. */
  kind?: PageKind
  /** The day of its page's publication, where that is news. */
  published?: string
  /** The last day on which the news may still hold. */
  until?: string
  /** As `Section` has them, in the first passage of its page. */
  keywords?: string
  /** Where each section begins; only in a passage that joins several sections. */
  sections?: SectionStart[]
  /** Where its text goes on at another address, such as the next page of a file. */
  places?: Pick<SectionStart, "from" | "url">[]
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
