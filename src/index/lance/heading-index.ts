import type { Language } from "../../accounts/project.ts"
import { ownTick } from "../../base/async.ts"
import type { Passage } from "../../reading/formats/document.ts"
import { analyse } from "../text/analyse.ts"
import { findableWords } from "./heading-words.ts"

/**
 * The titles and headings of an index, in memory, by their words: what a visitor is shown while typing. It holds
 * numbers rather than texts, which are read from the index for the few that are shown.
 */
export interface HeadingIndex {
  /** The distinct words, sorted. */
  words: readonly string[]
  /** The words, by their place in `words`, that have a term of the analyser. */
  wordsOfTerm: ReadonlyMap<string, readonly number[]>
  /** Where the places of each word begin in `places`; one more at the end. */
  firsts: Uint32Array
  /** Four times the number of an entry, plus a `Field`. */
  places: Uint32Array
  /** Number of entries: pages, and the sections of each. */
  entries: number
  /** For each entry, the entry of its page; a page has its own. */
  pages: Uint32Array
  /** For each entry, the row of its passage. */
  rows: Float64Array
  /** For each entry, its place among the sections of its passage. */
  sections: Uint16Array
  /** Number of words of each entry. */
  lengths: Uint8Array
  /** Kind of each page that may rank behind others, by entry. */
  kinds: ReadonlyMap<number, PassageKind>
}

export interface PassageKind {
  kind?: Passage["kind"] | undefined
  until?: Passage["until"] | undefined
}

export const title = 0
export const heading = 1
export const parent = 2
/** In a title, in the own heading of a section, in one above it. */
export type Field = typeof title | typeof heading | typeof parent

/** More sections than the largest documentations have. What lies beyond is found by its text alone. */
const maxEntries = 1_000_000
/** Words of one title that are held. */
const maxWords = 40
/** A tick of the event loop takes no longer. */
const turnMs = 3

interface Builder {
  places: Map<string, number[]>
  pageOf: Map<string, number>
  pages: number[]
  rows: number[]
  sections: number[]
  lengths: number[]
  kinds: Map<number, PassageKind>
}

/** Reads every passage once, in portions, so that others are served meanwhile. */
export async function buildHeadingIndex(
  rows: readonly number[],
  read: (row: number) => Passage | undefined,
  language: Language,
): Promise<HeadingIndex> {
  const built: Builder = {
    places: new Map(),
    pageOf: new Map(),
    pages: [],
    rows: [],
    sections: [],
    lengths: [],
    kinds: new Map(),
  }
  let until = performance.now() + turnMs
  for (const row of rows) {
    const passage = built.pages.length < maxEntries ? read(row) : undefined
    if (passage) addPassage(built, passage, row)
    if (performance.now() < until) continue
    await ownTick()
    until = performance.now() + turnMs
  }
  return finished(built, language)
}

function addPassage(built: Builder, passage: Passage, row: number): void {
  let page = built.pageOf.get(passage.document)
  if (page === undefined) {
    page = addEntry(built, undefined, row, 0)
    built.pageOf.set(passage.document, page)
    addWords(built, page, title, passage.title)
    const { kind, until } = passage
    if (kind !== undefined || until !== undefined) built.kinds.set(page, { kind, until })
  }
  const above = passage.headings.slice(0, -1).join("\n")
  const own = passage.headings.at(-1) ?? null
  const starts = passage.sections ?? (passage.continues ? [] : [{ heading: own }])
  for (const [at, { heading: text }] of starts.entries()) {
    if (text === null || at > 0xffff) continue
    const entry = addEntry(built, page, row, at)
    addWords(built, entry, heading, text)
    if (text === own) addWords(built, entry, parent, above)
  }
}

function addEntry(built: Builder, page: number | undefined, row: number, section: number): number {
  const entry = built.pages.length
  built.pages.push(page ?? entry)
  built.rows.push(row)
  built.sections.push(section)
  built.lengths.push(0)
  return entry
}

function addWords(built: Builder, entry: number, field: Field, text: string): void {
  const words = [...findableWords(text)].slice(0, maxWords)
  if (field !== parent) built.lengths[entry] = words.length
  for (const word of words) built.places.getOrInsert(word, []).push(entry * 4 + field)
}

async function finished(built: Builder, language: Language): Promise<HeadingIndex> {
  const words = [...built.places.keys()].sort()
  const firsts = new Uint32Array(words.length + 1)
  const total = words.reduce((sum, word) => sum + (built.places.get(word)?.length ?? 0), 0)
  const places = new Uint32Array(total)
  const wordsOfTerm = new Map<string, number[]>()
  let until = performance.now() + turnMs
  for (const [at, word] of words.entries()) {
    const held = built.places.get(word) as number[]
    places.set(held, firsts[at])
    firsts[at + 1] = (firsts[at] as number) + held.length
    for (const term of analyse(word, language)) wordsOfTerm.getOrInsert(term, []).push(at)
    if (performance.now() < until) continue
    await ownTick()
    until = performance.now() + turnMs
  }
  return {
    words,
    wordsOfTerm,
    firsts,
    places,
    entries: built.pages.length,
    pages: Uint32Array.from(built.pages),
    rows: Float64Array.from(built.rows),
    sections: Uint16Array.from(built.sections),
    lengths: Uint8Array.from(built.lengths),
    kinds: built.kinds,
  }
}
