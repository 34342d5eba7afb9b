import type { Language } from "../../accounts/project.ts"
import { idsOf } from "../../base/ids.ts"
import type { Db } from "../../db/connection.ts"
import { analyseWords } from "../text/analyse.ts"
import { allSynonymGroups, type SynonymGroup } from "./synonym-group.ts"

/** The synonyms of a project, analysed. */
export interface Synonyms {
  /** Changes with every group added or removed: answers of another version are not reused. */
  version: string
  /** The longest entry that begins at a place of a text; undefined when none does. */
  entryAt(words: readonly (readonly string[])[], at: number): SynonymEntry | undefined
}

export interface SynonymEntry {
  /** Search terms of the entry's words, in order. A phrase has several. */
  terms: readonly string[]
  /** The entries that mean the same, this one included. */
  alternatives: readonly (readonly string[])[]
}

/** Gives the synonyms of a project; undefined when it has none. */
export type SynonymsOf = (projectId: string, language: Language) => Promise<Synonyms | undefined>

/** Reads the groups with every question, because another process may change them, and keeps the analysis. */
export function openSynonyms(db: Db): SynonymsOf {
  const byProject = new Map<string, Synonyms>()
  return async (projectId, language) => {
    const groups = await allSynonymGroups(db, projectId)
    if (groups.length === 0) return undefined
    // A group never changes, so its id stands for its words.
    const version = Bun.hash(idsOf(groups).join(" ")).toString(36)
    const key = `${projectId} ${language}`
    let synonyms = byProject.get(key)
    if (synonyms?.version !== version) {
      synonyms = analyseSynonyms(groups, language, version)
      if (byProject.size >= maxKept) byProject.clear()
      byProject.set(key, synonyms)
    }
    return synonyms
  }
}

const maxKept = 100
/** Most synonyms of one word, over all its groups. */
const maxAlternatives = 30

export function analyseSynonyms(
  groups: readonly Pick<SynonymGroup, "words">[],
  language: Language,
  version: string,
): Synonyms {
  const byText = new Map<string, Map<string, string[]>>()
  for (const { words } of groups) {
    const entries = new Map(
      words.map((word) => {
        const terms = analyseWords(word, language).map(([whole]) => whole as string)
        return [terms.join(" "), terms]
      }),
    )
    // A word of two groups stands for the words of both.
    for (const text of entries.keys()) byText.set(text, new Map([...(byText.get(text) ?? []), ...entries]))
  }
  const byFirst = Map.groupBy(
    [...byText].map(
      ([text, entries]): SynonymEntry => ({
        terms: text.split(" "),
        alternatives: [...entries.values()].slice(0, maxAlternatives),
      }),
    ),
    ({ terms }) => terms[0],
  )
  return {
    version,
    entryAt(words, at) {
      const candidates = (words[at] ?? []).flatMap((term) => byFirst.get(term) ?? [])
      return candidates
        .filter(({ terms }) => terms.every((term, offset) => words[at + offset]?.includes(term)))
        .reduce<SynonymEntry | undefined>(
          (longest, entry) => (longest && longest.terms.length >= entry.terms.length ? longest : entry),
          undefined,
        )
    },
  }
}
