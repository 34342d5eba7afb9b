import { fold } from "../../base/text.ts"

/** A word of a title or of a typed search. `l’élève` gives `l` and `eleve`. */
export interface HeadingWord {
  /** Lower case, without accents or ligatures. */
  letters: string
  /** Where it stands in the text, in UTF-16 code units. */
  from: number
  to: number
}

const word = /[\p{L}\p{N}\p{M}]+/gu
/** Longer ones are no words. */
const maxWordLength = 64
const camelBoundary = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

export function headingWords(text: string): HeadingWord[] {
  return Array.from(text.matchAll(word), ({ 0: written, index: from }) => ({
    letters: fold(written),
    from,
    to: from + written.length,
  })).filter(({ letters }) => letters.length > 0 && letters.length <= maxWordLength)
}

/** The words of a text; those that one joiner each connects, as in `v-model` and `aujourd’hui`, are together. */
export function joinedWords(text: string, joiner = /[-._'’ʼ]/): HeadingWord[][] {
  const runs: HeadingWord[][] = []
  for (const word of headingWords(text)) {
    const before = runs.at(-1)?.at(-1)
    if (before?.to === word.from - 1 && joiner.test(text[before.to] as string)) runs.at(-1)?.push(word)
    else runs.push([word])
  }
  return runs
}

/** The letters of connected words, unless they are too long to be one. */
export function joinedLetters(words: readonly HeadingWord[]): string | undefined {
  const letters = words.map((word) => word.letters).join("")
  return letters.length <= maxWordLength ? letters : undefined
}

const inName = /[-._]/

/**
 * The words by which a title is found: its own, and of a name its parts and the whole: `v-model` is found by `vmodel`,
 * `useState` by `state`, `aujourd’hui` by `aujourdhui`.
 */
export function findableWords(text: string): Set<string> {
  const words = headingWords(text)
  const forms = new Set(words.map(({ letters }) => letters))
  for (const { from, to } of words)
    for (const part of text.slice(from, to).split(camelBoundary)) if (part.length > 1) forms.add(fold(part))
  for (const run of [...joinedWords(text, inName), ...joinedWords(text)]) {
    const letters = joinedLetters(run)
    if (letters !== undefined) forms.add(letters)
  }
  return forms
}
