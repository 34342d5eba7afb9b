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

/**
 * The words by which a title is found: its own, and of a name its parts and the whole: `v-model` is found by `vmodel`,
 * `useState` by `state`.
 */
export function findableWords(text: string): Set<string> {
  const words = headingWords(text)
  const forms = new Set(words.map(({ letters }) => letters))
  let joined = ""
  for (const [at, { letters, from, to }] of words.entries()) {
    const next = words[at + 1]
    for (const part of text.slice(from, to).split(camelBoundary)) if (part.length > 1) forms.add(fold(part))
    joined += letters
    const isJoined = next?.from === to + 1 && /[-._]/.test(text[to] as string)
    if (isJoined && joined.length < maxWordLength) continue
    if (joined.length <= maxWordLength) forms.add(joined)
    joined = ""
  }
  return forms
}
