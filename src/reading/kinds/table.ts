import type { Static, TObject, TProperties } from "@sinclair/typebox"
import { crawl } from "./crawl.ts"
import { folder } from "./folder.ts"
import { git } from "./git.ts"
import type { FeedBase, FeedKind } from "./kind.ts"
import { llms } from "./llms.ts"
import { pages } from "./pages.ts"
import { site } from "./site.ts"
import { sitemap } from "./sitemap.ts"
import { upload } from "./upload.ts"

/** The kinds of feeds by their names in the API, in the order in which faces list them. */
const kinds = { site, pages, upload, crawl, sitemap, llms, git, dir: folder }

type Kinds = typeof kinds
export type KindName = keyof Kinds

type Whole<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
/** The members of a part of all kinds together. */
export type Members<Part extends "input" | "change"> = Whole<Kinds[KindName][Part]>
type Settings<Each extends KindName> =
  Kinds[Each]["settings"] extends TObject<infer Own extends TProperties> ? Static<TObject<Own>> : never

type AnySettings = Partial<Whole<{ [Each in KindName]: Settings<Each> }[KindName]>>

/** A place that a project's documents are read from. It has the settings of its kind and no others. */
export type Feed = FeedBase & { kind: KindName } & AnySettings
export type FolderFeed = FeedBase & { kind: "dir" } & Settings<"dir">

export const feedKinds: Readonly<
  Record<KindName, FeedKind<TProperties, TProperties, TProperties, AnySettings>>
> = kinds
export const kindNames = Object.keys(kinds) as KindName[]
