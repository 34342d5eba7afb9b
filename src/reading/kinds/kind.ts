import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { maxUrlLength } from "../../base/text.ts"
import type { Db } from "../../db/connection.ts"
import { oneOf, text } from "../../http/record/schemas.ts"
import type { Files } from "../../storage/files.ts"
import type { UrlStyle } from "../generators/kit/generator.ts"
import { type Generator, generatorNames } from "../generators/names.ts"
import { patternLimits } from "../page-patterns.ts"
import type { Parser } from "../parser.ts"
import type { Visits } from "./crawl/visits.ts"
import type { PageReading, ReadBefore } from "./page-reading.ts"
import type { Network } from "./web/network.ts"

/** A kind of feed: what is stored of its feeds, how callers describe them, what opens them, how they are read. */
export interface FeedKind<
  Settings extends TProperties = TProperties,
  Input = TProperties,
  Change = TProperties,
  Own = Static<TObject<Settings>>,
> {
  /** Schema of what is stored of a feed beside its address, as one JSON text. */
  settings: TObject<Settings>
  /** The members by which the API describes a feed. One that has the name of a setting becomes that setting. */
  input: Input
  /** The members of `input` that may be changed later. */
  change: Change
  /** Settings that `input` may leave out, in whole or, where one is an object, in part. */
  usual?: Partial<Own>
  /** Asked for by a place that is not public. Undefined: the kind reads nothing over the network. */
  secret?: "headers" | "token"
  /** Stands for an address that is not given. Other kinds need one. */
  usualAddress?: string
  /** Its feeds are folders of this machine, which the command line alone adds. */
  isLocal?: true
  /** Pages that a complete reading misses were removed on purpose, however many they are. */
  losesOnPurpose?: true
  /** A page is asked for only if it has changed since its last visit. */
  remembersVisits?: true
  /**
   * Settings that do not stand in `input` as they are. Throws Refusal `invalid_request` for places that the project
   * may not read. Without this function, the address is to be one of a declared site.
   */
  described?(input: Described<Input>, sites: Sites): Partial<Own>
  /** Faults of settings by member, beyond their schema. */
  faults?(settings: Own): Record<string, Detail>
  /** The generator by whose rules its files are read. Undefined when none is recognised. */
  generatorOf?(feed: FeedBase & Own): Promise<Generator | undefined>
  /** Reads every page, as `FeedReader` does. */
  read(feed: FeedBase & Own, tools: ReadingTools, reading: ReadingRun): AsyncIterable<PageReading>
}

/** Has TypeScript infer the schemas. */
export function feedKind<Settings extends TProperties, Input extends TProperties, Change extends TProperties>(
  kind: FeedKind<Settings, Input, Change>,
): FeedKind<Settings, Input, Change> {
  return kind
}

export interface FeedBase {
  id: string
  projectId: string
  address: string
  /** JSON of its own headers, for `headersOf`. */
  sealedHeaders?: string | undefined
}

export type FeedWith<Settings extends TProperties> = FeedBase & Static<TObject<Settings>>

type Described<Input> = { address: string } & (Input extends TProperties ? Static<TObject<Input>> : never)

/** The declared sites of a project. */
export interface Sites {
  site: string
  isDeclared(address: string): boolean
}

export interface ReadingTools {
  /** Declared origins of the project. */
  origins: readonly string[]
  network: Network
  parser: Parser
  /** Needed for repositories and uploads. */
  places?: Places | undefined
}

/** Where the copies of repositories and the uploads are, and where Guichet serves uploads itself. */
export interface Places {
  dataDir: string
  db: Db
  files: Files
  publicUrl: string
}

export interface ReadingRun {
  signal: AbortSignal
  /** Pages that are not read again. */
  before?: ReadBefore | undefined
  visits?: Visits | undefined
  /** Hears how many pages there are, where that is known before they are read. */
  onListed?: ((pages: number) => void) | undefined
}

const pattern = Type.Array(text({ maxLength: patternLimits.characters }), {
  maxItems: patternLimits.patterns,
})

/** Settings of every kind. */
export const patterns = { include: Type.Optional(pattern), exclude: Type.Optional(pattern) }

/** Settings of kinds that read pages of a site: whether the documents that these link to are read too. */
export const linked = { documents: Type.Optional(Type.Boolean()) }

/** Common to the kinds that read the pages of one site. */
export const pagesOfSite = {
  settings: Type.Object({ ...patterns, ...linked }),
  input: { ...patterns, ...linked },
  change: linked,
  secret: "headers",
} as const

export const urlStyles: (UrlStyle | "auto")[] = ["auto", "clean", "html", "slash"]

/** Settings of kinds whose files become pages of a site. */
export const published = {
  /** Where they stand. A letter that was typed may have become nine characters. */
  baseUrl: text({ maxLength: 9 * maxUrlLength }),
  /** `auto`: as the generator makes them. */
  urlStyle: oneOf(urlStyles),
  /** Recognised by the files unless it is set. */
  generator: Type.Optional(oneOf(generatorNames)),
}

export type PublishedFeed = FeedWith<typeof patterns & typeof published>

export function invalidFeed(fields: Record<string, Detail>): Refusal {
  return new Refusal("invalid_request", detail("assistant.invalidFeed"), { fields })
}

/** Throws Refusal for an address of another site. */
export function requireDeclared(address: string, { isDeclared }: Sites): void {
  if (!isDeclared(address)) throw invalidFeed({ address: detail("assistant.feedElsewhere") })
}
