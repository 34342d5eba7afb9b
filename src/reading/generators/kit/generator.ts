import { detail } from "../../../base/errors.ts"
import { isObject } from "../../../base/names.ts"
import type { LeftOut } from "../../formats/document.ts"
import type { AnchorStyle } from "../../formats/markdown/anchors.ts"
import type { Dialect } from "../../formats/markdown/dialect.ts"
import type { FrontMatter } from "../../formats/markdown/front-matter.ts"
import type { Publication } from "../../formats/markdown/publication.ts"

/** How the generator or its server ends the address of a page: `a`, `a.html` or `a/`. */
export type UrlStyle = "clean" | "html" | "slash"

/** A site generator: how its sites are recognised, how it makes pages of files, and what it adds to Markdown. */
export interface SiteGenerator {
  /** Its name for people. */
  name: string
  /** Files or folders in a site's folder that only this generator has. */
  signs: readonly string[]
  /** Whether a folder with such a sign is its site indeed, by what else it has; every one without this function. */
  owns?(has: SiteFolder["has"]): boolean
  /** Whether a folder of pages without the site's own files is one of its sites. */
  ownsPages?(folder: string): Promise<boolean>
  rules(site: SiteFolder): Promise<SiteRules>
  anchors: Anchors
  /** The name in `anchors` that a page asks for itself; undefined: as the site has it. */
  pageAnchors?(page: FrontMatter): string | undefined
  dialect: Dialect
}

/** The ways in which a generator derives anchors from headings. A site's settings may name one that is not usual. */
export interface Anchors {
  usual: AnchorStyle
  [name: string]: AnchorStyle
}

/** The folder of a site as the rules of its generator see it. Paths count from there. */
export interface SiteFolder {
  /** The owner's choice of addresses; undefined: as the generator makes them. */
  style: UrlStyle | undefined
  has(path: string): boolean
  /** The text of the first of these files; empty without one. Never throws. */
  text(...names: string[]): Promise<string>
  /** The contents of the first of these YAML, TOML or JSON files; empty without one. Never throws. */
  settings(...names: string[]): Promise<Attributes>
  /** The names in a folder, sorted; empty without one. */
  list(path: string): string[]
}

export type Attributes = Record<string, unknown>

/** The rules of one site. */
export interface SiteRules {
  /** Its folders of pages; a file belongs to the one with the longest path. */
  roots: PageRoot[]
  /** The languages that names of files or folders below the roots tell; `any`: every code of a language. */
  languages?: readonly string[]
  /** The name of the file that is the page of its folder; `index` unless set. */
  folderPage?: string
  routeOf(page: Page): Route | LeftOut | Promise<Route | LeftOut>
  /** Attributes that the settings of the site or the pages above give to a page, which does not give them itself. */
  inherited?(page: Page): Promise<Attributes>
  includes?: Include[]
  /** The text with what the generator fills in: variables, links to other files. */
  filled?(text: string, page: Page): Promise<string>
  /** The name in the generator's `anchors`; `usual` unless given. */
  anchors?: string | undefined
  /** Whether dates and drafts hide pages; without it, dates hide nothing. */
  publication?: Omit<Publication, "nowMs">
}

export interface PageRoot {
  /** From the site's folder: empty, or with a slash at its end. */
  folder: string
  /** The address path of that folder on the site, from a slash to a slash. */
  route: string
  language?: string | undefined
  /** The sort of pages that the files are, in the generator's own word. */
  kind?: string
  /** Why its pages are not read unless the feed names this folder itself. */
  leftOut?: LeftOut
}

export interface Page {
  root: PageRoot
  /** Path below the root without extension. */
  path: string
  /** With its dot. */
  extension: string
  /** The one language that is read, where the feed's address is that of a language. */
  only?: string | undefined
  /** Its front matter. */
  attributes(): Promise<Attributes>
  /** That of another file, by its path from the site's folder. */
  attributesOf(path: string): Promise<Attributes>
  /** Whether a file is there, by its path below the root. */
  has(path: string): boolean
  /** The address path of another page, by its path from the site's folder. */
  routeOf(path: string): Promise<string | undefined>
  /** Absolute address of an address path of the site. */
  urlOf(route: string): string
}

/** How a generator's pages include other files. */
export interface Include {
  /** Writes what names files elsewhere in the text as inclusions. */
  prepare?(text: string): string
  /** Where an inclusion stands: global and linear. */
  pattern: RegExp
  /** Undefined leaves the text as it is. */
  of(found: RegExpExecArray, includer: Includer): Inclusion | undefined
}

export interface Inclusion {
  /** The file from the site's folder; the first of these that can be read. */
  paths: string[]
  /** The part of the file that is shown; all of it unless given. */
  part?: ((text: string) => string) | undefined
  /** Shown as code of this language. */
  code?: string | undefined
  /** Put before each line: the indentation of the inclusion. */
  indent?: string | undefined
}

export interface Includer {
  page: Page
  /** The folder of the file that includes, from the site's folder. */
  folder: string
}

/** A page's address path on the site, from a slash on, without percent signs. */
export interface Route {
  path: string
  language?: string | undefined
  /** The front matter or the settings gave the whole path. */
  isOwn?: boolean
}

/** Why files are no pages of the site. */
export const notPublished: LeftOut = { leftOut: "empty", detail: detail("reading.notPublished") }
export const notInContents: LeftOut = { leftOut: "empty", detail: detail("reading.notInContents") }
export const pagePart: LeftOut = { leftOut: "empty", detail: detail("reading.pagePart") }
export const outsidePages: LeftOut = { leftOut: "empty", detail: detail("reading.outsidePages") }

/** `guide/install` → `/guide/install`, `/guide/install.html` or `/guide/install/`. */
export function ended(path: string, style: UrlStyle): string {
  return path + { clean: "", html: ".html", slash: "/" }[style]
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** The folder of a path with a slash at its end; empty for a file at the top. */
export function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1)
}

export function record(value: unknown): Attributes {
  return isObject(value) ? value : {}
}

/** A text or number of settings or front matter as it is used in an address. */
export function word(value: unknown): string | undefined {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

export function words(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => word(each) ?? [])
  return word(value)?.split(/\s+/) ?? []
}

/** A folder of settings as the start of paths: `./docs/` → `docs/`, `.` → empty. */
export function asFolder(path: string): string {
  const plain = path.replace(/^(?:\.?\/)+/, "").replace(/(?<!\/)\/+$/, "")
  return plain === "" || plain === "." ? "" : `${plain}/`
}
